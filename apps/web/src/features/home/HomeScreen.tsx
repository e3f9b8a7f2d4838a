import { lazyComponent } from "../../routing/lazy-screen.ts";
import { hasSession, useSession } from "../../session/session.ts";

// Two pages at one address: each viewer loads his own.
const MemberHome = lazyComponent(() => import("./MemberHome.tsx"));
const VisitorHome = lazyComponent(() => import("./VisitorHome.tsx"));

/** Loads the page of who is looking now. */
export function loadPart(): Promise<unknown> {
  return hasSession() ? MemberHome.preload() : VisitorHome.preload();
}

export default function HomeScreen() {
  const session = useSession();
  return session.loggedIn ? <MemberHome session={session} /> : <VisitorHome />;
}
