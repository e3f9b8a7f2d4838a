import type { SessionContext } from "@lambda/contract/accounts";
import type { PushSubscriptionDraft } from "@lambda/contract/push";
import { useEffect } from "react";
import { trpc } from "../api/trpc.ts";
import { watchFilledFields } from "../components/filled-fields.ts";
import { QueryFailure } from "../components/QueryState.tsx";
import { hasUnlockedSecret } from "../device/cookies.ts";
import { readDeviceValue } from "../device/device-storage.ts";
import { LOCK } from "../device/lock-record.ts";
import { closeShown } from "../features/notifications/close-shown.ts";
import StayWatch from "../features/travel/StayWatch.tsx";
import { createChunkLoader } from "../routing/load-chunk.ts";
import { keepFocus } from "./keep-focus.ts";

/** For an app lock that was being turned on or off when the page was closed. */
const sessionLock = createChunkLoader(() => import("../features/lock/session-lock.ts"));

/** Only for members who allowed notifications. */
const pushRenewal = createChunkLoader(() => import("../features/settings/renew-push.ts"));

interface LateServicesProps {
  context: SessionContext;
  /** When the server last answered. */
  updatedAt: number;
}

/** Background services that the first screen need not wait for. */
export default function LateServices({ context, updatedAt }: LateServicesProps) {
  useEffect(watchFilledFields, []);
  useEffect(() => void QueryFailure.preload(), []);
  const utils = trpc.useUtils();
  useEffect(() => {
    if (window.Notification?.permission !== "granted") return;
    const { push } = utils.client;
    const calls = {
      key: () => push.key.query(),
      list: () => push.list.query(),
      subscribe: (draft: PushSubscriptionDraft) => push.subscribe.mutate(draft),
      unsubscribe: (entry: { id: number }) => push.unsubscribe.mutate(entry),
    };
    // The next page tries again.
    void pushRenewal.preload().then((module) => module?.renewPush(calls).catch(() => undefined));
  }, [utils]);
  useEffect(() => {
    if (hasUnlockedSecret() && readDeviceValue(LOCK) === null)
      void sessionLock.preload().then((module) => module?.settleSession());
  }, []);
  useEffect(() => {
    const main = document.querySelector("main");
    return main ? keepFocus(main) : undefined;
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: something may have been shown since the last answer, even if this one is the same
  useEffect(() => {
    void closeShown(context).catch(() => undefined);
  }, [context, updatedAt]);
  return context.profileId !== null && !context.standing && <StayWatch />;
}
