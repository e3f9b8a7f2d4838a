/** Shared by the routes for recordings: reading an upload form, and serving a recording whole or in parts. */

import { VOICE_MAX_BYTES } from "@lambda/contract/limits";
import type { z } from "zod";
import type { MemberContext } from "../../platform/access.ts";
import type { VoiceRow } from "../../platform/db/tables.ts";
import { AppError, parseInput } from "../../platform/errors.ts";
import { readForm, readTextFields } from "../../platform/http/form.ts";
import { parseRange } from "../../platform/http/range.ts";
import { count } from "../../platform/metrics/counts.ts";
import { spendQuota } from "../../platform/rate-limits/limit.ts";
import { inspectVoice, type Recording, rejectVoice } from "./audio.ts";

export const RECORDING_FIELDS = {
  durationMs: { type: "integer" },
  peaks: { type: "string", description: "Up to 64 numbers from 0 to 100, separated by commas" },
  file: { type: "string", format: "binary", maxLength: VOICE_MAX_BYTES },
} as const;

export const RECORDING_RESPONSES = {
  200: { description: "The recording", content: { "audio/mp4": {}, "audio/webm": {} } },
  206: { description: "A part of it" },
  404: { description: "Absent, or not for this member" },
};

/** Counts an upload and reads its form. Throws TOO_LARGE, and BAD_INPUT with the invalid field. */
export async function readRecordingForm<Fields>(
  ctx: MemberContext,
  schema: z.ZodType<Fields>,
): Promise<{ fields: Fields; file: unknown }> {
  await spendQuota(ctx, "uploads", ctx.viewer.profileId, { uploadsPerHour: 1, uploads: 1 });
  const { request, changes } = ctx;
  // Counts as one change that concerns no other member.
  changes.calls += 1;
  const form = await readForm(request, VOICE_MAX_BYTES, () => rejectVoice("is too large", "TOO_LARGE"));
  return { fields: parseInput(schema, readTextFields(form)), file: form.get("file") };
}

/** Throws BAD_INPUT or TOO_LARGE with the field `file`. */
export async function readRecording(file: unknown, durationMs: number): Promise<Recording> {
  if (!(file instanceof File)) throw rejectVoice("is missing");
  return inspectVoice(new Uint8Array(await file.arrayBuffer()), durationMs);
}

/** Throws NOT_FOUND when `recording` is undefined. */
export async function serveRecording(
  { env, request }: MemberContext,
  recording: Pick<VoiceRow, "r2_key" | "mime" | "bytes"> | undefined,
): Promise<Response> {
  if (!recording) throw new AppError("NOT_FOUND");
  // Safari plays only media that it can request in ranges.
  const range = parseRange(request.headers.get("range"), recording.bytes);
  if (range === "unsatisfiable") {
    return new Response(null, { status: 416, headers: { "content-range": `bytes */${recording.bytes}` } });
  }
  const stored = await env.PICTURES.get(recording.r2_key, range && { range });
  if (!stored) {
    count("objectsMissing");
    throw new AppError("NOT_FOUND");
  }
  const headers = new Headers({
    "content-type": recording.mime,
    "cache-control": "private, no-cache",
    "accept-ranges": "bytes",
    vary: "cookie",
    "content-length": String(range?.length ?? recording.bytes),
  });
  if (!range) return new Response(stored.body, { headers });
  headers.set("content-range", `bytes ${range.offset}-${range.offset + range.length - 1}/${recording.bytes}`);
  return new Response(stored.body, { status: 206, headers });
}
