import { BRAND_NOTIFICATION_KINDS, type NotificationKind } from "@lambda/contract/notifications";
import { PushJob } from "@lambda/contract/push";
import { sql } from "kysely";
import type { Context } from "../../platform/context.ts";
import { openDatabase } from "../../platform/db/database.ts";
import type { NotificationRow } from "../../platform/db/tables.ts";
import { count } from "../../platform/metrics/counts.ts";
import { memberVisible } from "../../visibility/visibility.ts";

type AnnounceContext = Pick<Context, "env" | "brand" | "now">;

/**
 * Tells a member's connected devices, after the response, that they have a new notification, or sends a push if none is connected. Both
 * contain only the kind.
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
  const member = ctx.env.MEMBER.getByName(String(profileId));
  const brand = BRAND_NOTIFICATION_KINDS.includes(kind) ? ctx.brand.id : undefined;
  const reached = await member.deliver([{ type: "notification", kind }], aboutId ?? null, [], null, brand);
  // With an older notification of the kind, a push would tell of an act by somebody out of sight.
  if (!reached && (aboutId === undefined || (await mayKnowOf(ctx, profileId, aboutId))))
    await enqueuePush(ctx, profileId, kind);
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
  await ctx.env.PUSH_QUEUE.send(job);
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
    await env.PUSH_QUEUE.send(job);
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
