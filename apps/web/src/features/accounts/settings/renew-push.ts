/** After the site's push key changed or the browser dropped the subscription, each page of a device subscribes it anew, without asking. */
import type { Locale } from "@lambda/contract/accounts";
import type { PushKey, PushSubscriptionDraft, PushSubscriptionEntry } from "@lambda/contract/push";
import type { ToastOptions } from "@lambda/ui/toast";
import { deviceKey, readDeviceValue, writeDeviceValue } from "../../../device/device-storage.ts";
import { currentLocale } from "../../../format/i18n.ts";
import { dayAndTime } from "../../../format/time.ts";
import { endSubscription, subscribeToPush, subscriptionDraft } from "./push.ts";

interface PushCalls {
  key(): Promise<PushKey>;
  list(): Promise<{ items: readonly PushSubscriptionEntry[] }>;
  subscribe(draft: PushSubscriptionDraft): Promise<unknown>;
  unsubscribe(entry: { id: number }): Promise<unknown>;
}

/**
 * The account and the name that this device was subscribed under. The server forgets a device once its push service has given it up, and
 * another account may have logged in over the session.
 */
const SUBSCRIBED_AS = deviceKey("push_device", { account: 0, name: "" }, isSubscribedAs);

function isSubscribedAs(value: unknown): boolean {
  const { account, name } = (value ?? {}) as { account?: unknown; name?: unknown };
  return typeof account === "number" && typeof name === "string";
}

/** After the member removed this device on this device, which then need not say so. */
export const forgetDevice = () => writeDeviceValue(SUBSCRIBED_AS, { account: 0, name: "" });

const REMOVED: Readonly<Record<Locale, (when: string) => string>> = {
  en: (when) =>
    `This device gets no more notifications: it was removed on another one, ${when}. Account turns them on again.`,
  es: (when) => `Este dispositivo ya no recibe avisos: se quitó desde otro, ${when}. En Cuenta los activas de nuevo.`,
};

/**
 * @param account the logged-in one
 * @param toast says, once, that the member removed this device on another one: its notifications must not end in silence
 */
export async function renewPush(
  account: number,
  calls: PushCalls,
  toast: (options: ToastOptions) => void,
): Promise<void> {
  const [{ applicationServerKey, tsRemoved }, { items }] = await Promise.all([calls.key(), calls.list()]);
  const known = items.find(({ thisDevice }) => thisDevice);
  const last = readDeviceValue(SUBSCRIBED_AS);
  const wanted = last.account === account ? last.name : "";
  const name = known?.deviceName ?? (tsRemoved === null ? wanted : "");
  writeDeviceValue(SUBSCRIBED_AS, { account, name });
  if (tsRemoved !== null && wanted !== "") {
    const locale = currentLocale();
    toast({ text: REMOVED[locale](dayAndTime(tsRemoved, locale)), tone: "warn", ms: 20_000 });
  }
  if (name === "") return;
  // Nothing would arrive through one that the push service has given up.
  if (!known) await endSubscription();
  const current = await subscribeToPush(applicationServerKey);
  // Differs also if an earlier page was closed before the server knew.
  if (current.endpoint === known?.endpoint) return;
  await calls.subscribe(subscriptionDraft(current, name));
  if (known) await calls.unsubscribe({ id: known.id });
}
