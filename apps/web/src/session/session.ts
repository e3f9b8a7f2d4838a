import type { SessionContext } from "@lambda/contract/accounts";
import { SESSION_KEY } from "../api/page-account.ts";
import { queryClient } from "../api/query-client.ts";
import { trpc } from "../api/trpc.ts";
import { hasSession } from "../device/session-cookie.ts";

export interface Session {
  readonly loggedIn: boolean;
  readonly isAdmin: boolean;
  /** Undefined for a visitor and until the first response. */
  readonly context: SessionContext | undefined;
  /** Zero until known. */
  readonly profileId: number;
}

/** Updates the cached session after hiding or showing, so that screens need not wait for the next response. */
export function setSessionHidden(hidden: boolean): void {
  queryClient.setQueryData<SessionContext>(SESSION_KEY, (known) => known && { ...known, hidden });
}

/** The viewer's session. Cheap: it only reads the cache that ApiProvider.tsx fills. */
export function useSession(): Session {
  const { data } = trpc.accounts.session.useQuery(undefined, { enabled: false });
  const loggedIn = hasSession();
  const context = loggedIn && data?.loggedIn ? data : undefined;
  return {
    loggedIn,
    isAdmin: context?.roles.includes("ADMIN") ?? false,
    context,
    profileId: context?.profileId ?? 0,
  };
}
