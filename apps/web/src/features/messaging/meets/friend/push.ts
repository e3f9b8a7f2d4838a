/** Push notifications for a plan's page. The service worker's scope is that page only, so it knows of no other plan. */

import { fromBase64Url } from "../../../../device/base64.ts";
import { PROMPT_WAIT_MS, PUSH_WAIT_MS, WORKER_WAIT_MS, withDeadline } from "../../../../device/with-deadline.ts";
import type { FriendLocale } from "../plan-text.ts";
import { type PlanLink, readerToken } from "../sealing.ts";
import { callMeetApi } from "./api.ts";

const WORKER = "/meet/wake.js";
const scopeOf = ({ id }: PlanLink) => `/meet/${id}`;

export const isPushSupported = () =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

export async function isSubscribedToPush(link: PlanLink): Promise<boolean> {
  if (!isPushSupported()) return false;
  const registration = await findRegistration(link);
  const find = async () => registration?.pushManager.getSubscription();
  return Boolean(await withDeadline(WORKER_WAIT_MS, find).catch(() => null));
}

/** Asks for permission and registers this device with the server. Throws if either refuses. */
export async function subscribeToPush(link: PlanLink, key: string, locale: FriendLocale): Promise<void> {
  if ((await withDeadline(PROMPT_WAIT_MS, () => Notification.requestPermission())) !== "granted")
    throw new Error("denied");
  const { serviceWorker } = navigator;
  const registration = await withDeadline(WORKER_WAIT_MS, () =>
    serviceWorker.register(WORKER, { scope: scopeOf(link) }),
  );
  await withDeadline(WORKER_WAIT_MS, () => waitUntilActive(registration));
  const options = { userVisibleOnly: true, applicationServerKey: fromBase64Url(key) };
  const subscription = await withDeadline(PUSH_WAIT_MS, () => registration.pushManager.subscribe(options));
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
  const registration = await findRegistration(link);
  if (!registration) return;
  const subscription = await withDeadline(WORKER_WAIT_MS, async () => registration.pushManager?.getSubscription());
  await withDeadline(PUSH_WAIT_MS, async () => subscription?.unsubscribe());
  await withDeadline(WORKER_WAIT_MS, () => registration.unregister());
}

/** The plan's own. A browser otherwise returns the application's, whose pushes are those of the friend as a member. */
async function findRegistration(link: PlanLink): Promise<ServiceWorkerRegistration | undefined> {
  const find = () => navigator.serviceWorker.getRegistration(scopeOf(link));
  const found = await withDeadline(WORKER_WAIT_MS, find).catch(() => undefined);
  return found?.scope.endsWith(scopeOf(link)) ? found : undefined;
}
