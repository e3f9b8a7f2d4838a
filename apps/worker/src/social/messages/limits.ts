import { createHmac } from "node:crypto";
import {
  MESSAGE_ROW_BYTES,
  OPENING_OWN_MIN_LETTERS,
  OPENINGS_KEPT_MAX,
  OPENINGS_KEPT_MS,
  OPENINGS_MARKED_ABOVE,
  OPENINGS_PER_HOUR_MAX,
  OPENINGS_WINDOW_MS,
} from "@lambda/contract/limits";
import type { Env } from "../../platform/env.ts";
import { AppError } from "../../platform/errors.ts";
import { bytesOf } from "../../platform/rate-limits/bytes.ts";
import { clearLimit, limiterOf, spend } from "../../platform/rate-limits/limit.ts";
import { lettersIn, sketchOf } from "../../platform/rate-limits/sketch.ts";
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

const openingsOf = (profileId: number) => `openings:${profileId}`;

/**
 * Remembers an opening by its keyed sketch; answers whether it must be marked as sent to many. Throws OPENING_REPEATED when it, or one
 * much like it, went to somebody else, and TOO_MANY_REQUESTS for a plain greeting that went to too many within the hour.
 */
export async function recordFirstMessage(env: Env, from: number, to: number, text: string): Promise<boolean> {
  const limiter = await limiterOf(env, openingsOf(from));
  const { repeated, before, waitMs } = await limiter.hitOpening(
    {
      sketch: sketchOf(text, `opening:${from}:${env.POSITION_KEY}`),
      to: createHmac("sha256", env.POSITION_KEY).update(`opening-to:${from}:${to}`).digest("base64url").slice(0, 16),
      isOwn: lettersIn(text) >= OPENING_OWN_MIN_LETTERS,
    },
    { max: OPENINGS_PER_HOUR_MAX, windowMs: OPENINGS_WINDOW_MS, keptMs: OPENINGS_KEPT_MS, kept: OPENINGS_KEPT_MAX },
  );
  if (repeated) throw new AppError("OPENING_REPEATED", { field: "bodyText" });
  if (waitMs > 0) throw new AppError("TOO_MANY_REQUESTS", { retryAfterSeconds: Math.ceil(waitMs / 1000) });
  return before >= OPENINGS_MARKED_ABOVE;
}

/** For the purge of an account. */
export function forgetOpenings(env: Env, profileId: number): Promise<void> {
  return clearLimit(env, openingsOf(profileId));
}
