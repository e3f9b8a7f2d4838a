/** Runs all attacks on a sample of a town's members and scores the guesses against their real locations. */
import { distanceMeters, type Point } from "@lambda/geo/distance";
import { ATTACKS_AT_ONCE } from "./attacks-at-once.ts";
import { ATTACKS_OVER_TIME } from "./attacks-over-time.ts";
import { type Attack, meanSeen, type Scene } from "./observers.ts";
import { bestOf, type Found } from "./score.ts";
import { type PublishingBuild, SimulatedTown } from "./simulated-town.ts";

const ATTACKS: readonly Attack[] = [...ATTACKS_AT_ONCE, ...ATTACKS_OVER_TIME];

export interface Score extends Found {
  readonly attack: string;
  readonly requestsMax: number;
  readonly seconds: number;
}

/** Each attack is scored by its own guesses, or by the mean of all markers it saw where that is better. */
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
  const observers = [await town.addAccount(), await town.addAccount(), await town.addAccount()] as const;
  for (const observer of observers) await town.report(observer, town.center);
  const scores: Score[] = [];
  for (const { name, guess } of ATTACKS) {
    if (only && !only.some((part) => name.includes(part))) continue;
    const [own, byMean]: [number[], number[]] = [[], []];
    let requestsMax = 0;
    const started = performance.now();
    for (let index = 0; index < victims; index += 1) {
      const victim = 1 + Math.floor((index * members) / victims);
      await town.resetPosition(victim);
      town.requests = 0;
      const place = await town.as(victim).mine({ profileId: victim });
      if (!place) throw new Error(`${victim} has no position`);
      const shown = { lat: place.lat, lon: place.lon };
      const scene: Scene = { town, victim, observers, shown, seen: [] };
      const errorOf = (point: Point) => distanceMeters(point, town.raw.get(victim)!);
      const error = errorOf(await guess(scene));
      if (!Number.isFinite(error)) throw new Error(`${name}: no guess for ${victim}`);
      own.push(error);
      byMean.push(errorOf(meanSeen(scene)));
      requestsMax = Math.max(requestsMax, town.requests);
      await town.resetPosition(victim);
    }
    const seconds = (performance.now() - started) / 1000;
    const score = { attack: name, ...bestOf([own, byMean]), requestsMax, seconds };
    scores.push(score);
    onScore?.(score);
  }
  town.close();
  return scores;
}
