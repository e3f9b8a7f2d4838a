/** Runs all attacks on a sample of a town's members and scores the guesses against their real locations. */
import { distanceMeters } from "@lambda/geo/distance";
import { quantile } from "../figures.ts";
import { ATTACKS } from "./attacks.ts";
import { type PublishingBuild, SimulatedTown } from "./simulated-town.ts";

export interface Score {
  readonly attack: string;
  /** Shares of victims located within 50 and 100 m. */
  readonly within50: number;
  readonly within100: number;
  readonly medianMeters: number;
  readonly requestsMax: number;
  readonly seconds: number;
}

export async function runAttacks(
  build: PublishingBuild,
  {
    members,
    victims,
    seed = 3,
    only,
  }: { members: number; victims: number; seed?: number; only?: string[] | undefined },
  onScore?: (score: Score) => void,
): Promise<Score[]> {
  const town = await SimulatedTown.open(build, members, seed);
  const observers = [town.addAttacker(), town.addAttacker(), town.addAttacker()] as const;
  for (const observer of observers) await town.report(observer, town.center);
  const scores: Score[] = [];
  for (const { name, guess } of ATTACKS) {
    if (only && !only.some((part) => name.includes(part))) continue;
    const errors: number[] = [];
    let requestsMax = 0;
    const started = performance.now();
    for (let index = 0; index < victims; index += 1) {
      const victim = 1 + Math.floor((index * members) / victims);
      await town.resetPosition(victim);
      town.requests = 0;
      const place = await town.as(victim).mine({ profileId: victim });
      if (!place) throw new Error(`${victim} has no position`);
      const { lat, lon } = place;
      const point = await guess({ town, victim, observers, shown: { lat, lon } });
      const error = distanceMeters(point, town.raw.get(victim)!);
      if (!Number.isFinite(error)) throw new Error(`${name}: no guess for ${victim}`);
      errors.push(error);
      requestsMax = Math.max(requestsMax, town.requests);
      await town.resetPosition(victim);
    }
    const share = (meters: number) => errors.filter((error) => error <= meters).length / errors.length;
    const score = {
      attack: name,
      within50: share(50),
      within100: share(100),
      medianMeters: quantile(errors, 0.5),
      requestsMax,
      seconds: (performance.now() - started) / 1000,
    };
    scores.push(score);
    onScore?.(score);
  }
  town.close();
  return scores;
}

/** The limits for the best attack. */
export const ALLOWED = { within50: 0.035, within100: 0.12, medianMeters: 200 };

export function best(scores: readonly Score[]): Pick<Score, "within50" | "within100" | "medianMeters"> {
  return {
    within50: Math.max(...scores.map(({ within50 }) => within50)),
    within100: Math.max(...scores.map(({ within100 }) => within100)),
    medianMeters: Math.min(...scores.map(({ medianMeters }) => medianMeters)),
  };
}

export function holds(scores: readonly Score[]): boolean {
  const reached = best(scores);
  return (
    reached.within50 <= ALLOWED.within50 &&
    reached.within100 <= ALLOWED.within100 &&
    reached.medianMeters >= ALLOWED.medianMeters
  );
}
