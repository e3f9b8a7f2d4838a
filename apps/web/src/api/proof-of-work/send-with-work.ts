import { WORK_HEADER } from "@lambda/contract/headers";
import type { AppRouter } from "@lambda/worker/router";
import type { OperationLink } from "@trpc/client";
import { observableToPromise } from "@trpc/server/observable";
import { trpcClient } from "../client.ts";
import { errorBodyOf, errorCodeOf } from "../error-body.ts";
import { type Proof, solveInWorker } from "./solve-in-worker.ts";

type Answer = ReturnType<OperationLink<AppRouter>>;
type Result = Parameters<NonNullable<Parameters<Answer["subscribe"]>[0]["next"]>>[0];

/** Sends a call of any kind again with the work that its failure asks for, in a header. Throws what fails. */
export async function resend(
  failure: unknown,
  send: (context: { readonly headers: object }) => Answer,
  observer: { readonly next: (result: Result) => void; readonly complete: () => void },
): Promise<void> {
  const sendProof = (proof: Proof) => observableToPromise(send({ headers: { [WORK_HEADER]: JSON.stringify(proof) } }));
  observer.next(await sendWithWork(failure, sendProof));
  observer.complete();
}

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
