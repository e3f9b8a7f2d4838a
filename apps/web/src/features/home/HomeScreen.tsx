import { hasSession } from "../../device/session-cookie.ts";
import { lazyPart } from "../../routing/lazy-part.ts";
import { useSession } from "../../session/session.ts";

// Two pages at one address, of which members and visitors each load only their own.
const MemberHome = lazyPart(() => import("./MemberHome.tsx"));
const VisitorHome = lazyPart(() => import("./VisitorHome.tsx"));

function Home() {
  const session = useSession();
  return session.loggedIn ? <MemberHome session={session} /> : <VisitorHome />;
}

export const HomeScreen = Object.assign(Home, {
  preload: () => (hasSession() ? MemberHome : VisitorHome).preload(),
});
