/**
 * Compares pairs of raw positions in one cell. After reporting either one, other accounts must receive identical bytes (responses with
 * headers, socket frames, pushes), and the stored rows must be identical, too.
 */
import { distanceMeters } from "@lambda/geo/distance";
import { type PushService, startPushService } from "@lambda/testing/push-service";
import { seededRandom } from "@lambda/testing/random";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { latticesOf } from "@lambda/worker/lattices";
import { printGate, printLine } from "./figures.ts";
import { drawPair, isNearPunishingCountry } from "./interference/pairs.ts";
import { runSide } from "./interference/side.ts";
import { makeWorld } from "./interference/world.ts";
import type { BenchOptions } from "./options.ts";
import { Population } from "./population.ts";
import { mean } from "./privacy/observers.ts";
import { bestOf, type Found, holds, toText } from "./privacy/score.ts";

/** Pairs per world. The database has no more members, so that comparing every row stays cheap. */
const PAIRS_PER_WORLD = 250;
/** Pairs per world for which the view of other accounts is compared. */
const SAMPLES_PER_WORLD = 25;

/** Loaded before anything runs, because it blocks the process for a second. */
const population = new Population();

export interface InterferenceResult {
  readonly pairs: number;
  readonly differentRows: number;
  /** Worlds in which any row of any table differs. */
  readonly differentDatabases: number;
  /** Number of sampled pairs, and of the items compared for them. */
  readonly sampled: number;
  readonly answers: number;
  readonly frames: number;
  readonly pushes: number;
  readonly differentAnswers: number;
  readonly differentFrames: number;
  readonly differentPushes: number;
  /** What the plain mean of a subject's markers of both sides reveals of the raw positions, for street cells. */
  readonly byMean: Found;
}

/**
 * @param samples number of pairs for which the view of other accounts is compared
 * @param apart degrees between the two positions of a pair: 0 for the proof, more for the control that must differ
 */
export async function compareSides(
  worker: TestWorker,
  service: PushService,
  { pairs, samples, apart = 0 }: { pairs: number; samples: number; apart?: number },
  onProgress?: (soFar: InterferenceResult) => void,
): Promise<InterferenceResult> {
  const random = seededRandom(17);
  const worlds = Math.max(Math.ceil(pairs / PAIRS_PER_WORLD), Math.ceil(samples / SAMPLES_PER_WORLD));
  const [size, sampled] = [Math.ceil(pairs / worlds), Math.ceil(samples / worlds)];
  const world = await makeWorld(worker, service, { subjects: size, phones: sampled });
  const sum = { pairs: 0, differentRows: 0, differentDatabases: 0, sampled: 0, answers: 0, frames: 0, pushes: 0 };
  const different = { differentAnswers: 0, differentFrames: 0, differentPushes: 0 };
  const errors: number[] = [];
  const lattices = world.subjects.map(({ id, email }) =>
    latticesOf(worker.env, { id, email, lattice_seed: null, lattices: null }),
  );
  for (let count = 0; count < worlds; count += 1) {
    // Different subjects in each world, because the map chat is in slow mode.
    const chosen = Array.from({ length: sampled }, (_, index) => (count * sampled + index) % size);
    // Avoids punishing countries for sampled pairs, because members are hidden there.
    const drawn = lattices.map(({ own }, index) => {
      let pair = drawPair(population, random, apart, own);
      while (chosen.includes(index) && pair.raws.some(isNearPunishingCountry)) {
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
    for (const [index, { raws, precision }] of drawn.entries()) {
      const markers = [one.stored.markers[index]!, other.stored.markers[index]!];
      if (precision === "street" && !raws.some(isNearPunishingCountry))
        errors.push(...raws.map((raw) => distanceMeters(mean(markers), raw)));
    }
    sum.differentRows += differing(one.stored.bySubject, other.stored.bySubject);
    if (one.stored.everything !== other.stored.everything) sum.differentDatabases += 1;
    if (apart === 0) printDifference([one.stored.everything], [other.stored.everything]);
    sum.sampled += sampled;
    sum.answers += one.samples.reduce((total, { answers }) => total + answers.length, 0);
    sum.frames += one.samples.reduce((total, { frames }) => total + frames.length, 0);
    sum.pushes += one.pushes.length;
    const text = (part: "answers" | "frames", side: typeof one) =>
      side.samples.map((sample) => sample[part].join("\n"));
    different.differentAnswers += differing(text("answers", one), text("answers", other));
    different.differentFrames += differing(text("frames", one), text("frames", other));
    if (one.silence !== other.silence) different.differentFrames += 1;
    different.differentPushes += differing(one.pushes, other.pushes);
    for (const [index, sample] of one.samples.entries()) printDifference(sample.answers, other.samples[index]!.answers);
    onProgress?.({ ...sum, ...different, byMean: bestOf([errors]) });
  }
  return { ...sum, ...different, byMean: bestOf([errors]) };
}

const differing = (some: readonly string[], others: readonly string[]) =>
  some.filter((text, index) => text !== others[index]).length;

/** Prints the first position at which two lists of texts differ. */
function printDifference(answers: readonly string[], others: readonly string[]): void {
  const [text, other] =
    answers.map((answer, index) => [answer, others[index] ?? ""] as const).find(([a, b]) => a !== b) ?? [];
  if (text === undefined || other === undefined) return;
  let index = 0;
  while (text[index] === other[index]) index += 1;
  const from = Math.max(0, index - 80);
  printLine(`differs: ${text.slice(0, 60)}`, `${text.slice(from, index + 80)} | ${other.slice(from, index + 80)}`);
}

export async function run({ queries = 10_000, requests = 1000 }: BenchOptions): Promise<void> {
  const worker = await startWorker();
  const service = await startPushService();
  try {
    const result = await compareSides(worker, service, { pairs: queries, samples: requests }, (soFar) =>
      printLine(`after ${soFar.pairs} pairs`, JSON.stringify(soFar)),
    );
    const printNone = (label: string, differ: number, of = "") =>
      printGate(label, differ === 0, `${of}differ: ${differ}`);
    printLine("pairs of raw positions in one cell", String(result.pairs));
    printNone("  stored rows", result.differentRows);
    printNone("  databases in which any row differs", result.differentDatabases);
    printLine("pairs compared as seen by 3 other accounts", String(result.sampled));
    printNone("  responses, headers and bytes", result.differentAnswers, `${result.answers}, pairs that `);
    printNone("  socket frames", result.differentFrames, `${result.frames}, pairs that `);
    printNone("  pushes, headers and decrypted bodies", result.differentPushes, `${result.pushes}, pairs that `);
    printGate("mean of all markers, street cells", holds(result.byMean), toText(result.byMean));
  } finally {
    service.close();
    await worker.close();
  }
}
