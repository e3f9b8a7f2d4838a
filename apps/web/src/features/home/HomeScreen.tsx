import { lazy } from "react";
import { hasSession, useSession } from "../../lib/session.ts";

// Two pages at one address: each viewer loads his own.
const loadMember = () => import("./parts/MemberHome.tsx");
const loadVisitor = () => import("./parts/VisitorHome.tsx");
const MemberHome = lazy(loadMember);
const VisitorHome = lazy(loadVisitor);
void (hasSession() ? loadMember() : loadVisitor());

export default function HomeScreen() {
  const session = useSession();
  return session.loggedIn ? <MemberHome session={session} /> : <VisitorHome />;
}
