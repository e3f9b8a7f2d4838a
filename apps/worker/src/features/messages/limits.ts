import {
  BROADCAST_SLOW_MODE_MS,
  MESSAGES_PER_MINUTE_MAX,
  OPENINGS_MARKED_ABOVE,
  OPENINGS_PER_HOUR_MAX,
  OPENINGS_WINDOW_MS,
} from "@lambda/contract/limits";
import type { Env } from "../../env.ts";
import { AppError } from "../../errors.ts";
import { limit } from "../rate-limits/limit.ts";
import { openingOf } from "./rules.ts";

/** Throws TOO_MANY_REQUESTS when this member sends more than the spec's messages a minute. */
export function limitMessages(env: Env, profileId: number): Promise<void> {
  return limit(env, `messages:${profileId}`, MESSAGES_PER_MINUTE_MAX, 60_000);
}

/** Slow mode of the map chat. Throws TOO_MANY_REQUESTS with the seconds to wait. */
export function limitBroadcasts(env: Env, profileId: number): Promise<void> {
  return limit(env, `broadcasts:${profileId}`, 1, BROADCAST_SLOW_MODE_MS);
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
