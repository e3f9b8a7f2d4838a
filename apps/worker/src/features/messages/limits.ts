import {
  MESSAGE_ROW_BYTES,
  OPENINGS_MARKED_ABOVE,
  OPENINGS_PER_HOUR_MAX,
  OPENINGS_WINDOW_MS,
} from "@lambda/contract/limits";
import type { Env } from "../../env.ts";
import { AppError } from "../../errors.ts";
import type { MemberContext } from "../../trpc.ts";
import { bytesOf } from "../rate-limits/bytes.ts";
import { limit, spend } from "../rate-limits/limit.ts";
import { openingOf } from "./rules.ts";

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
 * Counts an opening text; answers whether it must be marked as sent to many. Throws TOO_MANY_REQUESTS when it went to too
 * many within the hour. A text without letters is not compared.
 */
export async function countOpening(env: Env, profileId: number, text: string): Promise<boolean> {
  const opening = openingOf(text);
  if (opening === "") return false;
  await limit(env, `opening:${profileId}:${opening}`, OPENINGS_PER_HOUR_MAX, OPENINGS_WINDOW_MS);
  try {
    await limit(env, `opening-mark:${profileId}:${opening}`, OPENINGS_MARKED_ABOVE, OPENINGS_WINDOW_MS);
    return false;
  } catch (error) {
    if (error instanceof AppError) return true;
    throw error;
  }
}
