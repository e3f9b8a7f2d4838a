import type { Brand } from "@lambda/brands";
import { PUSH_SUBSCRIPTIONS_MAX } from "@lambda/contract/limits";
import type { NotificationKind } from "@lambda/contract/notifications";
import type { PushSubscriptionDraft, PushSubscriptionEntry } from "@lambda/contract/push";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import type { PushSubscriptionTable } from "../../platform/db/tables.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { mutedByStay } from "../travel/guard.ts";
import { isNotificationVisible } from "../visibility/visibility.ts";

type Row = Selectable<PushSubscriptionTable>;

/** The member's subscriptions whose session still stands. */
export function listSubscriptions(ctx: MemberContext): Promise<Row[]> {
  return ctx.db
    .selectFrom("push_subscription")
    .selectAll()
    .where("profile_id", "=", ctx.viewer.profileId)
    .orderBy("id")
    .execute();
}

/**
 * Stores a device, or renews it: browsers repeat their endpoint. A device that changed hands (same endpoint, same secret) goes to
 * the new member; a foreign endpoint without its secret changes nothing and answers undefined, and so does one device too many,
 * counted in the same statement.
 */
export function upsertSubscription(ctx: MemberContext, draft: PushSubscriptionDraft): Promise<Row | undefined> {
  const { profileId, sessionId } = ctx.viewer;
  const { endpoint } = draft;
  const device = {
    profile_id: profileId,
    session_id: sessionId,
    device_name: draft.deviceName,
    expiration_time: draft.expirationTime ?? 0,
    auth_base64: draft.auth_base64,
    p256dh_base64: draft.p256dh_base64,
    brand: ctx.brand.id,
  };
  const row = { ...device, endpoint, ts_created: ctx.now };
  const columns = Object.keys(row) as (keyof typeof row)[];
  return ctx.db
    .insertInto("push_subscription")
    .columns(columns)
    .expression(
      ctx.db.selectNoFrom(columns.map((column) => sql.val(row[column]).as(column))).where(
        (count) =>
          count
            .selectFrom("push_subscription as o")
            .select(({ fn }) => fn.countAll<number>().as("others"))
            .where("o.profile_id", "=", profileId)
            .where("o.endpoint", "<>", endpoint),
        "<",
        PUSH_SUBSCRIPTIONS_MAX,
      ),
    )
    .onConflict((conflict) =>
      conflict
        .column("endpoint")
        .doUpdateSet(device)
        .where((same) =>
          same.or([
            same("push_subscription.profile_id", "=", profileId),
            same("push_subscription.auth_base64", "=", draft.auth_base64),
          ]),
        ),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Answers whether there was one of this member's. */
export async function deleteSubscription(db: Database, profileId: number, id: number): Promise<boolean> {
  const rows = await db
    .deleteFrom("push_subscription")
    .where("id", "=", id)
    .where("profile_id", "=", profileId)
    .returning("id")
    .execute();
  return rows.length > 0;
}

/** A subscription that its push service gave up. */
export async function deleteDeadSubscription(db: Database, id: number): Promise<void> {
  await db.deleteFrom("push_subscription").where("id", "=", id).execute();
}

/** The member did not turn off this kind of notification: a condition on `account a`. */
export function notificationOn(kind: NotificationKind | RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`not exists (select 1 from json_each(a.preferences, '$.notificationsOff') off where off.value = ${kind})`;
}

export type Target = Row & { readonly locale: "en" | "es" };

/**
 * Where a push has to go now: the member's devices on that brand with a valid session, while a notification of this kind
 * still waits that they may know of. Read meanwhile, turned off, muted
 * where a push endangers, or about a member who hid: no device.
 */
export function listTargets(
  db: Database,
  brand: Brand,
  job: { profileId: number; kind: NotificationKind; subscriptionId?: number | undefined },
  now: number,
): Promise<Target[]> {
  const onlooker = { brand, viewer: { profileId: job.profileId } };
  let query = db
    .selectFrom("push_subscription as t")
    .innerJoin("session as s", (join) => join.onRef("s.id", "=", "t.session_id").on("s.ts_expires", ">", now))
    .innerJoin("account as a", (join) => join.onRef("a.id", "=", "t.profile_id").on("a.ts_deleted", "is", null))
    .selectAll("t")
    .select("a.locale")
    .where("t.profile_id", "=", job.profileId)
    .where("t.brand", "=", brand.id)
    .where(notificationOn(job.kind))
    // What a member asked to be reminded of comes there, too: it may be about coming home safe.
    .where(job.kind === "reminder" ? sql<boolean>`1` : sql<boolean>`not ${mutedByStay("t.profile_id")}`)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("notification as n")
          .select("n.id")
          .whereRef("n.profile_id", "=", "t.profile_id")
          .where("n.kind", "=", job.kind)
          .where(isNotificationVisible(onlooker)),
      ),
    );
  if (job.subscriptionId !== undefined) query = query.where("t.id", "=", job.subscriptionId);
  return query.execute();
}

export function toEntry(row: Row, sessionId: number): PushSubscriptionEntry {
  return {
    id: row.id,
    deviceName: row.device_name,
    endpoint: row.endpoint,
    expirationTime: row.expiration_time,
    thisDevice: row.session_id === sessionId,
  };
}
