/** The routes that carry the bytes of voice messages and voice introductions. */
import { VOICE_MAX_BYTES } from "@lambda/contract/limits";
import { type ProfileVoice, ProfileVoiceForm, type StoredVoice, VoiceForm } from "@lambda/contract/voices";
import type { z } from "zod";
import type { MemberContext } from "../../platform/access.ts";
import type { VoiceRow } from "../../platform/db/tables.ts";
import { AppError, parseInput } from "../../platform/errors.ts";
import { readForm, readTextFields } from "../../platform/http/form.ts";
import { parseRange } from "../../platform/http/range.ts";
import { count } from "../../platform/metrics/counts.ts";
import { spendQuota } from "../../platform/rate-limits/limit.ts";
import { byteRoute, formBody, idIn } from "../../platform/rest/byte-routes.ts";
import { inspectVoice, type Recording, rejectVoice } from "./audio.ts";
import { findVisibleIntroduction, storeIntroduction } from "./introduction.ts";
import { findVisibleVoice, findVoiceByClientId, storeVoice } from "./store.ts";

const RECORDING_FIELDS = {
  durationMs: { type: "integer" },
  peaks: { type: "string", description: "Up to 64 numbers from 0 to 100, separated by commas" },
  file: { type: "string", format: "binary", maxLength: VOICE_MAX_BYTES },
} as const;

const RECORDING_RESPONSES = {
  200: { description: "The recording", content: { "audio/mp4": {}, "audio/webm": {} } },
  206: { description: "A part of it" },
  404: { description: "Absent, or not for this member" },
};

/** Counts an upload and reads its form. Throws TOO_LARGE, and BAD_INPUT with the invalid field. */
async function readRecordingForm<Fields>(
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
async function readRecording(file: unknown, durationMs: number): Promise<Recording> {
  if (!(file instanceof File)) throw rejectVoice("is missing");
  return inspectVoice(new Uint8Array(await file.arrayBuffer()), durationMs);
}

/** Throws NOT_FOUND when `recording` is undefined. */
async function serveRecording(
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

export const VOICE_ROUTES = [
  byteRoute(
    "member",
    "POST /voice",
    {
      operationId: "voices.upload",
      summary: "Upload a recording of 30 seconds at most, for one message",
      requestBody: formBody(["clientId", "durationMs", "peaks", "file"], {
        clientId: {
          type: "string",
          description: "Chosen by the sender; a retry with the same id returns the same recording",
        },
        once: { type: "boolean", default: false },
        ...RECORDING_FIELDS,
      }),
      responses: {
        201: { description: "Stored for a day, until it is sent in a message" },
        default: { description: "Why it was refused" },
      },
    },
    async (ctx, c) => c.json(await receiveVoice(ctx), 201),
  ),
  byteRoute(
    "member",
    "GET /voice/{id}",
    {
      operationId: "voices.get",
      summary: "A voice message's sound, whole or a range of it",
      responses: RECORDING_RESPONSES,
    },
    async (ctx, c) => serveRecording(ctx, await findVisibleVoice(ctx, idIn(c))),
  ),
  byteRoute(
    "member",
    "POST /profile-voice",
    {
      operationId: "voices.introduce",
      summary: "Upload one's own voice introduction of 30 seconds at most, replacing an earlier one",
      requestBody: formBody(["durationMs", "peaks", "file"], {
        audience: { enum: ["public", "private"], default: "public" },
        ...RECORDING_FIELDS,
      }),
      responses: { 201: { description: "Stored" }, default: { description: "Why it was refused" } },
    },
    async (ctx, c) => c.json(await receiveIntroduction(ctx), 201),
  ),
  byteRoute(
    "member",
    "GET /profile-voice/{id}",
    {
      operationId: "voices.introduction",
      summary: "A profile's voice introduction, whole or a range of it",
      responses: RECORDING_RESPONSES,
    },
    async (ctx, c) => serveRecording(ctx, await findVisibleIntroduction(ctx, idIn(c))),
  ),
];

async function receiveVoice(ctx: MemberContext): Promise<StoredVoice> {
  const { fields, file } = await readRecordingForm(ctx, VoiceForm);
  const stored = await findVoiceByClientId(ctx, fields.clientId);
  if (stored) return { id: stored.id, durationMs: stored.duration_ms };
  const recording = await readRecording(file, fields.durationMs);
  const row = await storeVoice(ctx, { ...fields, ...recording });
  return { id: row.id, durationMs: row.duration_ms };
}

async function receiveIntroduction(ctx: MemberContext): Promise<ProfileVoice> {
  const { fields, file } = await readRecordingForm(ctx, ProfileVoiceForm);
  return storeIntroduction(ctx, { ...fields, ...(await readRecording(file, fields.durationMs)) });
}
