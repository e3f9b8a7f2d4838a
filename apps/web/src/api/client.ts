import { BATCH_CALLS_MAX } from "@lambda/contract/limits";
import type { AppRouter } from "@lambda/worker/router";
import { httpBatchLink, type Operation, type OperationLink, splitLink, type TRPCLink } from "@trpc/client";
import { observable, share, tap } from "@trpc/server/observable";
import { CHUNK_WAIT_MS, withDeadline } from "../device/with-deadline.ts";
import { onLocked, onSessionEnded } from "./ended-session.ts";
import { errorCodeOf, errorStatusOf, ForeignResponse } from "./error-body.ts";
import { type CallKind, fetchWithDeadline } from "./fetch-with-deadline.ts";
import { showServerError } from "./header-error.ts";
import { accountHeader, OTHER_ACCOUNT_STATUS, onOtherAccount } from "./page-account.ts";
import { trpc } from "./trpc.ts";

/** Handles errors of every call: WORK_NEEDED sends it again with work, NOT_LOGGED_IN ends the session (a failed login does not), LOCKED locks the page, a 5xx status shows a server error. */
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
          // These two send their work themselves, and say so meanwhile.
          if (code !== "WORK_NEEDED" || /register|mail/.test(op.path)) return observer.error(error);
          withDeadline(CHUNK_WAIT_MS, () => import("./proof-of-work/send-with-work.ts"))
            .then(({ resend }) => resend(error, (context) => next({ ...op, context }), observer))
            .catch((failure) => observer.error(failure));
        },
      }),
    );
};

/**
 * A second press, before the page shows that the first is on its way, gets the first one's answer. Only right after it: whoever
 * switches something on, off and on means all three.
 */
export const sharedRepeatLink: TRPCLink<AppRouter> = () => {
  let last: { key: string; answer: ReturnType<OperationLink<AppRouter>> } | undefined;
  return ({ next, op }) => {
    // Whoever can abort a call repeats it on purpose.
    if (op.type !== "mutation" || op.signal) return next(op);
    const key = JSON.stringify([op.path, op.input]);
    if (last?.key === key) return last.answer;
    const end = () => {
      if (last === current) last = undefined;
    };
    const current = { key, answer: next(op).pipe(tap({ complete: end, error: end }), share()) };
    last = current;
    return current.answer;
  };
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
  headers: ({ op, opList }: { op?: Operation; opList?: readonly Operation[] } = {}) => ({
    "x-request-start": String(Date.now()),
    ...accountHeader(),
    ...((op ?? opList?.[0])?.context.headers as object),
  }),
});

export const trpcClient = trpc.createClient({
  links: [
    globalErrorLink,
    sharedRepeatLink,
    splitLink({
      // A batch is answered when its slowest call is, and a plan, a block or a report must not wait for another's. Only these come by the dozen.
      condition: ({ type, path }) => type === "mutation" && path !== "notifications.delete",
      true: httpBatchLink({ ...httpLinkOptions(), maxItems: 1 }),
      // Some proxies reject longer URLs; tRPC splits the batch instead.
      false: httpBatchLink({ ...httpLinkOptions(), maxURLLength: 4000, maxItems: BATCH_CALLS_MAX }),
    }),
  ],
});
