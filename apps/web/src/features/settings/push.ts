/** The browser's push subscription. Only subscribeToPush prompts for permission. */
import type { PushSubscriptionDraft } from "@lambda/contract/push";
import { PROMPT_WAIT_MS, PUSH_WAIT_MS, WORKER_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";
import { fromBase64Url } from "../../format/base64.ts";

export type PushObstacle = "notifications" | "push" | "denied" | "lookup";

const SERVICE_WORKER_URL = "/sw.js";

/** The reason why this device cannot subscribe to push; null if it can. */
export async function findPushObstacle(): Promise<PushObstacle | null> {
  if (!("Notification" in window) || !("serviceWorker" in navigator)) return "notifications";
  if (!("PushManager" in window)) return "push";
  if (Notification.permission === "denied") return "denied";
  try {
    const registration = await findRegistration();
    await withDeadline(WORKER_WAIT_MS, async () => registration?.pushManager.getSubscription());
    return null;
  } catch {
    return "lookup";
  }
}

/** Registers the service worker if necessary and subscribes. Rejects with the browser's error. */
export async function subscribeToPush(applicationServerKey: string): Promise<PushSubscription> {
  if (!(await findRegistration()))
    await withDeadline(WORKER_WAIT_MS, () => navigator.serviceWorker.register(SERVICE_WORKER_URL));
  const { pushManager } = await withDeadline(WORKER_WAIT_MS, () => navigator.serviceWorker.ready);
  const existing = await withDeadline(WORKER_WAIT_MS, () => pushManager.getSubscription());
  if (existing) return existing;
  // Its own step, because the prompt of subscribing would count as time of the push service.
  await withDeadline(PROMPT_WAIT_MS, () => Notification.requestPermission());
  const options = { userVisibleOnly: true, applicationServerKey: fromBase64Url(applicationServerKey) };
  return withDeadline(PUSH_WAIT_MS, () => pushManager.subscribe(options));
}

const findRegistration = () => withDeadline(WORKER_WAIT_MS, () => navigator.serviceWorker.getRegistration());

/** Converts a subscription to the API's format. */
export function subscriptionDraft(subscription: PushSubscription, deviceName: string): PushSubscriptionDraft {
  const { keys } = subscription.toJSON();
  return {
    deviceName,
    endpoint: subscription.endpoint,
    expirationTime: Math.round(subscription.expirationTime ?? 0),
    auth_base64: keys?.auth ?? "",
    p256dh_base64: keys?.p256dh ?? "",
  };
}
