/** Lets a plan's page be woken by push. The worker's scope is the page itself: it knows of no other plan and of no other page. */

import type { FriendLocale } from "../plan-text.ts";
import { fromBase64Url, type PlanLink, readerToken } from "../sealing.ts";
import { call } from "./call.ts";

const WORKER = "/meet/wake.js";
const scopeOf = ({ id }: PlanLink) => `/meet/${id}`;

export const canWake = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

export async function isAwaited(link: PlanLink): Promise<boolean> {
  if (!canWake()) return false;
  const known = await navigator.serviceWorker.getRegistration(scopeOf(link)).catch(() => undefined);
  return known !== undefined && (await known.pushManager.getSubscription().catch(() => null)) !== null;
}

/** Asks for the permission, and tells the server how to reach this device. Throws where either refuses. */
export async function startWaking(link: PlanLink, key: string, locale: FriendLocale): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") throw new Error("denied");
  const registration = await navigator.serviceWorker.register(WORKER, { scope: scopeOf(link) });
  await activeWorker(registration);
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: fromBase64Url(key),
  });
  const { keys } = subscription.toJSON();
  await call("subscribe", {
    id: link.id,
    reader: await readerToken(link),
    device: { endpoint: subscription.endpoint, auth_base64: keys?.auth, p256dh_base64: keys?.p256dh, locale },
  });
}

/** `navigator.serviceWorker.ready` waits for the worker of this page's scope, which may be another. */
async function activeWorker(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.installing ?? registration.waiting;
  if (registration.active || !worker) return;
  await new Promise<void>((resolve, reject) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve();
      if (worker.state === "redundant") reject(new Error("the worker was dropped"));
    });
  });
}

export async function stopWaking(link: PlanLink): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const known = await navigator.serviceWorker.getRegistration(scopeOf(link)).catch(() => undefined);
  if (!known?.scope.endsWith(scopeOf(link))) return;
  await (await known.pushManager?.getSubscription())?.unsubscribe();
  await known.unregister();
}
