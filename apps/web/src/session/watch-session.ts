import type { SessionContext } from "@lambda/contract/accounts";
import { hashKey } from "@tanstack/react-query";
import { queryClient } from "../api/query-client.ts";
import { hasSession } from "../device/session-cookie.ts";
import { onSessionEnded } from "./ended-session.ts";
import { onOtherAccount } from "./other-account.ts";
import { SESSION_KEY } from "./session.ts";

/** Acts on what an answer says of the session before anything is drawn with it: that it ended, or that it is another member's. */
export function watchSession(): void {
  const session = hashKey(SESSION_KEY);
  let account = 0;
  queryClient.getQueryCache().subscribe(({ query, type }) => {
    if (query.queryHash !== session) return;
    const answer: SessionContext | undefined = type === "removed" ? undefined : query.state.data;
    // A visitor's answer to a page that holds a session, or held one until another tab ended it, is that session's end.
    if (type === "updated" && answer?.loggedIn === false && (hasSession() || account !== 0)) return onSessionEnded();
    const named = answer?.profileId ?? 0;
    if (account !== 0 && named !== 0 && named !== account) return onOtherAccount();
    account = named;
  });
}
