import { BATCH_CALLS_MAX } from "@lambda/contract/limits";
import type { AppRouter } from "@lambda/worker/router";
import { httpBatchLink, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { onSessionEnded } from "../session/ended-session.ts";
import { accountHeader, OTHER_ACCOUNT_STATUS, onOtherAccount } from "../session/other-account.ts";
import { errorCodeOf, errorStatusOf, ForeignAnswer } from "./error-body.ts";
import { showServerTrouble } from "./header-error.ts";
import { trpc } from "./trpc.ts";

/** Every call passes here: 401 ends the session (a refused login does not), 5xx tells of trouble. */
export const watchAnswers: TRPCLink<AppRouter> = () => {
  return ({ next, op }) =>
    observable((observer) =>
      next(op).subscribe({
        next: (value) => observer.next(value),
        complete: () => observer.complete(),
        error: (error) => {
          const status = errorStatusOf(error) ?? 0;
          if (status === 401 && errorCodeOf(error) === "NOT_LOGGED_IN") onSessionEnded();
          if (status >= 500) showServerTrouble();
          observer.error(error);
        },
      }),
    );
};

export const WIRE = {
  url: "/trpc",
  // A proxy's error is no tRPC answer, so its status is looked at here.
  fetch: async (input: RequestInfo | URL | string, init?: unknown) => {
    const answer = await fetch(input, init as RequestInit);
    if (answer.status >= 500) showServerTrouble();
    // Refused as a whole, before any call of the batch: no tRPC answer either.
    if (answer.status === OTHER_ACCOUNT_STATUS) onOtherAccount();
    // What any procedure refuses says its status itself; JSON of somebody else, as of a proxy, would lose it.
    if (!answer.ok && !(await answer.clone().text()).includes('"httpStatus":')) throw new ForeignAnswer(answer);
    return answer;
  },
  headers: () => ({ "x-request-start": String(Date.now()), ...accountHeader() }),
};

export const trpcClient = trpc.createClient({
  links: [
    watchAnswers,
    // Longer addresses meet limits of proxies; a batch is then split.
    httpBatchLink({ ...WIRE, maxURLLength: 4000, maxItems: BATCH_CALLS_MAX }),
  ],
});
