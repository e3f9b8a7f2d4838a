/**
 * Pairs of raw positions in one cell. Whatever another account gets after the first and after the second must be the same
 * bytes: answers with headers, socket frames, pushes; and so must every row that the report leaves behind.
 */
import { type PushService, startPushService } from "@lambda/testing/push-service";
import { seededRandom } from "@lambda/testing/random";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { latticesOf } from "@lambda/worker/publish";
import { line } from "./figures.ts";
import { drawPair, isNearPunishingLand } from "./interference/pairs.ts";
import { runSide } from "./interference/side.ts";
import { makeWorld } from "./interference/world.ts";
import type { BenchOptions } from "./options.ts";
import { Population } from "./population.ts";

/** Subjects who report at a time; the database holds no more members, so that looking at every row stays cheap. */
const PAIRS_A_WORLD = 250;
/** Pairs of a world that are also looked at from outside. */
const SAMPLES_A_WORLD = 25;

/** Read before anything runs: it holds up the process for a second. */
const population = new Population();

export interface Interference {
  readonly pairs: number;
  readonly differentRows: number;
  /** Worlds of which any row of any table differs. */
  readonly differentDatabases: number;
  /** Pairs that were looked at from outside, and what was compared for them. */
  readonly sampled: number;
  readonly answers: number;
  readonly frames: number;
  readonly pushes: number;
  readonly differentAnswers: number;
  readonly differentFrames: number;
  readonly differentPushes: number;
}

/**
 * @param samples how many of the pairs are also looked at from outside
 * @param apart degrees between the two positions of a pair: 0 is the proof, more is the control that must differ
 */
export async function compareSides(
  worker: TestWorker,
  service: PushService,
  { pairs, samples, apart = 0 }: { pairs: number; samples: number; apart?: number },
  each?: (soFar: Interference) => void,
): Promise<Interference> {
  const random = seededRandom(17);
  const worlds = Math.max(Math.ceil(pairs / PAIRS_A_WORLD), Math.ceil(samples / SAMPLES_A_WORLD));
  const [size, looks] = [Math.ceil(pairs / worlds), Math.ceil(samples / worlds)];
  const world = await makeWorld(worker, service, { subjects: size, phones: looks });
  const sum = { pairs: 0, differentRows: 0, differentDatabases: 0, sampled: 0, answers: 0, frames: 0, pushes: 0 };
  const different = { differentAnswers: 0, differentFrames: 0, differentPushes: 0 };
  const lattices = await Promise.all(
    world.subjects.map(({ email }) => latticesOf(worker.env.POSITION_KEY, { email, lattice_seed: null })),
  );
  for (let count = 0; count < worlds; count += 1) {
    // Other subjects in each world: each may write into the map chat once in a while only.
    const chosen = Array.from({ length: looks }, (_, look) => (count * looks + look) % size);
    // Where the stay guard hides everybody, nobody speaks and nobody looks.
    const drawn = lattices.map(({ own }, index) => {
      let pair = drawPair(population, random, apart, own);
      while (chosen.includes(index) && pair.raws.some(isNearPunishingLand)) {
        pair = drawPair(population, random, apart, own);
      }
      return pair;
    });
    const now = Date.now();
    const [one, other] = [
      await runSide(world, drawn, 0, chosen, now),
      await runSide(world, drawn, 1, chosen, now),
    ] as const;
    sum.pairs += size;
    sum.differentRows += differing(one.stored.bySubject, other.stored.bySubject);
    if (one.stored.everything !== other.stored.everything) sum.differentDatabases += 1;
    if (apart === 0) describe([one.stored.everything], [other.stored.everything]);
    sum.sampled += looks;
    sum.answers += one.samples.reduce((total, { answers }) => total + answers.length, 0);
    sum.frames += one.samples.reduce((total, { frames }) => total + frames.length, 0);
    sum.pushes += one.pushes.length;
    const text = (part: "answers" | "frames", side: typeof one) =>
      side.samples.map((sample) => sample[part].join("\n"));
    different.differentAnswers += differing(text("answers", one), text("answers", other));
    different.differentFrames += differing(text("frames", one), text("frames", other));
    if (one.silence !== other.silence) different.differentFrames += 1;
    different.differentPushes += differing(one.pushes, other.pushes);
    for (const [index, sample] of one.samples.entries()) describe(sample.answers, other.samples[index]!.answers);
    each?.({ ...sum, ...different });
  }
  return { ...sum, ...different };
}

const differing = (some: readonly string[], others: readonly string[]) =>
  some.filter((text, index) => text !== others[index]).length;

/** Prints where the first of some answers parts from the other's. */
function describe(answers: readonly string[], others: readonly string[]): void {
  const [text, other] =
    answers.map((answer, index) => [answer, others[index] ?? ""] as const).find(([a, b]) => a !== b) ?? [];
  if (text === undefined || other === undefined) return;
  let at = 0;
  while (text[at] === other[at]) at += 1;
  const from = Math.max(0, at - 80);
  line(`differs: ${text.slice(0, 60)}`, `${text.slice(from, at + 80)} | ${other.slice(from, at + 80)}`);
}

export async function run({ queries = 10_000, requests = 1000 }: BenchOptions): Promise<void> {
  const worker = await startWorker();
  const service = await startPushService();
  try {
    const result = await compareSides(worker, service, { pairs: queries, samples: requests }, (soFar) =>
      line(`after ${soFar.pairs} pairs`, JSON.stringify(soFar)),
    );
    line("pairs of raw positions in one cell", String(result.pairs));
    line("  pairs whose stored rows differ", String(result.differentRows));
    line("  databases of which any row differs", String(result.differentDatabases));
    line("pairs looked at by 3 other accounts", String(result.sampled));
    line("  answers, headers and bytes", `${result.answers}, pairs that differ: ${result.differentAnswers}`);
    line("  socket frames", `${result.frames}, pairs that differ: ${result.differentFrames}`);
    line("  pushes, headers and decrypted bodies", `${result.pushes}, pairs that differ: ${result.differentPushes}`);
  } finally {
    service.close();
    await worker.close();
  }
}
