import { BATCH_CALLS_MAX } from "@lambda/contract/limits";
import type { AppRouter } from "@lambda/worker/router";
import { httpBatchLink, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { onLocked, onSessionEnded } from "./ended-session.ts";
import { errorCodeOf, errorStatusOf, ForeignResponse } from "./error-body.ts";
import { type CallKind, fetchWithDeadline } from "./fetch-with-deadline.ts";
import { showServerError } from "./header-error.ts";
import { accountHeader, OTHER_ACCOUNT_STATUS, onOtherAccount } from "./page-account.ts";
import { trpc } from "./trpc.ts";

/** Handles errors of every call: NOT_LOGGED_IN ends the session (a failed login does not), LOCKED locks the page, a 5xx status shows a server error. */
export const globalErrorLink: TRPCLink<AppRouter> = () => {
  return ({ next, op }) =>
    observable((observer) =>
      next(op).subscribe({
        next: (value) => observer.next(value),
        complete: () => observer.complete(),
        error: (error) => {
          const status = errorStatusOf(error) ?? 0;
          const code = errorCodeOf(error);
          if (code === "NOT_LOGGED_IN") onSessionEnded();
          if (code === "LOCKED") onLocked();
          if (status >= 500) showServerError();
          observer.error(error);
        },
      }),
    );
};

export const httpLinkOptions = (kind: CallKind = "call") => ({
  url: "/trpc",
  // A proxy's error page is not a tRPC response, so its status is checked here.
  fetch: async (input: RequestInfo | URL | string, init?: unknown) => {
    const response = await fetchWithDeadline(input, init as RequestInit, kind);
    if (response.status >= 500) showServerError();
    // The worker rejects the whole batch before any procedure runs, so this is not a tRPC response either.
    if (response.status === OTHER_ACCOUNT_STATUS) onOtherAccount();
    // tRPC errors carry their status in the body; anybody else's error, for example a proxy's, would lose it.
    if (!response.ok && !(await response.clone().text()).includes('"httpStatus":')) throw new ForeignResponse(response);
    return response;
  },
  headers: () => ({ "x-request-start": String(Date.now()), ...accountHeader() }),
});

export const trpcClient = trpc.createClient({
  links: [
    globalErrorLink,
    // Some proxies reject longer URLs; tRPC splits the batch instead.
    httpBatchLink({ ...httpLinkOptions(), maxURLLength: 4000, maxItems: BATCH_CALLS_MAX }),
  ],
});
