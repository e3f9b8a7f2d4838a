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

/** The insert alone, to be put into the batch of what happened; call `announce` after that batch. Answers `{ id }` rows. */
export function insertNotificationQuery(
  ctx: Pick<NotifyContext, "db" | "brand" | "now">,
  notification: NewNotification,
): CompiledQuery<{ id: number }> {
  const { profileId, kind, aboutId = null, bodyText, url = null, onlyIf = sql.lit(true) } = notification;
  const constants = { kind, about_id: aboutId, url, brand: ctx.brand.id, ts_created: ctx.now };
  const columns = Object.keys(constants) as (keyof typeof constants)[];
  return ctx.db
    .insertInto("notification")
    .columns(["profile_id", "body_text", ...columns])
    .expression((select) =>
      select
        .selectFrom("account as a")
        .select("a.id as profile_id")
        .select(sql<string>`case a.locale when 'es' then ${bodyText.es} else ${bodyText.en} end`.as("body_text"))
        .select(columns.map((column) => sql.val(constants[column]).as(column)))
        .where("a.id", "=", profileId)
        .where("a.ts_deleted", "is", null)
        .where(notificationOn(kind))
        .where(notBlocked(sql.ref("a.id"), aboutId))
        .where(onlyIf),
    )
    .returning("id")
    .compile();
}

/** Inserts and announces. One D1 round trip; delivery goes on after the answer. */
export async function notify(ctx: NotifyContext, notification: NewNotification): Promise<void> {
  const { rows } = await ctx.db.executeQuery(insertNotificationQuery(ctx, notification));
  if (rows.length > 0) announce(ctx, notification.profileId, notification.kind, notification.aboutId);
}
