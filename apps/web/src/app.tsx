import { type LinkProps, LinkProvider } from "@lambda/ui/link";
import { ToastProvider } from "@lambda/ui/toast";
import { QueryClientProvider } from "@tanstack/react-query";
import { Suspense } from "react";
import { Link, Route, useLocation } from "wouter";
import { matchRoute } from "./lib/match-route.ts";
import { queryClient } from "./lib/query-client.ts";
import { trpc, trpcClient } from "./lib/trpc.ts";
import { Loading } from "./shell/Loading.tsx";
import { RouteGuard } from "./shell/RouteGuard.tsx";
import { ScreenBoundary } from "./shell/ScreenBoundary.tsx";
import { Shell } from "./shell/Shell.tsx";

/** The router's link, which begins to load the screen behind it as soon as a finger or a pointer comes near. */
function RouterLink({ href, ...rest }: LinkProps) {
  const preload = () => matchRoute(new URL(href, location.href).pathname).screen.preload();
  return <Link {...rest} href={href} onPointerEnter={preload} onFocus={preload} />;
}

function Screens() {
  const [path] = useLocation();
  const route = matchRoute(path);
  return (
    <Shell route={route} path={path}>
      <ScreenBoundary path={path}>
        <RouteGuard route={route}>
          <Suspense fallback={<Loading />}>
            <Route path={route.path}>
              <route.screen />
            </Route>
          </Suspense>
        </RouteGuard>
      </ScreenBoundary>
    </Shell>
  );
}

export function App() {
  return (
    <trpc.Provider client={trpcClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <LinkProvider component={RouterLink}>
          <ToastProvider>
            <Screens />
          </ToastProvider>
        </LinkProvider>
      </QueryClientProvider>
    </trpc.Provider>
  );
}
