/**
 * Notifies a member: a row in their list, a live event, and a push when none of their devices is connected. There is no row when they muted
 * that kind, or when there is a block between them and the member whom it is about.
 */

import type { NotificationKind } from "@lambda/contract/notifications";
import { type RawBuilder, sql } from "kysely";
import { isNotificationKindOn } from "../../accounts/push/queries.ts";
import type { Context } from "../../platform/context.ts";
import { insertFrom, type Query } from "../../platform/db/database.ts";
import { notBlocked } from "../../visibility/visibility.ts";
import { announce } from "./announce.ts";

export type NotifyContext = Pick<Context, "env" | "d1" | "db" | "brand" | "now" | "waitUntil">;

export interface NewNotification {
  readonly profileId: number;
  readonly kind: NotificationKind;
  /** The member whom it is about, if any. Blocks and visibility are checked whenever it is read. */
  readonly aboutId?: number | undefined;
  /** Must not name anybody, because they may become invisible later. */
  readonly bodyText: { readonly en: string; readonly es: string };
  /** A path of the web application. */
  readonly url?: string | undefined;
  /** Checked in the statement that inserts, so that a concurrent scheduled run does not notify twice. */
  readonly onlyIf?: RawBuilder<boolean>;
}

export interface InsertedNotification {
  readonly id: number;
  readonly profile_id: number;
  readonly kind: NotificationKind;
  /** Whether any device of the member takes pushes. */
  readonly has_devices: 0 | 1;
}

/** For the batch of the event that is notified. Call `announce` after the batch for each row that it returns. */
export function insertNotificationQuery(
  ctx: Pick<NotifyContext, "db" | "brand" | "now">,
  notification: NewNotification,
): Query<InsertedNotification> {
  return insertNotificationsQuery(ctx, [notification]);
}

/** Several possible notifications of one event in one statement, because each insert reads all id counters. Rows are read only for those that are due. */
export function insertNotificationsQuery(
  { db, brand, now }: Pick<NotifyContext, "db" | "brand" | "now">,
  notifications: readonly NewNotification[],
): Query<InsertedNotification> {
  const [first, ...others] = notifications.map(
    ({ profileId, kind, aboutId = null, bodyText, url = null, onlyIf = sql.lit(true) }, at) =>
      db
        .selectNoFrom([
          sql.lit(at).as("at"),
          sql.val(profileId).as("profile_id"),
          sql.val(kind).as("kind"),
          sql.val(aboutId).as("about_id"),
          sql.val(url).as("url"),
          sql.val(bodyText.en).as("en"),
          sql.val(bodyText.es).as("es"),
        ])
        .where(onlyIf),
  );
  if (!first) throw new TypeError("no notification");
  const due = others.reduce((all, other) => all.unionAll(other), first).as("due");
  const wanted = db
    .selectFrom(due)
    .crossJoin("account as a")
    .select([sql<number>`${freeId(now)} + due.at`.as("id"), "a.id as profile_id"])
    .select(["due.en as body_text", "due.es as body_es", "due.kind", "due.about_id", "due.url"])
    .whereRef("a.id", "=", "due.profile_id")
    .where("a.ts_deleted", "is", null)
    .where(isNotificationKindOn(sql.ref("due.kind")))
    .where(notBlocked(sql.ref("a.id"), sql.ref("due.about_id")));
  return insertFrom(db, "notification", wanted, { brand: brand.id, ts_created: now })
    .returning(["id", "profile_id", "kind"])
    .returning(
      sql<0 | 1>`exists (select 1 from push_subscription d where d.profile_id = notification.profile_id)`.as(
        "has_devices",
      ),
    )
    .$castTo<InsertedNotification>();
}

/**
 * Made from the time, which its reader knows anyway. Consecutive ids would tell everybody when jurors are summoned, and so that somebody
 * was just reported.
 */
const freeId = (now: number) => sql<number>`max(${now * 1000}, (select coalesce(max(id), 0) + 1 from notification))`;

/** Inserts a notification and announces it. Takes one D1 round trip; delivery continues after the response. */
export async function notify(ctx: NotifyContext, notification: NewNotification): Promise<void> {
  const rows = await insertNotificationQuery(ctx, notification).execute();
  if (rows.length > 0) announce(ctx, notification.profileId, notification.kind, notification.aboutId);
}
