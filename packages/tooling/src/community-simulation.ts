/**
 * Plays a community of 1,000 members, one in ten hostile, on the vote games' own rules, and prints in how many items they
 * reach the right consensus. Run: `node packages/tooling/src/community-simulation.ts [seed]`. Ends with 1 below 95 %.
 */
import { BUSTER_ANSWERS, RATING_ANSWERS } from "@lambda/contract/game-answers";
import { CONSENSUS_VOTES_MAX, GAME_VOTE_MIN_MS } from "@lambda/contract/limits";
import {
  consensusOf,
  isClear,
  NEW_PLAYER,
  type PlayRecord,
  recordVote,
  ringScore,
  type WeighedVote,
  weightOf,
} from "@lambda/worker/games-rules";

const MEMBERS = 1000;
const HOSTILE_SHARE = 0.1;
const ITEMS = 3000;
/** An honest member's share of right answers on an item of the middle kind. */
const HONEST_ACCURACY = 0.86;
/** Of ten drawn items two are known. */
const KNOWN_SHARE = 0.2;
const TARGET = 0.95;

/** inverse: always the wrong answer. ring: the same wrong answer as its friends. same: one answer for all. fast: a random answer at once. */
type Character = "honest" | "inverse" | "ring" | "same" | "fast";

/** A small seeded generator (mulberry32), so that a figure can be had again. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Result {
  readonly decided: number;
  readonly right: number;
  readonly votes: number;
}

function play(answers: readonly string[], seed: number): Result {
  const random = generator(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const characters: Character[] = Array.from({ length: MEMBERS }, (_, index) =>
    index >= MEMBERS * HOSTILE_SHARE ? "honest" : (["inverse", "ring", "same", "fast"] as const)[index % 4]!,
  );
  const records: PlayRecord[] = characters.map(() => NEW_PLAYER);
  const known: string[] = answers.slice();
  const wrongTogether = new Map<string, { together: number; wrong: number }>();

  const answerOf = (character: Character, truth: string, hard: number): string => {
    const wrong = answers.filter((answer) => answer !== truth);
    if (character === "inverse") return pick(wrong);
    if (character === "ring") return wrong[0]!;
    if (character === "same") return answers[0]!;
    if (character === "fast") return pick(answers);
    return random() < HONEST_ACCURACY - hard ? truth : pick(wrong);
  };
  const vote = (member: number, truth: string, hard: number, certain: boolean): WeighedVote => {
    const character = characters[member]!;
    const weight = weightOf(records[member]!, answers.length);
    const answer = answerOf(character, truth, hard);
    const elapsedMs = character === "fast" ? GAME_VOTE_MIN_MS / 2 : 3000;
    records[member] = recordVote(records[member]!, { answer, known: certain ? truth : null, elapsedMs });
    return { answer, weight };
  };

  let decided = 0;
  let right = 0;
  let total = 0;
  for (let item = 0; item < ITEMS; item += 1) {
    // Most pictures are safe and most texts are people's; some are hard to tell.
    const truth = random() < 0.55 ? answers[0]! : pick(answers.slice(1));
    const hard = random() * 0.2 - 0.05;
    const votes: (WeighedVote & { member: number })[] = [];
    const voters = new Set<number>();
    let consensus: ReturnType<typeof consensusOf>;
    while (votes.length < CONSENSUS_VOTES_MAX && !consensus) {
      const member = Math.floor(random() * MEMBERS);
      if (voters.has(member)) continue;
      voters.add(member);
      if (random() < KNOWN_SHARE / (1 - KNOWN_SHARE)) vote(member, pick(known), 0, true);
      votes.push({ ...vote(member, truth, hard, false), member });
      total += 1;
      consensus = consensusOf(votes);
    }
    if (!consensus) continue;
    decided += 1;
    if (consensus.answer === truth) right += 1;
    if (isClear(consensus, votes.length)) known.push(consensus.answer);
    for (const [index, one] of votes.entries()) {
      for (const other of votes.slice(index + 1)) {
        const key = [one.member, other.member].sort((a, b) => a - b).join(":");
        const pair = wrongTogether.get(key) ?? { together: 0, wrong: 0 };
        pair.together += 1;
        if (one.answer === other.answer && one.answer !== consensus.answer) pair.wrong += 1;
        wrongTogether.set(key, pair);
      }
    }
    // The nightly search for rings.
    if (item % 500 === 499) {
      const pairsOf: { together: number; wrong: number }[][] = records.map(() => []);
      for (const [key, pair] of wrongTogether) for (const member of key.split(":")) pairsOf[Number(member)]!.push(pair);
      for (const [member, pairs] of pairsOf.entries()) {
        records[member] = { ...records[member]!, ring: ringScore(pairs) };
      }
    }
  }
  return { decided, right, votes: total };
}

const seed = Number(process.argv[2] ?? 1);
let failed = false;
for (const [name, answers] of [
  ["The Rating Game", RATING_ANSWERS],
  ["GPT Buster!", BUSTER_ANSWERS],
] as const) {
  const { decided, right, votes } = play(answers, seed);
  const share = right / ITEMS;
  failed ||= share < TARGET;
  console.log(
    `${name}: ${MEMBERS} members, ${HOSTILE_SHARE * 100} % hostile: right consensus in ${(share * 100).toFixed(2)} % of ${ITEMS} items ` +
      `(${decided - right} wrong, ${ITEMS - decided} undecided), ${(votes / ITEMS).toFixed(1)} votes an item`,
  );
}
process.exitCode = failed ? 1 : 0;
