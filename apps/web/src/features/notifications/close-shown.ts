import type { SessionContext } from "@lambda/contract/accounts";
import { WORKER_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";

/** Closes what this device's lock screen still shows of news that were read, unsent, or came from somebody who is blocked now. */
export async function closeShown({ unreadMessages, notifications }: SessionContext): Promise<void> {
  if (unreadMessages > 0 && notifications > 0) return;
  const registration = await withDeadline(WORKER_WAIT_MS, async () => navigator.serviceWorker?.getRegistration());
  const shown = await withDeadline(WORKER_WAIT_MS, async () => registration?.getNotifications());
  for (const notification of shown ?? [])
    if ((notification.data?.kind === "message" ? unreadMessages : notifications) === 0) notification.close();
}
