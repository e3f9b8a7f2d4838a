/** Simulates ten accounts of one person who say of an eleventh that its pictures are real, on the product's own rules. */
import { DAY_MS, MET_JOINED_PERIOD_MS, MET_OTHER_CONVERSATIONS_MIN, MET_SAYER_AGE_MS } from "@lambda/contract/limits";
import { type Random, seededRandom } from "@lambda/testing/random";
import { listCounted, type Sayer, shownLevel } from "@lambda/worker/met-rules";
import { expect, it } from "vitest";

const ACCOUNTS = 10;

interface Ring {
  readonly networks: number;
  /** Days between the first account and the last. */
  readonly openedOver: number;
  /** Conversations of each account with members who are none of the ten. */
  readonly strangers: number;
}

type Rule = (sayers: readonly Sayer[]) => number;
const CURRENT_RULE: Rule = (sayers) => shownLevel(listCounted(sayers, null).length);
/** Kept as a failing control. */
const EVERY_WORD: Rule = (sayers) => shownLevel(sayers.length);

/** The most that the ring can make the number show: it may start on any day, and those who do not say it talk with those who do. */
function bestOf(ring: Ring, rule: Rule): number {
  const shown: number[] = [];
  for (let start = 0; start < MET_JOINED_PERIOD_MS; start += DAY_MS)
    for (let saying = 1; saying <= ACCOUNTS; saying += 1) shown.push(rule(sayersOf(ring, start, saying)));
  return Math.max(...shown);
}

function sayersOf({ networks, openedOver, strangers }: Ring, start: number, saying: number): Sayer[] {
  const last = start + openedOver * DAY_MS;
  return Array.from({ length: saying }, (_, id) => ({
    id,
    network: id % networks,
    // The last one says it on the first day that it may; spread as widely as those who say it can be.
    tsJoined: start + (saying === 1 ? 0 : (id / (saying - 1)) * openedOver * DAY_MS),
    tsSaid: last + MET_SAYER_AGE_MS,
    conversations: strangers + ACCOUNTS - saying,
  }));
}

/** Of honest members whom this many others met, the share who show it. Half of the others talked with 14 members or more. */
function honestShare(men: number, random: Random, years: number, trials = 2000): number {
  let shown = 0;
  for (let trial = 0; trial < trials; trial += 1) {
    const sayers = Array.from({ length: men }, (_, id) => ({
      id,
      network: random.int(2 ** 16),
      tsJoined: random.next() * years * 365 * DAY_MS,
      tsSaid: (years + 1) * 365 * DAY_MS,
      conversations: Math.floor(-20 * Math.log(1 - random.next())),
    }));
    if (CURRENT_RULE(sayers) > 0) shown += 1;
  }
  return shown / trials;
}

const RINGS = [1, 3, 10].flatMap((networks) =>
  [0, 40, 365].flatMap((openedOver) => [0, 8].map((strangers) => ({ networks, openedOver, strangers }))),
);

it.each(RINGS)(
  "ten accounts of one man with %o are met by nobody, unless they live as ten men for more than two months",
  (ring) => {
    const isTenLives = ring.networks >= 3 && ring.openedOver === 365 && ring.strangers > 0;
    expect(bestOf(ring, CURRENT_RULE) > 0).toBe(isTenLives);
    expect(bestOf(ring, EVERY_WORD)).toBe(10);
  },
);

it("counts no word of an account younger than a month, and three lives of eight conversations are the least that is shown", () => {
  const lives = Array.from({ length: 3 }, (_, id) => ({
    id,
    network: id,
    tsJoined: id * MET_JOINED_PERIOD_MS,
    tsSaid: 3 * MET_JOINED_PERIOD_MS,
    conversations: MET_OTHER_CONVERSATIONS_MIN,
  }));
  expect(CURRENT_RULE(lives)).toBe(3);
  const lacks = [
    { tsSaid: MET_SAYER_AGE_MS - 1 },
    { network: 1 },
    { tsJoined: 1 + MET_JOINED_PERIOD_MS },
    { conversations: 7 },
  ];
  for (const lack of lacks)
    expect(CURRENT_RULE([{ ...lives[0]!, ...lack }, ...lives.slice(1)]), JSON.stringify(lack)).toBe(0);
  // What docs/SECURITY.md says that it costs: three networks, and 24 conversations.
  expect(3 * MET_OTHER_CONVERSATIONS_MIN).toBe(24);
});

it("shows it of most honest men whom five others have met", () => {
  const random = seededRandom(5);
  const shares = [3, 5, 8].map((men) => Math.round(100 * honestShare(men, random, 2)));
  expect(shares).toEqual([23, 72, 96]);
});
