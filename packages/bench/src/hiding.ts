/** Looks for a member who is hidden, discreet, blocked, suspended or not shared in every documented response. */
import { findTraces } from "@lambda/testing/proofs/hiding";
import { startWorker } from "@lambda/testing/worker";
import { printGate, printLine } from "./figures.ts";

export async function run(): Promise<void> {
  const worker = await startWorker();
  const { routes, states, showing, traces } = await findTraces(worker);
  await worker.close();
  printLine("requests to documented GET routes", `${routes} in each of ${states} states`);
  printLine("  show the subject while visible", showing.join(", "));
  printGate("  show the subject while not", traces.length === 0, traces.join(", ") || "none");
}
