/** The members from whom simulated juries are drawn: honest ones with accounts of all ages, and the attacker's accounts. */
import { DAY_MS } from "@lambda/contract/limits";
import { CANDIDATES_CHECKED_MAX, type Candidate } from "@lambda/worker/draw-rules";
import { shuffle } from "@lambda/worker/shuffle";

export type Random = () => number;

export interface Member extends Candidate {
  readonly hostile: boolean;
}

export const START = 20_000 * DAY_MS;

const HONEST_AGE_MEAN_DAYS = 400;
const HONEST_AGE_MAX_DAYS = 3 * 365;
const JUROR_AGE_MIN_DAYS = 30;
/** The attacker's accounts are at least forty days old, registered over three weeks to avoid looking like a batch. */
const HOSTILE_AGE_DAYS = [40, 61] as const;

/** All members are eligible jurors, because ineligible accounts would not help the attacker. `areGrown`: these are of all ages, too. */
export function makeCommunity(honest: number, hostile: number, random: Random, areGrown = false): Member[] {
  return Array.from({ length: honest + hostile }, (_, id) => {
    const isHostile = id >= honest;
    const [youngest, oldest] = HOSTILE_AGE_DAYS;
    const days = isHostile && !areGrown ? youngest + random() * (oldest - youngest) : honestAge(random);
    return {
      id,
      hostile: isHostile,
      tsCreated: START - days * DAY_MS,
      tsSeen: START,
      homeBrand: "ember",
      // By the threat model, hostile accounts use distinct networks; honest ones collide at random.
      network: isHostile ? 100_000 + id : Math.floor(random() * 2 ** 16),
      optedOut: false,
      tsSummoned: null,
      voted: 0,
      overturned: 0,
      conversations: 3,
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

/** A random sample of as many members as the product considers. */
export function sample(community: readonly Member[], random: Random): Member[] {
  if (community.length <= CANDIDATES_CHECKED_MAX) return shuffle(community, random);
  const chosen = new Set<number>();
  while (chosen.size < CANDIDATES_CHECKED_MAX) chosen.add(Math.floor(random() * community.length));
  return Array.from(chosen, (index) => community[index]!);
}
