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
  "exposure",
] as const satisfies readonly NotificationKind[];

type Missing = Exclude<NotificationKind, (typeof NOTIFICATION_KINDS_SHOWN)[number]>;
/** Fails to compile when a kind is missing above. */
export const ALL_KINDS_SHOWN: Missing extends never ? true : Missing = true;
