import type { SessionContext } from "@lambda/contract/accounts";
import { hashKey } from "@tanstack/react-query";
import { onSessionEnded } from "../api/ended-session.ts";
import { onOtherAccount, SESSION_KEY } from "../api/page-account.ts";
import { queryClient } from "../api/query-client.ts";
import { hasSession } from "../device/session-cookie.ts";

/** Reacts to session responses before any component renders them: the session has ended, or it belongs to another member. */
export function watchSession(): void {
  const sessionHash = hashKey(SESSION_KEY);
  let accountId = 0;
  queryClient.getQueryCache().subscribe(({ query, type }) => {
    if (query.queryHash !== sessionHash) return;
    const response: SessionContext | undefined = type === "removed" ? undefined : query.state.data;
    // A logged-out response on a page that has a session, or had one until another tab ended it, means the session is over.
    if (type === "updated" && response?.loggedIn === false && (hasSession() || accountId !== 0))
      return onSessionEnded();
    const nextId = response?.profileId ?? 0;
    if (accountId !== 0 && nextId !== 0 && nextId !== accountId) return onOtherAccount();
    accountId = nextId;
  });
}
