/** After the site's push key changed or the browser dropped the subscription, each page of a device subscribes it anew, without asking. */
import type { PushSubscriptionDraft, PushSubscriptionEntry } from "@lambda/contract/push";
import { deviceKey, readDeviceValue, writeDeviceValue } from "../../../device/device-storage.ts";
import { findSubscription, subscribeToPush, subscriptionDraft } from "./push.ts";

interface PushCalls {
  key(): Promise<{ applicationServerKey: string }>;
  list(): Promise<{ items: readonly PushSubscriptionEntry[] }>;
  subscribe(draft: PushSubscriptionDraft): Promise<unknown>;
  unsubscribe(entry: { id: number }): Promise<unknown>;
}

/** The name that this device was subscribed under. The server forgets a device once its push service has given it up. */
const SUBSCRIBED_AS = deviceKey("push_device", "", (value) => typeof value === "string");

export async function renewPush(calls: PushCalls): Promise<void> {
  const [{ applicationServerKey }, { items }] = await Promise.all([calls.key(), calls.list()]);
  const known = items.find(({ thisDevice }) => thisDevice);
  // Where the browser still has its subscription, the member removed this device, perhaps from another one.
  const deviceName = known?.deviceName ?? ((await findSubscription()) ? "" : readDeviceValue(SUBSCRIBED_AS));
  writeDeviceValue(SUBSCRIBED_AS, deviceName);
  if (deviceName === "") return;
  const current = await subscribeToPush(applicationServerKey);
  // Differs also if an earlier page was closed before the server knew.
  if (current.endpoint === known?.endpoint) return;
  await calls.subscribe(subscriptionDraft(current, deviceName));
  if (known) await calls.unsubscribe({ id: known.id });
}
