import type { SessionContext } from "@lambda/contract/accounts";
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
