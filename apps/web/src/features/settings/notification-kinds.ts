import type { NotificationKind } from "@lambda/contract/notifications";

/** Ordered by importance to members. Listed here because importing the contract's list would bundle its parser. */
export const NOTIFICATION_KINDS_SHOWN = [
  "message",
  "match",
  "like",
  "album",
  "picture",
  "crop",
  "game",
  "jury",
  "report",
  "appeal",
  "standing",
  "reminder",
  "security",
  "exposure",
] as const satisfies readonly NotificationKind[];

type Missing = Exclude<NotificationKind, (typeof NOTIFICATION_KINDS_SHOWN)[number]>;
/** Does not compile if a kind is missing above. */
true satisfies Missing extends never ? true : Missing;
