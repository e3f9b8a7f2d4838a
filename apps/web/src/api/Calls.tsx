import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { onSessionEnded } from "../session/ended-session.ts";
import { onOtherAccount } from "../session/other-account.ts";
import { hasSession, publishSession } from "../session/session.ts";
import { restoreCache, startPersisting } from "./persisted-cache.ts";
import { queryClient } from "./query-client.ts";
import { trpc, trpcClient } from "./trpc.ts";

/** How often unread counts are asked for while no socket tells of them. */
const SESSION_REFETCH_MS = 60_000;

followSession();
restoreCache(Date.now());
startPersisting();

/**
 * What a screen makes its calls with. A chunk of its own, since a visitor's first screens make none: see `quiet` in routes.ts
 * and load-calls.ts.
 */
export default function Calls({ children }: { children: ReactNode }) {
  return (
    <trpc.Provider client={trpcClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <SessionQuery />
        {children}
      </QueryClientProvider>
    </trpc.Provider>
  );
}

/** Keeps the session's answer fresh for all who read it through useSession. */
function SessionQuery() {
  trpc.accounts.session.useQuery(undefined, { enabled: hasSession(), refetchInterval: SESSION_REFETCH_MS });
  return null;
}

/** The session's answer in the cache is what useSession tells, from a kept visit as from the server. */
function followSession(): void {
  const cache = queryClient.getQueryCache();
  let account = 0;
  cache.subscribe(({ query, type }) => {
    const [path] = query.queryKey as [unknown];
    if (!Array.isArray(path) || path.join(".") !== "accounts.session") return;
    const answer = type === "removed" ? undefined : query.state.data;
    // A visitor's answer to a page that holds a session, or held one until another tab ended it, is that session's end.
    if (type === "updated" && answer?.loggedIn === false && (hasSession() || account !== 0)) return onSessionEnded();
    const named: number = answer?.profileId ?? 0;
    if (account !== 0 && named !== 0 && named !== account) return onOtherAccount();
    account = named;
    publishSession(answer);
  });
}
