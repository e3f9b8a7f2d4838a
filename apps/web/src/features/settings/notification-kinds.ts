import type { NotificationKind } from "@lambda/contract/notifications";

/** In the order in which a member cares. Written out here, as the contract's own list would bring its parser along. */
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
/** Does not compile while a kind is missing above. */
true satisfies Missing extends never ? true : Missing;
