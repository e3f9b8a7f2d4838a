/** Compares what is stored and what others get for pairs of raw positions in one cell, and in cells of their own, which must differ. */
import { compareSides } from "@lambda/testing/proofs/interference/compare";
import { startPushService } from "@lambda/testing/push-service";
import { startWorker } from "@lambda/testing/worker";
import { type BenchOptions, printGate, printLine } from "./figures.ts";
import { Population } from "./population.ts";

export async function run({ queries: pairs = 500 }: BenchOptions): Promise<void> {
  const population = new Population();
  const service = await startPushService();
  // Emptied each time, and closed at the end: it is shared, and cannot start again.
  let worker = await startWorker();
  for (const apart of [0, 0.02]) {
    if (apart) worker = await startWorker();
    const samples = Math.max(1, apart ? 2 : Math.round(pairs / 10));
    const sizes = { pairs: apart ? samples : pairs, samples, apart };
    const found = await compareSides(worker, service, (random) => population.place(random), sizes);
    printLine(`pairs ${apart ? "apart" : "in one cell"}`, `${sizes.pairs}, seen by others of ${samples}:`);
    printLine("  compared", `${found.answers} responses, ${found.frames} frames, ${found.pushes} pushes, each row`);
    const kinds = [...new Set(found.differences.map(([kind]) => kind))].join(", ") || "none";
    printGate("  differ", (found.differences.length === 0) === (apart === 0), apart ? `${kinds}: must differ` : kinds);
  }
  await worker.close();
  await service.close();
}
