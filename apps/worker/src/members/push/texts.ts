import type { Locale } from "@lambda/contract/accounts";
import type { NotificationKind } from "@lambda/contract/notifications";
import { pushCopy } from "./copy.ts";

const MESSAGES_URL = "/chat/personal";
const NOTIFICATIONS_URL = "/notifications";

export function pushText(kind: NotificationKind, locale: Locale): { body: string; url: string } {
  return { body: pushCopy[locale][kind], url: kind === "message" ? MESSAGES_URL : NOTIFICATIONS_URL };
}
