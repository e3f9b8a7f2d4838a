/** The browser's push subscription. Only subscribeToPush prompts for permission. */
import type { PushSubscriptionDraft } from "@lambda/contract/push";
import { fromBase64Url, toBase64Url } from "../../../device/base64.ts";
import { PROMPT_WAIT_MS, PUSH_WAIT_MS, WORKER_WAIT_MS, withDeadline } from "../../../device/with-deadline.ts";

export type PushObstacle = "notifications" | "push" | "denied" | "lookup";

const SERVICE_WORKER_URL = "/sw.js";

const findRegistration = () => withDeadline(WORKER_WAIT_MS, () => navigator.serviceWorker.getRegistration());

async function findSubscription(): Promise<PushSubscription | null | undefined> {
  const registration = await findRegistration();
  return withDeadline(WORKER_WAIT_MS, async () => registration?.pushManager.getSubscription());
}

/** Ends the browser's subscription, if it has one. */
export async function endSubscription(): Promise<void> {
  const subscription = await findSubscription();
  await withDeadline(PUSH_WAIT_MS, async () => subscription?.unsubscribe());
}

/** The reason why this device cannot subscribe to push; null if it can. */
export async function findPushObstacle(): Promise<PushObstacle | null> {
  if (!("Notification" in window) || !("serviceWorker" in navigator)) return "notifications";
  if (!("PushManager" in window)) return "push";
  if (Notification.permission === "denied") return "denied";
  try {
    await findSubscription();
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
  const key = fromBase64Url(applicationServerKey);
  const existing = await withDeadline(WORKER_WAIT_MS, () => pushManager.getSubscription());
  if (existing && isMadeFor(key, existing)) return existing;
  // Made under a key that the site no longer has: nothing would arrive, and a browser refuses a second one.
  await withDeadline(PUSH_WAIT_MS, async () => existing?.unsubscribe());
  // Its own step, because the prompt of subscribing would count as time of the push service.
  await withDeadline(PROMPT_WAIT_MS, () => Notification.requestPermission());
  return withDeadline(PUSH_WAIT_MS, () => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
}

/** Browsers that do not tell the key of a subscription are taken at their word. */
function isMadeFor(key: Uint8Array, { options }: PushSubscription): boolean {
  const made = options?.applicationServerKey;
  return !made || toBase64Url(new Uint8Array(made)) === toBase64Url(key);
}

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
