import { LIVE_REFETCH_MS } from "@lambda/contract/limits";
import { lazy, Suspense, useEffect, useState } from "react";
import { useLive } from "../api/live-state.ts";
import { persistCache } from "../api/persisted-cache.ts";
import { trpc } from "../api/trpc.ts";
import { OWN_PLAN } from "../device/device-keys.ts";
import { useDevice } from "../device/device-storage.ts";
import { hasSession } from "../device/session-cookie.ts";
import Live from "../features/chat/live/Live.tsx";
import { PositionReporter } from "../features/position/PositionReporter.tsx";
import type { Session } from "../session/session.ts";
import { keepFocus } from "./keep-focus.ts";

/** Costs nothing to whoever has no plan. */
const MeetBar = lazy(() => import("../features/meets/MeetBar.tsx"));
/** How often unread counts are asked for while no socket tells of them. */
const SESSION_REFETCH_MS = 60_000;
const STAY_WATCH_DELAY_MS = 2000;
const StayWatch = lazy(() => import("../features/travel/StayWatch.tsx"));

/**
 * What runs beside every screen for a member: the session's answer anew, position reporting, the persisted cache, the keyboard's focus, a plan with a friend
 * and, unless suspended, the live connection and a look at the country. A chunk of its own.
 */
export default function MemberServices({ session, path }: { session: Session; path: string }) {
  const [plan] = useDevice(OWN_PLAN);
  const refetchInterval = useLive() ? LIVE_REFETCH_MS : SESSION_REFETCH_MS;
  trpc.accounts.session.useQuery(undefined, { enabled: hasSession(), refetchInterval });
  useEffect(() => {
    // Whoever logged in on this page has not begun to.
    void persistCache();
  }, []);
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    // The server protects by itself; the page about it must not make the first screen wait.
    const timer = window.setTimeout(() => setSettled(true), STAY_WATCH_DELAY_MS);
    return () => window.clearTimeout(timer);
  }, []);
  useEffect(() => {
    const main = document.querySelector("main");
    return main ? keepFocus(main) : undefined;
  }, []);
  return (
    <>
      <PositionReporter session={session} path={path} />
      {plan && plan.account === session.profileId && (
        <Suspense>
          <MeetBar plan={plan} />
        </Suspense>
      )}
      {session.profileId !== 0 && !session.context?.standing && (
        <>
          <Live profileId={session.profileId} />
          {settled && (
            <Suspense>
              <StayWatch />
            </Suspense>
          )}
        </>
      )}
    </>
  );
}
