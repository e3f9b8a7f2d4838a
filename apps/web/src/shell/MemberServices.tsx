import { LIVE_REFETCH_MS } from "@lambda/contract/limits";
import { useEffect, useState } from "react";
import { useIsLive } from "../api/live-state.ts";
import { persistCache } from "../api/persisted-cache.ts";
import { trpc } from "../api/trpc.ts";
import { OWN_PLAN } from "../device/device-keys.ts";
import { useDeviceValue } from "../device/device-storage.ts";
import { hasSession } from "../device/session-cookie.ts";
import Live from "../features/messaging/messages/live/Live.tsx";
import { PositionReporter } from "../features/places/positions/PositionReporter.tsx";
import { optionalPart } from "../routing/optional-part.tsx";
import type { Session } from "../session/session.ts";

// Loaded only for members with a plan.
const MeetBar = optionalPart(() => import("../features/messaging/meets/MeetBar.tsx"));
/** How often to poll unread counts while the socket is not connected. */
const SESSION_REFETCH_MS = 60_000;
const LATE_SERVICES_DELAY_MS = 2000;
const LateServices = optionalPart(() => import("./LateServices.tsx"));

/**
 * Background services for logged-in members on every screen: session refresh, position reporting, the persisted cache, plans
 * with a friend and, unless suspended, the live socket. Loaded as a separate chunk.
 */
export default function MemberServices({ session, path }: { session: Session; path: string }) {
  const [plan] = useDeviceValue(OWN_PLAN);
  const refetchInterval = useIsLive() ? LIVE_REFETCH_MS : SESSION_REFETCH_MS;
  const { dataUpdatedAt } = trpc.accounts.session.useQuery(undefined, { enabled: hasSession(), refetchInterval });
  useEffect(() => {
    // main.tsx did not start this if the member logged in after the page was loaded.
    void persistCache();
  }, []);
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    // Delayed in favor of the first screen.
    const timer = window.setTimeout(() => setLate(true), LATE_SERVICES_DELAY_MS);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <>
      <PositionReporter session={session} path={path} />
      {plan && plan.account === session.profileId && <MeetBar plan={plan} />}
      {session.profileId !== 0 && !session.context?.standing && <Live profileId={session.profileId} />}
      {isLate && session.context && <LateServices context={session.context} updatedAt={dataUpdatedAt} />}
    </>
  );
}
