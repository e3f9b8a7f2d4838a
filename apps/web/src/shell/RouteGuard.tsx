import { type ReactNode, useEffect } from "react";
import { knownAccountId } from "../api/page-account.ts";
import { currentAddress } from "../routing/address.ts";
import { goTo, rememberReturnPath, takeReturnPath } from "../routing/navigation.ts";
import type { AppRoute } from "../routing/routes.ts";
import { useSession } from "../session/session.ts";
import { Loading } from "./Loading.tsx";

/**
 * Redirects visitors to /login and members away from pages for visitors, and shows non-admins a 404 for admin pages. This is only for
 * convenience: the server checks access itself.
 */
export function RouteGuard({
  route,
  notFound,
  children,
}: {
  route: AppRoute;
  notFound: ReactNode;
  children: ReactNode;
}) {
  const session = useSession();
  const needsLogin = (route.access === "user" || route.access === "admin") && !session.loggedIn;
  // A login link also works for a logged-in member, as a fresh proof of identity.
  const isAlreadyLoggedIn =
    route.access === "visitor" && session.loggedIn && !new URLSearchParams(currentAddress().search).has("token");

  useEffect(() => {
    if (needsLogin) {
      if (route.path !== "/logout") rememberReturnPath(knownAccountId());
      goTo("/login", { replace: true });
    } else if (isAlreadyLoggedIn) goTo(takeReturnPath(knownAccountId()), { replace: true });
  }, [needsLogin, isAlreadyLoggedIn, route]);

  if (needsLogin || isAlreadyLoggedIn) return null;
  if (route.access === "admin" && !session.isAdmin) {
    return session.context ? notFound : <Loading />;
  }
  return children;
}
