import { hasSession } from "../../device/session-cookie.ts";
import { lazyScreen } from "../../routing/lazy-part.tsx";
import { useSession } from "../../session/session.ts";

// Two pages at one address, of which members and visitors each load only their own.
const MemberHome = lazyScreen(() => import("./MemberHome.tsx"));
const VisitorHome = lazyScreen(() => import("./VisitorHome.tsx"));

function Home() {
  const session = useSession();
  return session.loggedIn ? <MemberHome session={session} /> : <VisitorHome />;
}

export const HomeScreen = Object.assign(Home, {
  preload: () => (hasSession() ? MemberHome : VisitorHome).preload(),
});
