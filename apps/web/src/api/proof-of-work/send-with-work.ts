import { trpcClient } from "../client.ts";
import { errorBodyOf, errorCodeOf } from "../error-body.ts";
import { type Proof, solveInWorker } from "./solve-in-worker.ts";

/** The server asks for harder work at most so often. */
const TRIES_MAX = 3;

/** Sends a request again with the work that its failure asks for, which can take a minute. Throws any other failure. */
export async function sendWithWork<Result>(
  failure: unknown,
  send: (proof: Proof) => Promise<Result>,
  tries = 0,
): Promise<Result> {
  if (errorCodeOf(failure) !== "WORK_NEEDED" || tries === TRIES_MAX) throw failure;
  const task = await trpcClient.notices.challenge.mutate({ harder: errorBodyOf(failure)?.limit ?? 0 });
  const proof = await solveInWorker(task);
  return send(proof).catch((again) => sendWithWork(again, send, tries + 1));
}
