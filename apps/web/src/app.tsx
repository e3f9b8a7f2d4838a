import { type LinkProps, LinkProvider } from "@lambda/ui/link";
import { ToastProvider } from "@lambda/ui/toast";
import { Suspense } from "react";
import { Link, Route, useLocation } from "wouter";
import { ApiProvider } from "./api/ApiProvider.tsx";
import { preloadPath } from "./preload-path.ts";
import { matchRoute } from "./routing/match-route.ts";
import { SCREENS } from "./screens.ts";
import { Loading } from "./shell/Loading.tsx";
import { RouteGuard } from "./shell/RouteGuard.tsx";
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
