/** The members whom a simulated court draws from: honest ones of every age, and the accounts of one hostile person. */
import { DAY_MS } from "@lambda/contract/limits";
import { type Candidate, POOL_CHECKED, shuffle } from "@lambda/worker/draw-rules";

export type Random = () => number;

export interface Member extends Candidate {
  readonly hostile: boolean;
}

/** The first day of every campaign. */
export const START = 20_000 * DAY_MS;

const HONEST_AGE_MEAN_DAYS = 400;
const HONEST_AGE_MAX_DAYS = 3 * 365;
const JUROR_AGE_MIN_DAYS = 30;
/** The hostile accounts are forty days old, registered over the three weeks before so that they look like nobody's batch. */
const HOSTILE_AGE_DAYS = [40, 61] as const;

/** Everyone may serve: what a hostile person gains by accounts that may not is nothing. */
export function makeCommunity(honest: number, hostile: number, random: Random): Member[] {
  return Array.from({ length: honest + hostile }, (_, id) => {
    const isHostile = id >= honest;
    const [youngest, oldest] = HOSTILE_AGE_DAYS;
    const days = isHostile ? youngest + random() * (oldest - youngest) : honestAge(random);
    return {
      id,
      hostile: isHostile,
      tsCreated: START - days * DAY_MS,
      tsSeen: START,
      homeBrand: "ember",
      // On networks that differ, by the threat model; honest ones collide as chance has it.
      network: isHostile ? 100_000 + id : Math.floor(random() * 2 ** 16),
      optedOut: false,
      tsSummoned: null,
      voted: 0,
      overturned: 0,
      talks: 3,
      sanctioned: false,
      served: false,
      metSide: false,
    };
  });
}

function honestAge(random: Random): number {
  for (;;) {
    const days = -Math.log(1 - random()) * HONEST_AGE_MEAN_DAYS;
    if (days >= JUROR_AGE_MIN_DAYS && days <= HONEST_AGE_MAX_DAYS) return days;
  }
}

/** As many of the community as the product looks at, at random. */
export function sample(community: readonly Member[], random: Random): Member[] {
  if (community.length <= POOL_CHECKED) return shuffle(community, random);
  const taken = new Set<number>();
  while (taken.size < POOL_CHECKED) taken.add(Math.floor(random() * community.length));
  return Array.from(taken, (index) => community[index]!);
}
