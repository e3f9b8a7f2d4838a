import type { SessionContext } from "@lambda/contract/accounts";
import type { PushSubscriptionDraft } from "@lambda/contract/push";
import { useToast } from "@lambda/ui/toast";
import { useEffect } from "react";
import { queryClient } from "../api/query-client.ts";
import { trpc } from "../api/trpc.ts";
import { watchFilledFields } from "../components/filled-fields.ts";
import { QueryFailure } from "../components/QueryState.tsx";
import { hasUnlockedSecret } from "../device/cookies.ts";
import { readDeviceValue } from "../device/device-storage.ts";
import { DISGUISE } from "../device/disguise.ts";
import { LOCK } from "../device/lock-record.ts";
import { conversationsOf } from "../features/messaging/messages/conversation/conversations.ts";
import { closeShown } from "../features/notifications/close-shown.ts";
import { followTabs } from "../features/places/positions/follow-tabs.ts";
import StayWatch from "../features/places/travel/StayWatch.tsx";
import { createChunkLoader } from "../routing/load-chunk.ts";
import { hideInHistory } from "./hide-in-history.ts";

/** For an app lock that was being turned on or off when the page was closed. */
const sessionLock = createChunkLoader(() => import("../features/accounts/lock/session-lock.ts"));

const disguise = createChunkLoader(() => import("../format/apply-disguise.ts"));

/** Only for members who allowed notifications. */
const pushRenewal = createChunkLoader(() => import("../features/accounts/settings/renew-push.ts"));

interface LateServicesProps {
  context: SessionContext;
  /** When the server last answered. */
  updatedAt: number;
}

/** Background services that the first screen need not wait for. */
export default function LateServices({ context, updatedAt }: LateServicesProps) {
  useEffect(watchFilledFields, []);
  useEffect(hideInHistory, []);
  useEffect(followTabs, []);
  const account = context.profileId ?? 0;
  useEffect(() => followSavedElsewhere(account), [account]);
  useEffect(() => void QueryFailure.preload(), []);
  const utils = trpc.useUtils();
  const toast = useToast();
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
    void pushRenewal
      .preload()
      .then((module) => module?.renewPush(account, calls, toast))
      .catch(() => undefined);
  }, [utils, account, toast]);
  useEffect(() => {
    if (readDeviceValue(DISGUISE) !== null)
      void disguise.preload().then((module) => module?.restoreDisguise().catch(() => undefined));
  }, []);
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

/** Sent after a block and its end: on any screen, the member disappears or is there again. */
const ALL = "all";

/** What one tab saved is fetched again by the others, where the member would otherwise change, and save, what was there before. */
function followSavedElsewhere(account: number) {
  if (!("BroadcastChannel" in globalThis)) return;
  const tabs = new BroadcastChannel("saved");
  tabs.onmessage = ({ data }) => {
    const refetchType = document.visibilityState === "visible" ? "active" : "none";
    if (data !== ALL) return void queryClient.invalidateQueries({ queryKey: [[data]], refetchType });
    queryClient.removeQueries({ type: "inactive" });
    void queryClient.invalidateQueries({ refetchType });
    void conversationsOf(account).refresh();
  };
  const end = queryClient.getMutationCache().subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "success") return;
    // The procedures of a router change what its others read.
    const [path] = event.mutation.options.mutationKey ?? [];
    if (!Array.isArray(path)) return;
    const { blocked } = (event.mutation.state.variables ?? {}) as { blocked?: boolean };
    tabs.postMessage(path[0] === "blocks" || blocked !== undefined ? ALL : path[0]);
  });
  return () => {
    end();
    tabs.close();
  };
}

const FOCUSABLE = "button:not(:disabled), a[href]";

interface Ancestor {
  readonly element: Element;
  readonly childIndex: number;
}

/**
 * Moves the keyboard focus to the nearest neighbor when the focused element is removed, as with a deleted row, where it would jump to
 * the start of the page, and returns the cleanup. Skips fields and pointer users, because that could open a phone's keyboard.
 */
function keepFocus(within: HTMLElement): () => void {
  let target: Element | undefined;
  let ancestors: Ancestor[] = [];
  const remember = (focused: Element) => {
    target = focused.matches(":focus-visible") ? focused : undefined;
    ancestors = [];
    for (let child = focused; target && child !== within && child.parentElement; child = child.parentElement) {
      const element = child.parentElement;
      ancestors.push({ element, childIndex: [...element.children].indexOf(child) });
    }
  };
  const onFocus = (event: FocusEvent) => remember(event.target as Element);
  if (within.contains(document.activeElement)) remember(document.activeElement as Element);
  const observer = new MutationObserver(() => {
    if (!target || target.isConnected || document.activeElement !== document.body) return;
    target = undefined;
    const ancestor = ancestors.find(({ element }) => element.isConnected);
    const children = [...(ancestor?.element.children ?? [])];
    const nearest = [...children.slice(ancestor?.childIndex), ...children.slice(0, ancestor?.childIndex).reverse()];
    const next = nearest
      .map((child) => (child.matches(FOCUSABLE) ? child : child.querySelector(FOCUSABLE)))
      .find((element) => element !== null);
    ((next ?? within) as HTMLElement).focus({ preventScroll: true });
  });
  within.addEventListener("focusin", onFocus);
  observer.observe(within, { childList: true, subtree: true });
  return () => {
    within.removeEventListener("focusin", onFocus);
    observer.disconnect();
  };
}
