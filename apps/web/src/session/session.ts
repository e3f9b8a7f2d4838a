import type { SessionContext } from "@lambda/contract/accounts";
import { useSyncExternalStore } from "react";

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

let known: SessionContext | undefined;
const listeners = new Set<() => void>();

/** What the server last said about this session; Calls.tsx asks, as a visitor's screens load nothing to ask with. */
export function publishSession(context: SessionContext | undefined): void {
  if (known === context) return;
  known = context;
  // Forgotten in silence: who ends a session also says where he goes, and a redraw now would send him to log in first.
  if (!context) return;
  for (const listener of listeners) listener();
}

/** Whose page this is, by the server's last answer; zero until known. */
export function knownAccount(): number {
  return known?.profileId ?? 0;
}

const getKnown = () => known;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Who is looking. Cheap: every component may use it. */
export function useSession(): Session {
  const answer = useSyncExternalStore(subscribe, getKnown, getKnown);
  const present = hasSession();
  const context = present && answer?.loggedIn ? answer : undefined;
  return {
    loggedIn: present,
    isAdmin: context?.roles.includes("ADMIN") ?? false,
    context,
    profileId: context?.profileId ?? 0,
  };
}
