/**
 * Telling a member that something happened: a row in his list, a live event, and a push when no device of his is connected.
 * Refuses nothing loudly: a kind he turned off, or a block between him and the member it is about, means no row.
 */
import type { NotificationKind } from "@lambda/contract/notifications";
import type { CompiledQuery } from "kysely";
import { sql } from "kysely";
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
  /** Stored in the language of him who is told. Name nobody in it: it outlives his being visible. */
  readonly bodyText: { readonly en: string; readonly es: string };
  /** A path of the web application. */
  readonly url?: string | undefined;
}

/** The insert alone, to be put into the batch of what happened; call `announce` after that batch. Answers `{ id }` rows. */
export function insertNotificationQuery(
  ctx: Pick<NotifyContext, "db" | "brand" | "now">,
  notification: NewNotification,
): CompiledQuery<{ id: number }> {
  const { profileId, kind, aboutId = null, bodyText, url = null } = notification;
  return sql<{ id: number }>`
    insert into notification (profile_id, kind, about_id, body_text, url, brand, ts_created)
    select a.id, ${kind}, ${aboutId}, case a.locale when 'es' then ${bodyText.es} else ${bodyText.en} end, ${url},
           ${ctx.brand.id}, ${ctx.now}
    from account a
    where a.id = ${profileId} and a.ts_deleted is null
      and not exists (select 1 from json_each(a.preferences, '$.notificationsOff') off where off.value = ${kind})
      and ${notBlocked(sql.ref("a.id"), aboutId)}
    returning id`.compile(ctx.db);
}

/** Inserts and announces. One D1 round trip; delivery goes on after the answer. */
export async function notify(ctx: NotifyContext, notification: NewNotification): Promise<void> {
  const { rows } = await ctx.db.executeQuery(insertNotificationQuery(ctx, notification));
  if (rows.length > 0) announce(ctx, notification.profileId, notification.kind, notification.aboutId);
}
