/** After the site's push key changed or the browser dropped the subscription, each page of a device subscribes it anew, without asking. */
import type { PushSubscriptionDraft, PushSubscriptionEntry } from "@lambda/contract/push";
import { subscribeToPush, subscriptionDraft } from "./push.ts";

interface PushCalls {
  key(): Promise<{ applicationServerKey: string }>;
  list(): Promise<{ items: readonly PushSubscriptionEntry[] }>;
  subscribe(draft: PushSubscriptionDraft): Promise<unknown>;
  unsubscribe(entry: { id: number }): Promise<unknown>;
}

export async function renewPush(calls: PushCalls): Promise<void> {
  const [{ applicationServerKey }, { items }] = await Promise.all([calls.key(), calls.list()]);
  const known = items.find(({ thisDevice }) => thisDevice);
  // The member removed this device, perhaps from another one.
  if (!known) return;
  const current = await subscribeToPush(applicationServerKey);
  // Differs also if an earlier page was closed before the server knew.
  if (current.endpoint === known.endpoint) return;
  await calls.subscribe(subscriptionDraft(current, known.deviceName));
  await calls.unsubscribe({ id: known.id });
}
