import type { Brand } from "@lambda/brands";
import { PUSH_SUBSCRIPTIONS_MAX } from "@lambda/contract/limits";
import {
  type NotificationKind,
  notificationRules,
  PROTECTED_NOTIFICATION_KINDS,
} from "@lambda/contract/notification-kinds";
import type { PushJob, PushSubscriptionDraft, PushSubscriptionEntry } from "@lambda/contract/push";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { batch, type Database, insertIf } from "../../platform/db/database.ts";
import type { PushSubscriptionTable } from "../../platform/db/tables.ts";
import { toIso } from "../../platform/iso-time.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { mutedByStay } from "../../visibility/stays/stay-rules.ts";
import { isNotificationListed } from "../../visibility/visibility.ts";

type Row = Selectable<PushSubscriptionTable>;

/** The member's subscriptions; each is deleted with its session. */
export function listSubscriptions(ctx: MemberContext): Promise<Row[]> {
  return ctx.db
    .selectFrom("push_subscription")
    .selectAll()
    .where("profile_id", "=", ctx.viewer.profileId)
    .orderBy("id")
    .execute();
}

/**
 * Stores a device, or renews it, since browsers repeat their endpoint. A device that changed hands (same endpoint, same
 * secret) goes to the new member; returns undefined for an endpoint of another member with a different secret, and
 * above the limit, which the same statement counts.
 */
export async function upsertSubscription(ctx: MemberContext, draft: PushSubscriptionDraft): Promise<Row | undefined> {
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
  const others = ctx.db
    .selectFrom("push_subscription as o")
    .select(({ fn }) => fn.countAll<number>().as("others"))
    .where("o.profile_id", "=", profileId)
    .where("o.endpoint", "<>", endpoint);
  const upsert = insertIf(ctx.db, "push_subscription", row, (eb) => eb(others, "<", PUSH_SUBSCRIPTIONS_MAX))
    .onConflict((conflict) =>
      conflict
        .column("endpoint")
        .doUpdateSet(device)
        .where((eb) =>
          eb.or([
            eb("push_subscription.profile_id", "=", profileId),
            eb("push_subscription.auth_base64", "=", draft.auth_base64),
          ]),
        ),
    )
    .returningAll();
  const endRemoval = ctx.db
    .updateTable("session")
    .set({ ts_push_removed: null })
    .where("id", "=", sessionId)
    .where("ts_push_removed", "is not", null)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom("push_subscription as o").select("o.id").whereRef("o.session_id", "=", "session.id")),
    );
  const [[stored]] = await batch(ctx.d1, [upsert, endRemoval]);
  return stored;
}

/**
 * Deletes a subscription of the member, and notes in its session that the member wanted that, unless the session has another one. Returns
 * whether there was such a subscription.
 */
export async function deleteSubscription({ d1, db, viewer, now }: MemberContext, id: number): Promise<boolean> {
  const sessionOf = db
    .selectFrom("push_subscription")
    .select("session_id")
    .where("id", "=", id)
    .where("profile_id", "=", viewer.profileId);
  const [, deleted] = await batch(d1, [
    db
      .updateTable("session")
      .set({ ts_push_removed: now })
      .where("id", "in", sessionOf)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("push_subscription as o")
              .select("o.id")
              .whereRef("o.session_id", "=", "session.id")
              .where("o.id", "<>", id),
          ),
        ),
      ),
    db.deleteFrom("push_subscription").where("id", "=", id).where("profile_id", "=", viewer.profileId).returning("id"),
  ]);
  return deleted.length > 0;
}

/** When the member removed this session's subscription; null while it has one, had none, or lost it in another way. */
export async function findTimeOfRemoval({ db, viewer }: MemberContext): Promise<string | null> {
  const row = await db
    .selectFrom("session")
    .select("ts_push_removed")
    .where("id", "=", viewer.sessionId)
    .executeTakeFirst();
  return row?.ts_push_removed ? toIso(row.ts_push_removed) : null;
}

/** SQL condition on `account a`: the member did not turn off this kind of notification, or cannot. */
export function isNotificationKindOn(kind: NotificationKind | RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${kind} in (${sql.join(PROTECTED_NOTIFICATION_KINDS)}) or not exists (select 1 from json_each(a.preferences, '$.notificationsOff') off where off.value = ${kind}))`;
}

export type PushTarget = Row & { readonly locale: "en" | "es" };

/**
 * The devices to push to: the member's on that brand, for an alarm on all, with a valid session, while an unread notification of this kind
 * exists that they may see. Returns none if it was read or turned off, if a stay mutes pushes, or if it is about a
 * member who hid. If the news are gone, the same devices while there is no such notification.
 */
export function listPushTargets(
  db: Database,
  brand: Brand,
  job: Pick<PushJob, "profileId" | "kind" | "gone" | "subscriptionId">,
  now: number,
): Promise<PushTarget[]> {
  const { alarm, sentInMutedStay } = notificationRules(job.kind);
  const viewerContext = { brand, viewer: { profileId: job.profileId } };
  let query = db
    .selectFrom("push_subscription as t")
    .innerJoin("session as s", (join) => join.onRef("s.id", "=", "t.session_id").on("s.ts_expires", ">", now))
    .innerJoin("account as a", (join) => join.onRef("a.id", "=", "t.profile_id").on("a.ts_deleted", "is", null))
    .selectAll("t")
    .select("a.locale")
    .where("t.profile_id", "=", job.profileId)
    .where(isNotificationKindOn(job.kind))
    .where(({ exists, not, selectFrom }) => {
      const isLeft = exists(
        selectFrom("notification as n")
          .select("n.id")
          .whereRef("n.profile_id", "=", "t.profile_id")
          .where("n.kind", "=", job.kind)
          .where(isNotificationListed(viewerContext)),
      );
      return job.gone ? not(isLeft) : isLeft;
    });
  if (!alarm) query = query.where("t.brand", "=", brand.id);
  if (!sentInMutedStay) query = query.where(sql<boolean>`not ${mutedByStay("t.profile_id")}`);
  if (job.subscriptionId !== undefined) query = query.where("t.id", "=", job.subscriptionId);
  return query.execute();
}

export function toPushSubscriptionEntry(row: Row, sessionId: number): PushSubscriptionEntry {
  return {
    id: row.id,
    deviceName: row.device_name,
    endpoint: row.endpoint,
    expirationTime: row.expiration_time,
    thisDevice: row.session_id === sessionId,
  };
}
