import {
  MESSAGE_ROW_BYTES,
  OPENING_UNIQUE_MIN_LETTERS,
  OPENINGS_KEPT_MAX,
  OPENINGS_MARKED_ABOVE,
  OPENINGS_PER_HOUR_MAX,
  OPENINGS_RETENTION_MS,
  OPENINGS_WINDOW_MS,
} from "@lambda/contract/limits";
import { callObject } from "../../platform/call-object.ts";
import type { Env } from "../../platform/env.ts";
import { AppError } from "../../platform/errors.ts";
import { mac } from "../../platform/keys.ts";
import { bytesOf } from "../../platform/rate-limits/bytes.ts";
import { clearLimit, getLimiter } from "../../platform/rate-limits/limit.ts";
import { countLetters, sketchOf } from "../../platform/rate-limits/sketch.ts";
import { spendQuotaAhead } from "../../platform/rate-limits/spend-ahead.ts";
import type { MemberContext } from "../../platform/trpc.ts";

/** Throws TOO_MANY_REQUESTS when the viewer sends too many messages a minute or too much text a day. */
export function limitMessages(ctx: MemberContext, text: string): Promise<void> {
  const messageBytes = MESSAGE_ROW_BYTES + bytesOf(text);
  return spendQuotaAhead(ctx, "messages", ctx.viewer.profileId, { messagesPerMinute: 1, messageBytes });
}

const openingsKey = (profileId: number) => `openings:${profileId}`;

/**
 * Records an opening by its keyed sketch and returns whether to mark it as sent to many. Throws OPENING_REPEATED if a similar one went
 * to another member, and TOO_MANY_REQUESTS for a plain greeting that went to too many members within the hour.
 */
export async function recordFirstMessage(env: Env, from: number, to: number, text: string): Promise<boolean> {
  const opening = {
    sketch: sketchOf(text, mac(env, "opening", `${from}`).toString("hex")),
    to: mac(env, "opening-to", `${from}:${to}`).toString("base64url").slice(0, 16),
    isOwn: countLetters(text) >= OPENING_UNIQUE_MIN_LETTERS,
  };
  const limits = {
    max: OPENINGS_PER_HOUR_MAX,
    windowMs: OPENINGS_WINDOW_MS,
    keptMs: OPENINGS_RETENTION_MS,
    kept: OPENINGS_KEPT_MAX,
  };
  const { repeated, before, waitMs } = await callObject(async () =>
    (await getLimiter(env, openingsKey(from))).hitOpening(opening, limits),
  );
  if (repeated) throw new AppError("OPENING_REPEATED", { field: "bodyText" });
  if (waitMs > 0) throw new AppError("TOO_MANY_REQUESTS", { retryAfterSeconds: Math.ceil(waitMs / 1000) });
  return before >= OPENINGS_MARKED_ABOVE;
}

/** Part of purging an account. */
export const clearOpenings = (env: Env, profileId: number): Promise<void> => clearLimit(env, openingsKey(profileId));
