import type { Locale } from "@lambda/contract/accounts";
import type { Notification, NotificationKind } from "@lambda/contract/notifications";
import type { Database } from "../platform/db/database.ts";
import { AppError } from "../platform/errors.ts";
import { toIso } from "../platform/iso-time.ts";
import { isNotificationListed, type ViewerContext } from "../visibility/visibility.ts";

/** Of these the reader learns who it was on the page to which they lead. Of all others, above all health notices, never. */
const NAMED_KINDS: ReadonlySet<NotificationKind> = new Set(["like", "match", "message", "album"]);

export function listNotifications(db: Database, ctx: ViewerContext, before: number | undefined, size: number) {
  let query = db
    .selectFrom("notification as n")
    .select(["n.id", "n.kind", "n.about_id", "n.body_text", "n.body_es", "n.url", "n.ts_created"])
    .where("n.profile_id", "=", ctx.viewer.profileId)
    .where(isNotificationListed(ctx));
  if (before !== undefined) query = query.where("n.id", "<", before);
  return query.orderBy("n.id", "desc").limit(size).execute();
}

/** For the batch of an event that makes notifications about a member obsolete. */
export function deleteNotificationsAbout(
  db: Database,
  aboutId: number,
  readerId: number,
  kinds: readonly NotificationKind[],
) {
  return db
    .deleteFrom("notification")
    .where("about_id", "=", aboutId)
    .where("profile_id", "=", readerId)
    .where("kind", "in", kinds);
}

/**
 * Throws NOT_FOUND for what the viewer's list does not show, whether it exists or not: what a member out of sight takes back meanwhile
 * takes its notification along.
 */
export async function deleteNotification(db: Database, ctx: ViewerContext, id: number): Promise<void> {
  const deleted = await db
    .deleteFrom("notification as n")
    .where("n.id", "=", id)
    .where("n.profile_id", "=", ctx.viewer.profileId)
    .where(isNotificationListed(ctx))
    .returning("id")
    .executeTakeFirst();
  if (!deleted) throw new AppError("NOT_FOUND");
}

type Row = Awaited<ReturnType<typeof listNotifications>>[number];

export function toNotification(row: Row, locale: Locale): Notification {
  return {
    id: row.id,
    kind: row.kind as NotificationKind,
    bodyText: (locale === "es" && row.body_es) || row.body_text,
    url: row.url,
    aboutProfileId: NAMED_KINDS.has(row.kind as NotificationKind) ? row.about_id : null,
    tsCreated: toIso(row.ts_created),
  };
}
