import { type LinkProps, LinkProvider } from "@lambda/ui/link";
import { ToastProvider } from "@lambda/ui/toast";
import { type ReactNode, Suspense, useEffect } from "react";
import { Link, Route, useLocation } from "wouter";
import { ApiProvider } from "./api/ApiProvider.tsx";
import { knownAccountId } from "./api/page-account.ts";
import { preloadPath } from "./preload-path.ts";
import { currentAddress } from "./routing/address.ts";
import { matchRoute } from "./routing/match-route.ts";
import { goTo, rememberReturnPath, takeReturnPath } from "./routing/navigation.ts";
import type { AppRoute } from "./routing/routes.ts";
import { SCREENS } from "./screens.ts";
import { useSession } from "./session/session.ts";
import { Loading } from "./shell/Loading.tsx";
import { ScreenBoundary } from "./shell/ScreenBoundary.tsx";
import { Shell } from "./shell/Shell.tsx";

/** The router's link; preloads the target screen on hover, touch or focus. */
function RouterLink({ href, ...rest }: LinkProps) {
  const preload = () => void preloadPath(new URL(href, location.href).pathname);
  return <Link {...rest} href={href} onPointerEnter={preload} onFocus={preload} />;
}

const NotFoundScreen = SCREENS["*"];

function Screens() {
  const [path] = useLocation();
  const route = matchRoute(path);
  const Screen = SCREENS[route.path];
  return (
    <Shell route={route} path={path}>
      <ScreenBoundary path={path}>
        <RouteGuard route={route} notFound={<NotFoundScreen />}>
          <Suspense fallback={<Loading />}>
            <Route path={route.path}>
              <Screen />
            </Route>
          </Suspense>
        </RouteGuard>
      </ScreenBoundary>
    </Shell>
  );
}

export function App() {
  return (
    <ApiProvider>
      <LinkProvider component={RouterLink}>
        <ToastProvider>
          <Screens />
        </ToastProvider>
      </LinkProvider>
    </ApiProvider>
  );
}

/**
 * Redirects visitors to /login and members away from pages for visitors, and shows non-admins a 404 for admin pages. This is only for
 * convenience: the server checks access itself.
 */
function RouteGuard({ route, notFound, children }: { route: AppRoute; notFound: ReactNode; children: ReactNode }) {
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
