import type { Brand } from "@lambda/brands";
import { PUSH_SUBSCRIPTIONS_MAX } from "@lambda/contract/limits";
import type { NotificationKind } from "@lambda/contract/notifications";
import type { PushSubscriptionDraft, PushSubscriptionEntry } from "@lambda/contract/push";
import { type Selectable, sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import type { PushSubscriptionTable } from "../../platform/db/tables.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { visibleTo } from "../visibility/visibility.ts";

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
export async function upsertSubscription(ctx: MemberContext, draft: PushSubscriptionDraft): Promise<Row | undefined> {
  const { profileId, sessionId } = ctx.viewer;
  const { rows } = await sql<Row>`
    insert into push_subscription
      (profile_id, session_id, device_name, endpoint, expiration_time, auth_base64, p256dh_base64, brand, ts_created)
    select ${profileId}, ${sessionId}, ${draft.deviceName}, ${draft.endpoint}, ${draft.expirationTime ?? 0},
      ${draft.auth_base64}, ${draft.p256dh_base64}, ${ctx.brand.id}, ${ctx.now}
    where (select count(*) from push_subscription o where o.profile_id = ${profileId} and o.endpoint <> ${draft.endpoint})
      < ${sql.lit(PUSH_SUBSCRIPTIONS_MAX)}
    on conflict (endpoint) do update set profile_id = excluded.profile_id, session_id = excluded.session_id,
      device_name = excluded.device_name, expiration_time = excluded.expiration_time, auth_base64 = excluded.auth_base64,
      p256dh_base64 = excluded.p256dh_base64, brand = excluded.brand
    where push_subscription.profile_id = excluded.profile_id or push_subscription.auth_base64 = excluded.auth_base64
    returning *`.execute(ctx.db);
  return rows[0];
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

export type Target = Row & { readonly locale: "en" | "es" };

/**
 * Where a push has to go now: the member's devices on that brand with a standing session, while a notification of this kind
 * still waits for him that he may know of. Read meanwhile, turned off, or about one who hid: no device.
 */
export async function listTargets(
  db: Database,
  brand: Brand,
  job: { profileId: number; kind: NotificationKind; subscriptionId?: number | undefined },
  now: number,
): Promise<Target[]> {
  const onlooker = { brand, viewer: { profileId: job.profileId } };
  const { rows } = await sql<Target>`
    select t.*, a.locale from push_subscription t
    join session s on s.id = t.session_id and s.ts_expires > ${now}
    join account a on a.id = t.profile_id and a.ts_deleted is null
    where t.profile_id = ${job.profileId} and t.brand = ${brand.id} ${job.subscriptionId === undefined ? sql`` : sql`and t.id = ${job.subscriptionId}`}
      and not exists (select 1 from json_each(a.preferences, '$.notificationsOff') off where off.value = ${job.kind})
      and exists (select 1 from notification n where n.profile_id = t.profile_id and n.kind = ${job.kind}
        and (n.about_id is null or exists (select 1 from profile p where p.id = n.about_id and ${visibleTo(onlooker)})))`.execute(
    db,
  );
  return rows;
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
