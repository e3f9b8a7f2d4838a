/** After the site's push key changed, each page of a subscribed device subscribes it anew, without asking the member. */
import type { PushSubscriptionDraft, PushSubscriptionEntry } from "@lambda/contract/push";
import { WORKER_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";
import { findRegistration, subscribeToPush, subscriptionDraft } from "./push.ts";

interface PushCalls {
  key(): Promise<{ applicationServerKey: string }>;
  list(): Promise<{ items: readonly PushSubscriptionEntry[] }>;
  subscribe(draft: PushSubscriptionDraft): Promise<unknown>;
  unsubscribe(entry: { id: number }): Promise<unknown>;
}

export async function renewPush(calls: PushCalls): Promise<void> {
  const registration = await findRegistration();
  const existing = await withDeadline(WORKER_WAIT_MS, async () => registration?.pushManager?.getSubscription());
  if (!existing) return;
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
