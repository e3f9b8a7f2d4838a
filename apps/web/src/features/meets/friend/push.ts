/** Push notifications for a plan's page. The service worker's scope is that page only, so it knows of no other plan. */
import { fromBase64Url } from "../../../format/base64.ts";
import type { FriendLocale } from "../plan-text.ts";
import { type PlanLink, readerToken } from "../sealing.ts";
import { callMeetApi } from "./api.ts";

const WORKER = "/meet/wake.js";
const scopeOf = ({ id }: PlanLink) => `/meet/${id}`;

export const isPushSupported = () =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

export async function isSubscribedToPush(link: PlanLink): Promise<boolean> {
  if (!isPushSupported()) return false;
  const registration = await navigator.serviceWorker.getRegistration(scopeOf(link)).catch(() => undefined);
  return registration !== undefined && (await registration.pushManager.getSubscription().catch(() => null)) !== null;
}

/** Asks for permission and registers this device with the server. Throws if either refuses. */
export async function subscribeToPush(link: PlanLink, key: string, locale: FriendLocale): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") throw new Error("denied");
  const registration = await navigator.serviceWorker.register(WORKER, { scope: scopeOf(link) });
  await waitUntilActive(registration);
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: fromBase64Url(key),
  });
  const { keys } = subscription.toJSON();
  await callMeetApi("subscribe", {
    id: link.id,
    reader: await readerToken(link),
    device: { endpoint: subscription.endpoint, auth_base64: keys?.auth, p256dh_base64: keys?.p256dh, locale },
  });
}

/** Used instead of `navigator.serviceWorker.ready`, which may wait for a worker with another scope. */
async function waitUntilActive(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.installing ?? registration.waiting;
  if (registration.active || !worker) return;
  await new Promise<void>((resolve, reject) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve();
      if (worker.state === "redundant") reject(new Error("the worker was dropped"));
    });
  });
}

export async function unsubscribeFromPush(link: PlanLink): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration(scopeOf(link)).catch(() => undefined);
  if (!registration?.scope.endsWith(scopeOf(link))) return;
  await (await registration.pushManager?.getSubscription())?.unsubscribe();
  await registration.unregister();
}
