import { z } from "zod";
import { Id, Time } from "./primitives.ts";

/** Kinds of notifications; members can turn off each of them. */
export const NotificationKind = z.enum([
  "match",
  "like",
  "message",
  "picture",
  "crop",
  "album",
  "report",
  "appeal",
  "jury",
  "exposure",
  "standing",
  "game",
  "reminder",
  "security",
]);
export type NotificationKind = z.infer<typeof NotificationKind>;

/** Kinds that lead to what only the brand of the event shows. All others are about the account, or a member whom a sister brand may show too. */
export const BRAND_NOTIFICATION_KINDS: readonly NotificationKind[] = ["jury", "game"];

export const Notification = z.object({
  id: Id,
  kind: NotificationKind,
  bodyText: z.string(),
  url: z.string().nullable(),
  /** Who liked, wrote to or opened an album to the reader, while the reader may see them. */
  aboutProfileId: Id.nullable(),
  tsCreated: Time,
});
export type Notification = z.infer<typeof Notification>;

/** Kinds that the member wants neither in the list nor as push. */
export const NotificationPreferences = z.object({
  off: z.array(NotificationKind).max(NotificationKind.options.length),
});
