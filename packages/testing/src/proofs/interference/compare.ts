/**
 * Compares pairs of raw positions in one cell. After reporting either one, other accounts must receive identical bytes (responses with
 * headers, socket frames, pushes), and the stored rows must be identical, too.
 */
import type { Point } from "@lambda/geo/distance";
import { latticesOf } from "@lambda/worker/lattices";
import type { PushService } from "../../push-service.ts";
import { type Random, seededRandom } from "../../random.ts";
import type { TestWorker } from "../../worker.ts";
import { drawPair, isNearPunishingCountry } from "./pairs.ts";
import { runSide } from "./side.ts";
import { makeWorld } from "./world.ts";

export interface Comparison {
  readonly answers: number;
  readonly frames: number;
  readonly pushes: number;
  /** What tells the two sides apart: its kind, and where the texts begin to differ. */
  readonly differences: readonly (readonly [kind: "row" | "database" | "answers" | "frames" | "push", text: string])[];
}

/**
 * @param place draws a raw position
 * @param samples number of pairs for which the view of other accounts is compared
 * @param apart degrees between the two positions of a pair: 0 for the proof, more for the control that must differ
 */
export async function compareSides(
  worker: TestWorker,
  service: PushService,
  place: (random: Random) => Point,
  { pairs, samples, apart = 0 }: { pairs: number; samples: number; apart?: number },
): Promise<Comparison> {
  const random = seededRandom(17);
  const world = await makeWorld(worker, service, { subjects: pairs, phones: samples });
  const drawn = world.subjects.map(({ id, email }, index) => {
    const { own } = latticesOf(worker.env, { id, email, lattice_seed: null, lattices: null });
    for (;;) {
      const pair = drawPair(place, random, apart, own);
      // Members are hidden in punishing countries, where the others would see nothing to compare.
      if (index >= samples || !pair.raws.some(isNearPunishingCountry)) return pair;
    }
  });
  const now = Date.now();
  const one = await runSide(world, drawn, 0, samples, now);
  const other = await runSide(world, drawn, 1, samples, now);
  const kinds = [
    ["row", one.stored.bySubject, other.stored.bySubject],
    ["database", [one.stored.everything], [other.stored.everything]],
    [
      "answers",
      one.samples.map(({ answers }) => answers.join("\n")),
      other.samples.map(({ answers }) => answers.join("\n")),
    ],
    [
      "frames",
      one.samples.map(({ frames }) => frames.join("\n")),
      other.samples.map(({ frames }) => frames.join("\n")),
    ],
    ["frames", [one.silence], [other.silence]],
    ["push", one.pushes, other.pushes],
  ] as const;
  return {
    answers: one.samples.reduce((sum, { answers }) => sum + answers.length, 0),
    frames: one.samples.reduce((sum, { frames }) => sum + frames.length, 0),
    pushes: one.pushes.length,
    differences: kinds.flatMap(([kind, texts, others]) =>
      texts.flatMap((text, index) => {
        const another = others[index] ?? "";
        return text === another ? [] : [[kind, excerptOf(text, another)] as const];
      }),
    ),
  };
}

function excerptOf(text: string, other: string): string {
  let index = 0;
  while (text[index] === other[index]) index += 1;
  const from = Math.max(0, index - 80);
  return `${text.slice(from, index + 80)} | ${other.slice(from, index + 80)}`;
}
