import type { SessionContext } from "@lambda/contract/accounts";
import { getQueryKey } from "@trpc/react-query";
import { queryClient } from "../api/query-client.ts";
import { trpc } from "../api/trpc.ts";
import { hasSession } from "../device/session-cookie.ts";

export interface Session {
  readonly loggedIn: boolean;
  readonly isAdmin: boolean;
  /** Undefined for a visitor, and until the first answer. */
  readonly context: SessionContext | undefined;
  /** Zero until known. */
  readonly profileId: number;
}

export const SESSION_KEY = getQueryKey(trpc.accounts.session, undefined, "query");

/** Whose page this is, by the server's last answer; zero until known. */
export function knownAccount(): number {
  return queryClient.getQueryData<SessionContext>(SESSION_KEY)?.profileId ?? 0;
}

/** What the server was just told, for screens that would otherwise learn it with the next answer. */
export function setSessionHidden(hidden: boolean): void {
  queryClient.setQueryData<SessionContext>(SESSION_KEY, (known) => known && { ...known, hidden });
}

/** Who is looking. Cheap: it reads what the one query of ApiProvider.tsx asks for. */
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
