/** What the routes of recordings have in common: the form that brings one, and its sound, whole or in parts. */
import { VOICE_MAX_BYTES } from "@lambda/contract/limits";
import type { z } from "zod";
import type { MemberContext } from "../../platform/access.ts";
import { AppError } from "../../platform/errors.ts";
import { spend } from "../../platform/rate-limits/limit.ts";
import { inspectVoice, type Recording, rejectVoice } from "./audio.ts";
import { rangeOf } from "./range.ts";

/** Room for the form's other fields and boundaries. */
const FORM_EXTRA_BYTES = 65_536;

export const RECORDING_FIELDS = {
  durationMs: { type: "integer" },
  peaks: { type: "string", description: "Up to 64 numbers from 0 to 100, with commas" },
  file: { type: "string", format: "binary", maxLength: VOICE_MAX_BYTES },
} as const;

export const SOUND_RESPONSES = {
  200: { description: "The sound", content: { "audio/mp4": {}, "audio/webm": {} } },
  206: { description: "A part of it" },
  404: { description: "Absent, or not for this member" },
};

/** Counts an upload and reads its form. Throws TOO_LARGE, and BAD_INPUT with the field that is wrong. */
export async function readRecordingForm<Fields>(
  ctx: MemberContext,
  schema: z.ZodType<Fields>,
): Promise<{ fields: Fields; file: unknown }> {
  await spend(ctx, "uploads", ctx.viewer.profileId, { uploadsPerHour: 1, uploads: 1 });
  const { request, changes } = ctx;
  // One change, about nobody else.
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

interface Sound {
  readonly r2_key: string;
  readonly mime: string;
  readonly bytes: number;
}

/** Throws NOT_FOUND for none. */
export async function sendSound({ env, request }: MemberContext, sound: Sound | undefined): Promise<Response> {
  if (!sound) throw new AppError("NOT_FOUND");
  // Safari plays nothing that it cannot ask for in parts.
  const range = rangeOf(request.headers.get("range"), sound.bytes);
  if (range === "none") {
    return new Response(null, { status: 416, headers: { "content-range": `bytes */${sound.bytes}` } });
  }
  const stored = await env.PICTURES.get(sound.r2_key, range && { range });
  if (!stored) throw new AppError("NOT_FOUND");
  const headers = new Headers({
    "content-type": sound.mime,
    "cache-control": "private, no-cache",
    "accept-ranges": "bytes",
    vary: "cookie",
    "content-length": String(range?.length ?? sound.bytes),
  });
  if (!range) return new Response(stored.body, { headers });
  headers.set("content-range", `bytes ${range.offset}-${range.offset + range.length - 1}/${sound.bytes}`);
  return new Response(stored.body, { status: 206, headers });
}
