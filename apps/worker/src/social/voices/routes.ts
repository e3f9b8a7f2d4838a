/** The routes of voice messages that carry bytes. */
import { VOICE_MAX_BYTES } from "@lambda/contract/limits";
import { Id } from "@lambda/contract/primitives";
import { type StoredVoice, VoiceForm } from "@lambda/contract/voices";
import type { MemberContext } from "../../platform/access.ts";
import { AppError } from "../../platform/errors.ts";
import { spend } from "../../platform/rate-limits/limit.ts";
import type { ByteRoute } from "../../platform/rest/byte-routes.ts";
import { inspectVoice, rejectVoice } from "./audio.ts";
import { rangeOf } from "./range.ts";
import { findOpenVoice, findVoiceByClientId, storeVoice } from "./store.ts";

/** Room for the form's other fields and boundaries. */
const FORM_EXTRA_BYTES = 65_536;

export const VOICE_ROUTES: readonly ByteRoute[] = [
  {
    method: "post",
    path: "/voice",
    access: "member",
    operation: {
      operationId: "voices.upload",
      summary: "Upload a recording of 30 seconds at most, for one message",
      requestBody: {
        required: true,
        content: {
          "multipart/form-data": {
            schema: {
              type: "object",
              required: ["clientId", "durationMs", "peaks", "file"],
              properties: {
                clientId: {
                  type: "string",
                  description: "Made by the sender: the same again answers the same recording",
                },
                durationMs: { type: "integer" },
                peaks: { type: "string", description: "Up to 64 numbers from 0 to 100, with commas" },
                once: { type: "boolean", default: false },
                file: { type: "string", format: "binary", maxLength: VOICE_MAX_BYTES },
              },
            },
          },
        },
      },
      responses: {
        201: { description: "Stored for a day, until a message carries it" },
        default: { description: "Why it was refused" },
      },
    },
    handler: async (c) => c.json(await takeVoice(c.get("member")), 201),
  },
  {
    method: "get",
    path: "/voice/{id}",
    access: "member",
    operation: {
      operationId: "voices.get",
      summary: "A voice message's sound, whole or a range of it",
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      responses: {
        200: { description: "The sound", content: { "audio/mp4": {}, "audio/webm": {} } },
        206: { description: "A part of it" },
        404: { description: "Absent, or not for this member" },
      },
    },
    handler: (c) => sendVoice(c.get("member"), c.req.param("id")),
  },
];

async function takeVoice(ctx: MemberContext): Promise<StoredVoice> {
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
  const parsed = VoiceForm.safeParse(Object.fromEntries(texts));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = String(issue?.path[0] ?? "");
    throw new AppError("BAD_INPUT", { field, message: `${field}: ${issue?.message}` });
  }
  const before = await findVoiceByClientId(ctx, parsed.data.clientId);
  if (before) return { id: before.id, durationMs: before.duration_ms };
  const file: unknown = form.get("file");
  if (!(file instanceof File)) throw rejectVoice("is missing");
  const recording = inspectVoice(new Uint8Array(await file.arrayBuffer()), parsed.data.durationMs);
  const row = await storeVoice(ctx, { ...parsed.data, ...recording });
  return { id: row.id, durationMs: row.duration_ms };
}

async function sendVoice(ctx: MemberContext, param: string | undefined): Promise<Response> {
  const id = Id.safeParse(param);
  const voice = id.success ? await findOpenVoice(ctx, id.data) : undefined;
  if (!voice) throw new AppError("NOT_FOUND");
  // Safari plays nothing that it cannot ask for in parts.
  const range = rangeOf(ctx.request.headers.get("range"), voice.bytes);
  if (range === "none") {
    return new Response(null, { status: 416, headers: { "content-range": `bytes */${voice.bytes}` } });
  }
  const stored = await ctx.env.PICTURES.get(voice.r2_key, range && { range });
  if (!stored) throw new AppError("NOT_FOUND");
  const headers = new Headers({
    ...{ "content-type": voice.mime, "cache-control": "private, no-cache", "accept-ranges": "bytes", vary: "cookie" },
    "content-length": String(range?.length ?? voice.bytes),
  });
  if (!range) return new Response(stored.body, { headers });
  headers.set("content-range", `bytes ${range.offset}-${range.offset + range.length - 1}/${voice.bytes}`);
  return new Response(stored.body, { status: 206, headers });
}
