import { z } from "zod";
import { NOTIFICATION_KINDS } from "./notification-kinds.ts";
import { Id, Time } from "./primitives.ts";

export const NotificationKind = z.enum(Object.keys(NOTIFICATION_KINDS) as [keyof typeof NOTIFICATION_KINDS]);
export type NotificationKind = z.infer<typeof NotificationKind>;

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

/** Kinds that the member wants neither in the list nor as push. Those that cannot be turned off are left out. */
export const NotificationPreferences = z.object({
  off: z.array(NotificationKind).max(NotificationKind.options.length),
});
