/** A browser's push subscription. Nothing here asks for permission but subscribeDevice. */
import type { PushSubscriptionDraft } from "@lambda/contract/push";

export type PushObstacle = "notifications" | "push" | "denied" | "lookup";

const WORKER = "/sw.js";

/** What stands in the way on this device; null when it can subscribe. */
export async function findPushObstacle(): Promise<PushObstacle | null> {
  if (!("Notification" in window) || !("serviceWorker" in navigator)) return "notifications";
  if (!("PushManager" in window)) return "push";
  if (Notification.permission === "denied") return "denied";
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration?.pushManager.getSubscription();
    return null;
  } catch {
    return "lookup";
  }
}

/** Gets or registers the service worker, then subscribes. Throws what the browser says. */
export async function subscribeDevice(applicationServerKey: string): Promise<PushSubscription> {
  const registration =
    (await navigator.serviceWorker.getRegistration()) ?? (await navigator.serviceWorker.register(WORKER));
  await navigator.serviceWorker.ready;
  const known = await registration.pushManager.getSubscription();
  if (known) return known;
  return registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: fromBase64Url(applicationServerKey),
  });
}

/** A subscription as the server takes it. */
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

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
