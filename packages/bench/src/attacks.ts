/**
 * Locates members by every attack that any account can carry out, and by several accounts of theirs. Control builds must fail. The command fails if a limit is missed.
 */
import { distanceMeters, type Point } from "@lambda/geo/distance";
import { type BenchOptions, printGate, printLine, round } from "./figures.ts";
import { linkAccounts, linkedMax, locateByAccounts } from "./privacy/accounts.ts";
import { ATTACKS_AT_ONCE } from "./privacy/attacks-at-once.ts";
import { ATTACKS_OVER_TIME } from "./privacy/attacks-over-time.ts";
import { meanSeen, type Scene } from "./privacy/observers.ts";
import { bestOf, bestOfScores, type Found, holds, LIMITS, limitsForSample, toText } from "./privacy/score.ts";
import { CONTROLS, PRODUCT, type PublishingBuild, SimulatedTown } from "./privacy/simulated-town.ts";

const ATTACKS = { ...ATTACKS_AT_ONCE, ...ATTACKS_OVER_TIME };

interface Score extends Found {
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
  for (const [name, guess] of Object.entries(ATTACKS)) {
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

const ACCOUNTS = [1, 2, 3, 5, 20];
const LINK_PAIRS = 200;
const LINK_ROUNDS = 10;

export async function run({ members = 10_000, queries, only }: BenchOptions): Promise<void> {
  console.log(
    `each: within 50 m, within 100 m, median; limits ${toText(LIMITS)}; the plain mean of markers always guesses too`,
  );
  if (!only || only === "accounts") await printAccounts(Math.min(queries ?? members, 3000));
  if (only === "accounts") return;
  for (const build of [PRODUCT, ...CONTROLS]) {
    // A few victims suffice to show that a control build leaks positions.
    const victims = queries ?? (build === PRODUCT ? members : Math.min(members, 300));
    console.log(`\n${build.name}: ${members} members, ${victims} victims of each attack`);
    const scores = await runAttacks(build, { members, victims, only: only?.split(",") }, (score) =>
      printLine(
        `  ${score.attack}`,
        `${toText(score)}, requests <= ${score.requestsMax}, ${Math.round(score.seconds)} s`,
      ),
    );
    const best = bestOfScores(scores);
    if (build === PRODUCT) printGate("  best of all", holds(best), toText(best));
    // A control only has to fail the whole suite, not each single attack.
    else if (!only) printGate("  best of all", !holds(best), `${toText(best)}: must fail`);
  }
}

async function printAccounts(members: number): Promise<void> {
  console.log(`\nseveral accounts of one member at home: ${members} members`);
  for (const mailboxes of ["one mailbox", "other mailboxes"] as const) {
    for (const [count, found] of await locateByAccounts(mailboxes, { members, accounts: ACCOUNTS })) {
      const label = `  ${count} ${count === 1 ? "account" : "accounts"}, ${mailboxes}`;
      // Accounts that nothing connects cannot be prevented from revealing more.
      if (mailboxes === "one mailbox") printGate(label, holds(found, limitsForSample(members)), toText(found));
      else printLine(label, toText(found));
    }
  }
  const most = linkedMax(LINK_PAIRS);
  for (const sharesShown of [false, true]) {
    const linked = await linkAccounts({ rounds: LINK_ROUNDS, pairs: LINK_PAIRS, sharesShown });
    const text = `${round(linked * 100)} % of ${LINK_ROUNDS} x ${LINK_PAIRS} pairs by five markers each, limit ${round(most * 100)} %`;
    if (sharesShown) printGate("  linked by a lattice of the mailbox", linked > 0.9, `${text}: must fail`);
    else printGate("  linked by their lattices", linked <= most, text);
  }
}
