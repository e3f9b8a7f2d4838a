import type { NotificationKind } from "@lambda/contract/notifications";
import type { PushJob } from "@lambda/contract/push";
import type { Context } from "../../platform/context.ts";
import { count } from "../../platform/metrics/counts.ts";

/**
 * Tells a member's connected devices, after the response, that they have a new notification, or sends a push if none is connected. Both
 * contain only the kind.
 *
 * @param aboutId the member whom it is about; connected devices receive nothing while that member is not visible to them
 */
export function announce(
  ctx: Pick<Context, "env" | "brand" | "now" | "waitUntil">,
  profileId: number,
  kind: NotificationKind,
  aboutId?: number,
): void {
  ctx.waitUntil(deliverOrPush(ctx, profileId, kind, aboutId));
}

async function deliverOrPush(
  ctx: Pick<Context, "env" | "brand" | "now">,
  profileId: number,
  kind: NotificationKind,
  aboutId: number | undefined,
): Promise<void> {
  const member = ctx.env.MEMBER.getByName(String(profileId));
  const reached = await member.deliver([{ type: "notification", kind }], aboutId ?? null);
  if (!reached) await enqueuePush(ctx, profileId, kind);
}

/** Queues a push. The consumer checks again whether the member wants and needs it. */
export async function enqueuePush(
  ctx: Pick<Context, "env" | "brand" | "now">,
  profileId: number,
  kind: NotificationKind,
): Promise<void> {
  const job: PushJob = { profileId, kind, brand: ctx.brand.id, created: ctx.now };
  await ctx.env.PUSH_QUEUE.send(job);
  count("pushesQueued");
}
