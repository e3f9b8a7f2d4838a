/** The routes of voice messages and voice introductions that carry bytes. */
import { Id } from "@lambda/contract/primitives";
import { type ProfileVoice, ProfileVoiceForm, type StoredVoice, VoiceForm } from "@lambda/contract/voices";
import type { MemberContext } from "../../platform/access.ts";
import type { ByteRoute } from "../../platform/rest/byte-routes.ts";
import { findOpenIntroduction, storeIntroduction } from "./introduction.ts";
import { RECORDING_FIELDS, readRecording, readRecordingForm, SOUND_RESPONSES, sendSound } from "./sound.ts";
import { findOpenVoice, findVoiceByClientId, storeVoice } from "./store.ts";

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
                once: { type: "boolean", default: false },
                ...RECORDING_FIELDS,
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
      responses: SOUND_RESPONSES,
    },
    handler: (c) => sendVoice(c.get("member"), c.req.param("id")),
  },
  {
    method: "post",
    path: "/profile-voice",
    access: "member",
    operation: {
      operationId: "voices.introduce",
      summary: "Upload the own profile's voice introduction of 30 seconds at most, in place of the one before",
      requestBody: {
        required: true,
        content: {
          "multipart/form-data": {
            schema: {
              type: "object",
              required: ["durationMs", "peaks", "file"],
              properties: { audience: { enum: ["public", "private"], default: "public" }, ...RECORDING_FIELDS },
            },
          },
        },
      },
      responses: { 201: { description: "Stored" }, default: { description: "Why it was refused" } },
    },
    handler: async (c) => c.json(await takeIntroduction(c.get("member")), 201),
  },
  {
    method: "get",
    path: "/profile-voice/{id}",
    access: "member",
    operation: {
      operationId: "voices.introduction",
      summary: "A profile's voice introduction, whole or a range of it",
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      responses: SOUND_RESPONSES,
    },
    handler: (c) => sendIntroduction(c.get("member"), c.req.param("id")),
  },
];

async function takeVoice(ctx: MemberContext): Promise<StoredVoice> {
  const { fields, file } = await readRecordingForm(ctx, VoiceForm);
  const before = await findVoiceByClientId(ctx, fields.clientId);
  if (before) return { id: before.id, durationMs: before.duration_ms };
  const recording = await readRecording(file, fields.durationMs);
  const row = await storeVoice(ctx, { ...fields, ...recording });
  return { id: row.id, durationMs: row.duration_ms };
}

async function sendVoice(ctx: MemberContext, param: string | undefined): Promise<Response> {
  const id = Id.safeParse(param);
  return sendSound(ctx, id.success ? await findOpenVoice(ctx, id.data) : undefined);
}

async function takeIntroduction(ctx: MemberContext): Promise<ProfileVoice> {
  const { fields, file } = await readRecordingForm(ctx, ProfileVoiceForm);
  return storeIntroduction(ctx, { ...fields, ...(await readRecording(file, fields.durationMs)) });
}

async function sendIntroduction(ctx: MemberContext, param: string | undefined): Promise<Response> {
  const id = Id.safeParse(param);
  return sendSound(ctx, id.success ? await findOpenIntroduction(ctx, id.data) : undefined);
}
