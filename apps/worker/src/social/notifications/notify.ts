/**
 * Telling a member that something happened: a row in their list, a live event, and a push when no device of theirs is connected.
 * A kind that they turned off, or a block between them and the member it is about, means no row.
 */
import type { NotificationKind } from "@lambda/contract/notifications";
import type { CompiledQuery, RawBuilder } from "kysely";
import { sql } from "kysely";
import { notificationOn } from "../../members/push/queries.ts";
import { notBlocked } from "../../members/visibility/visibility.ts";
import type { Context } from "../../platform/context.ts";
import { announce } from "./announce.ts";

export type NotifyContext = Pick<Context, "env" | "d1" | "db" | "brand" | "now" | "waitUntil">;

export interface NewNotification {
  /** Who is told. */
  readonly profileId: number;
  readonly kind: NotificationKind;
  /** The member it is about: blocks and visibility apply at every reading. Absent: about nobody. */
  readonly aboutId?: number | undefined;
  /** Stored in the language of the member who is notified. It must name nobody, as it outlives who is visible. */
  readonly bodyText: { readonly en: string; readonly es: string };
  /** A path of the web application. */
  readonly url?: string | undefined;
  /** Asked in the statement that inserts: a run of the schedule that comes second tells nobody again. */
  readonly onlyIf?: RawBuilder<boolean>;
}

export interface InsertedNotification {
  readonly id: number;
  readonly profile_id: number;
  readonly kind: NotificationKind;
}

/** The insert alone, to be put into the batch of what happened; call `announce` after that batch, for each row that it answers. */
export function insertNotificationQuery(
  ctx: Pick<NotifyContext, "db" | "brand" | "now">,
  notification: NewNotification,
): CompiledQuery<InsertedNotification> {
  return insertNotificationsQuery(ctx, [notification]);
}

/** Several that may come of one event, by one statement: each insert reads all counters of ids. Led by what is due, so that nothing is read for the rest. */
export function insertNotificationsQuery(
  { db, brand, now }: Pick<NotifyContext, "db" | "brand" | "now">,
  notifications: readonly NewNotification[],
): CompiledQuery<InsertedNotification> {
  const [first, ...others] = notifications.map(
    ({ profileId, kind, aboutId = null, bodyText, url = null, onlyIf = sql.lit(true) }) =>
      db
        .selectNoFrom([
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
  return db
    .insertInto("notification")
    .columns(["profile_id", "body_text", "kind", "about_id", "url", "brand", "ts_created"])
    .expression((select) =>
      select
        .selectFrom(due)
        .crossJoin("account as a")
        .select("a.id as profile_id")
        .select(sql<string>`case a.locale when 'es' then due.es else due.en end`.as("body_text"))
        .select(["due.kind", "due.about_id", "due.url"])
        .select([sql.val(brand.id).as("brand"), sql.val(now).as("ts_created")])
        .whereRef("a.id", "=", "due.profile_id")
        .where("a.ts_deleted", "is", null)
        .where(notificationOn(sql.ref("due.kind")))
        .where(notBlocked(sql.ref("a.id"), sql.ref("due.about_id"))),
    )
    .returning(["id", "profile_id", "kind"])
    .compile();
}

/** Inserts and announces. One D1 round trip; delivery goes on after the answer. */
export async function notify(ctx: NotifyContext, notification: NewNotification): Promise<void> {
  const { rows } = await ctx.db.executeQuery(insertNotificationQuery(ctx, notification));
  if (rows.length > 0) announce(ctx, notification.profileId, notification.kind, notification.aboutId);
}
