import { WORK_HEADER } from "@lambda/contract/headers";
import type { AppRouter } from "@lambda/worker/router";
import type { OperationLink } from "@trpc/client";
import { observableToPromise } from "@trpc/server/observable";
import { trpcClient } from "../client.ts";
import { errorBodyOf, errorCodeOf } from "../error-body.ts";
import { type Proof, solveInWorker } from "./solve-in-worker.ts";

type Answer = ReturnType<OperationLink<AppRouter>>;

/** Sends a call of any kind again with the work that its failure asks for, in a header. */
export const resend = (failure: unknown, send: (context: { readonly headers: object }) => Answer) =>
  sendWithWork(failure, (proof) => observableToPromise(send({ headers: { [WORK_HEADER]: JSON.stringify(proof) } })));

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
