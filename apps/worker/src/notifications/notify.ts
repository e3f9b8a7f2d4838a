/**
 * Notifies a member: a row in their list, a live event, and a push unless a visible page shows the event. Alarms are pushed always, and cannot
 * be muted. There is no row when they muted that kind, or when there is a block between them and the member whom it is about.
 */

import { storedBrand } from "@lambda/brands";
import { type NotificationKind, notificationRules } from "@lambda/contract/notification-kinds";
import { PushJob } from "@lambda/contract/push";
import { type RawBuilder, sql } from "kysely";
import { deliverToMember } from "../platform/call-object.ts";
import type { Context } from "../platform/context.ts";
import { insertFrom, openDatabase, type Query } from "../platform/db/database.ts";
import type { NotificationRow } from "../platform/db/tables.ts";
import type { Env } from "../platform/env.ts";
import { logFault } from "../platform/log.ts";
import { count } from "../platform/metrics/counts.ts";
import { memberVisible, notBlocked } from "../visibility/visibility.ts";
import { isNotificationKindOn } from "./push/queries.ts";
import { queuePush } from "./push/queue.ts";

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

type AnnounceContext = Pick<Context, "env" | "brand" | "now">;

/**
 * Tells a member's connected devices, after the response, that they have a new notification, and sends a push unless a visible page shows
 * it, or always for an alarm. Both contain only the kind.
 *
 * @param aboutId the member whom it is about; connected devices receive nothing while that member is not visible to them
 */
export function announce(
  ctx: AnnounceContext & Pick<Context, "waitUntil">,
  profileId: number,
  kind: NotificationKind,
  aboutId?: number,
): void {
  ctx.waitUntil(deliverOrPush(ctx, profileId, kind, aboutId));
}

async function deliverOrPush(
  ctx: AnnounceContext,
  profileId: number,
  kind: NotificationKind,
  aboutId: number | undefined,
): Promise<void> {
  const { alarm, brandOnly } = notificationRules(kind);
  // First, so that whatever becomes of the pages cannot lose it. A queue that fails must not keep it from them either.
  const [queued] = await Promise.allSettled(alarm ? [enqueuePush(ctx, profileId, kind)] : []);
  const brand = brandOnly ? ctx.brand.id : undefined;
  const seen = await deliverToMember(
    ctx.env,
    profileId,
    [{ type: "notification", kind }],
    aboutId ?? null,
    [],
    null,
    brand,
  );
  // With an older notification of the kind, a push would tell of an act by somebody out of sight.
  if (!alarm && !seen && (aboutId === undefined || (await mayKnowOf(ctx, profileId, aboutId))))
    await enqueuePush(ctx, profileId, kind);
  if (queued?.status === "rejected") throw queued.reason;
}

async function mayKnowOf({ env, brand, now }: AnnounceContext, profileId: number, aboutId: number): Promise<boolean> {
  const { visible } = await openDatabase(env.DB)
    .selectNoFrom(sql<0 | 1>`${memberVisible({ brand, viewer: { profileId }, now }, aboutId)}`.as("visible"))
    .executeTakeFirstOrThrow();
  return visible === 1;
}

/** Queues a push. The consumer checks again whether the member wants and needs it. */
export async function enqueuePush(ctx: AnnounceContext, profileId: number, kind: NotificationKind): Promise<void> {
  const job: PushJob = { profileId, kind, brand: ctx.brand.id, created: ctx.now };
  await queuePush(ctx.env, job);
  count("pushesQueued");
}

/** A deleted notification, as its statement returns it. */
export type DeletedNotification = Pick<NotificationRow, "kind" | "brand">;

/**
 * Queues pushes that take deleted notifications from the lock screens of a member's devices. The consumer sends none while another of the
 * kind is left. Call it only where the member may know that something was withdrawn: not for an act by somebody out of sight.
 */
export async function enqueueGone(
  { env, now }: Pick<Context, "env" | "now">,
  profileId: number,
  deleted: readonly DeletedNotification[],
): Promise<void> {
  for (const { kind, brand } of deleted) {
    const job = PushJob.parse({ profileId, kind, gone: true, brand, created: now });
    await queuePush(env, job);
    count("pushesQueued");
  }
}

/** The same after an act by a member who may be out of sight. */
export async function announceGone(
  ctx: AnnounceContext,
  profileId: number,
  deleted: readonly DeletedNotification[],
  aboutId: number,
): Promise<void> {
  if (deleted.length > 0 && (await mayKnowOf(ctx, profileId, aboutId))) await enqueueGone(ctx, profileId, deleted);
}

/** Mails and pushes that the jobs of a run do not wait for, by the run's environment. */
const workOfRuns = new WeakMap<Env, Promise<unknown>[]>();

/** A context for scheduled work, which has no request. The run ends with `finishScheduledWork`. */
export function scheduledContext(env: Env, brand: string, now: number): NotifyContext {
  const work = workOfRuns.get(env) ?? [];
  workOfRuns.set(env, work);
  return {
    env,
    d1: env.DB,
    db: openDatabase(env.DB),
    brand: storedBrand(brand),
    now,
    waitUntil: (promise) => void work.push(promise.catch((error) => logFault({ event: "scheduled-work" }, error))),
  };
}

/** Waits for what the jobs of a run left unfinished, because the platform may stop everything once the run has ended. */
export async function finishScheduledWork(env: Env): Promise<void> {
  // Work may add more work, which this loop reaches too.
  for (const work of workOfRuns.get(env) ?? []) await work;
}
