import type { SessionContext } from "@lambda/contract/accounts";
import { trpc } from "./trpc.ts";

/** How often unread counts are asked for while no socket tells of them. */
const REFETCH_MS = 60_000;

/** Whether this device holds a session, without a call: the cookie next to the session's own tells it. */
export function hasSession(): boolean {
  return /(?:^|;\s*)logged_in=1/.test(document.cookie);
}

export interface Session {
  readonly loggedIn: boolean;
  readonly isAdmin: boolean;
  /** Undefined for a visitor, and until the first answer. */
  readonly context: SessionContext | undefined;
  /** Zero until known. */
  readonly profileId: number;
}

/** Who is looking. Cheap: every component may use it; one cached query serves all. */
export function useSession(): Session {
  const present = hasSession();
  const { data } = trpc.accounts.session.useQuery(undefined, { enabled: present, refetchInterval: REFETCH_MS });
  const context = present && data?.loggedIn ? data : undefined;
  return {
    loggedIn: present,
    isAdmin: context?.roles.includes("ADMIN") ?? false,
    context,
    profileId: context?.profileId ?? 0,
  };
}
