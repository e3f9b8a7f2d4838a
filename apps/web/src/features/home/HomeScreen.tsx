import { lazyComponent } from "../../lib/lazy-screen.ts";
import { hasSession, useSession } from "../../lib/session.ts";

// Two pages at one address: each viewer loads his own.
const MemberHome = lazyComponent(() => import("./parts/MemberHome.tsx"));
const VisitorHome = lazyComponent(() => import("./parts/VisitorHome.tsx"));

/** Loads the page of who is looking now. */
export function loadPart(): Promise<unknown> {
  return hasSession() ? MemberHome.preload() : VisitorHome.preload();
}

export default function HomeScreen() {
  const session = useSession();
  return session.loggedIn ? <MemberHome session={session} /> : <VisitorHome />;
}
