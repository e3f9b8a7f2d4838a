import type { NotificationKind } from "@lambda/contract/notifications";
import type { PushJob } from "@lambda/contract/push";
import type { Context } from "../../platform/context.ts";
import { count } from "../../platform/metrics/counts.ts";

/**
 * Tells a member's devices, after the answer, that their list has something new; a push goes out when none is connected.
 * The event and the push carry the kind alone.
 *
 * @param aboutId the member it is about: nothing is sent when they are not visible to the member who is notified
 */
export function announce(
  ctx: Pick<Context, "env" | "brand" | "now" | "waitUntil">,
  profileId: number,
  kind: NotificationKind,
  aboutId?: number,
): void {
  ctx.waitUntil(tell(ctx, profileId, kind, aboutId));
}

async function tell(
  ctx: Pick<Context, "env" | "brand" | "now">,
  profileId: number,
  kind: NotificationKind,
  aboutId: number | undefined,
): Promise<void> {
  const member = ctx.env.MEMBER.getByName(String(profileId));
  const reached = await member.deliver([{ type: "notification", kind }], aboutId ?? null);
  if (!reached) await enqueuePush(ctx, profileId, kind);
}

/** Puts a push into the queue; its consumer looks again whether the member wants and needs it. */
export async function enqueuePush(
  ctx: Pick<Context, "env" | "brand" | "now">,
  profileId: number,
  kind: NotificationKind,
): Promise<void> {
  const job: PushJob = { profileId, kind, brand: ctx.brand.id, created: ctx.now };
  await ctx.env.PUSH_QUEUE.send(job);
  count("pushesQueued");
}
