/** Shared by the routes for recordings: reading an upload form, and serving a recording whole or in parts. */
import { VOICE_MAX_BYTES } from "@lambda/contract/limits";
import type { z } from "zod";
import type { MemberContext } from "../../platform/access.ts";
import { AppError } from "../../platform/errors.ts";
import { parseRange } from "../../platform/http/range.ts";
import { spendQuota } from "../../platform/rate-limits/limit.ts";
import { inspectVoice, type Recording, rejectVoice } from "./audio.ts";

/** Room for the form's other fields and boundaries. */
const FORM_EXTRA_BYTES = 65_536;

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
  if (Number(request.headers.get("content-length") ?? 0) > VOICE_MAX_BYTES + FORM_EXTRA_BYTES)
    throw rejectVoice("is too large", "TOO_LARGE");
  const form = await request.formData().catch(() => {
    throw new AppError("BAD_INPUT", { message: "The body could not be read as a form." });
  });
  const texts = [...form.entries()].filter(([, value]) => typeof value === "string");
  const parsed = schema.safeParse(Object.fromEntries(texts));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = String(issue?.path[0] ?? "");
    throw new AppError("BAD_INPUT", { field, message: `${field}: ${issue?.message}` });
  }
  return { fields: parsed.data, file: form.get("file") };
}

/** Throws BAD_INPUT or TOO_LARGE with the field `file`. */
export async function readRecording(file: unknown, durationMs: number): Promise<Recording> {
  if (!(file instanceof File)) throw rejectVoice("is missing");
  return inspectVoice(new Uint8Array(await file.arrayBuffer()), durationMs);
}

interface StoredRecording {
  readonly r2_key: string;
  readonly mime: string;
  readonly bytes: number;
}

/** Throws NOT_FOUND when `recording` is undefined. */
export async function serveRecording(
  { env, request }: MemberContext,
  recording: StoredRecording | undefined,
): Promise<Response> {
  if (!recording) throw new AppError("NOT_FOUND");
  // Safari plays only media that it can request in ranges.
  const range = parseRange(request.headers.get("range"), recording.bytes);
  if (range === "unsatisfiable") {
    return new Response(null, { status: 416, headers: { "content-range": `bytes */${recording.bytes}` } });
  }
  const stored = await env.PICTURES.get(recording.r2_key, range && { range });
  if (!stored) throw new AppError("NOT_FOUND");
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
