import {
  MESSAGE_ROW_BYTES,
  OPENINGS_MARKED_ABOVE,
  OPENINGS_PER_HOUR_MAX,
  OPENINGS_WINDOW_MS,
} from "@lambda/contract/limits";
import type { Env } from "../../platform/env.ts";
import { bytesOf } from "../../platform/rate-limits/bytes.ts";
import { limitAlike, spend } from "../../platform/rate-limits/limit.ts";
import { sketchOf } from "../../platform/rate-limits/sketch.ts";
import type { MemberContext } from "../../platform/trpc.ts";

/** Throws TOO_MANY_REQUESTS when this member sends too many messages a minute, or too much text a day. */
export function limitMessages(ctx: MemberContext, text: string): Promise<void> {
  const messageBytes = MESSAGE_ROW_BYTES + bytesOf(text);
  return spend(ctx, "messages", ctx.viewer.profileId, { messagesPerMinute: 1, messageBytes });
}

/** Slow mode of the map chat. Throws TOO_MANY_REQUESTS with the seconds to wait. */
export function limitBroadcasts(ctx: MemberContext): Promise<void> {
  return spend(ctx, "broadcasts", ctx.viewer.profileId, { broadcasts: 1 });
}

/**
 * Counts an opening text; answers whether it must be marked as sent to many. Throws TOO_MANY_REQUESTS when it, or one much like it,
 * went to too many within the hour.
 */
export async function recordFirstMessage(env: Env, profileId: number, text: string): Promise<boolean> {
  const name = `openings:${profileId}`;
  const before = await limitAlike(env, name, sketchOf(text), OPENINGS_PER_HOUR_MAX, OPENINGS_WINDOW_MS);
  return before >= OPENINGS_MARKED_ABOVE;
}
