import { type ReactNode, useEffect } from "react";
import { goTo, rememberReturn, takeReturn } from "../routing/navigation.ts";
import type { AppRoute } from "../routing/routes.ts";
import { SCREENS } from "../routing/screens.ts";
import { knownAccount, useSession } from "../session/session.ts";
import { Loading } from "./Loading.tsx";

const NotFoundScreen = SCREENS["*"];

/**
 * Sends a visitor to /login and a member away from visitors' pages; to everybody but admins an admin's page is a 404. A
 * convenience for the member: the server refuses by itself.
 */
export function RouteGuard({ route, children }: { route: AppRoute; children: ReactNode }) {
  const session = useSession();
  const needsLogin = (route.access === "user" || route.access === "admin") && !session.loggedIn;
  // A login link also works for a member who is logged in: it is the proof of identity before a change of password.
  const turnsAway =
    route.access === "visitor" && session.loggedIn && !new URLSearchParams(location.search).has("token");

  useEffect(() => {
    if (needsLogin) {
      if (route.path !== "/logout") rememberReturn(location.pathname + location.search + location.hash, knownAccount());
      goTo("/login", { replace: true });
    } else if (turnsAway) goTo(takeReturn(knownAccount()), { replace: true });
  }, [needsLogin, turnsAway, route]);

  if (needsLogin || turnsAway) return null;
  if (route.access === "admin" && !session.isAdmin) {
    return session.context ? <NotFoundScreen /> : <Loading />;
  }
  return children;
}
