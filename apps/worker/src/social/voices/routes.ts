/** The routes that carry the bytes of voice messages and voice introductions. */
import { type ProfileVoice, ProfileVoiceForm, type StoredVoice, VoiceForm } from "@lambda/contract/voices";
import type { MemberContext } from "../../platform/access.ts";
import { type ByteRoute, formBody, idIn } from "../../platform/rest/byte-routes.ts";
import { findVisibleIntroduction, storeIntroduction } from "./introduction.ts";
import {
  RECORDING_FIELDS,
  RECORDING_RESPONSES,
  readRecording,
  readRecordingForm,
  serveRecording,
} from "./recording-http.ts";
import { findVisibleVoice, findVoiceByClientId, storeVoice } from "./store.ts";

export const VOICE_ROUTES: readonly ByteRoute[] = [
  {
    method: "post",
    path: "/voice",
    access: "member",
    operation: {
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
    handler: async (c) => c.json(await receiveVoice(c.get("member")), 201),
  },
  {
    method: "get",
    path: "/voice/{id}",
    access: "member",
    operation: {
      operationId: "voices.get",
      summary: "A voice message's sound, whole or a range of it",
      responses: RECORDING_RESPONSES,
    },
    handler: async (c) => serveRecording(c.get("member"), await findVisibleVoice(c.get("member"), idIn(c))),
  },
  {
    method: "post",
    path: "/profile-voice",
    access: "member",
    operation: {
      operationId: "voices.introduce",
      summary: "Upload one's own voice introduction of 30 seconds at most, replacing an earlier one",
      requestBody: formBody(["durationMs", "peaks", "file"], {
        audience: { enum: ["public", "private"], default: "public" },
        ...RECORDING_FIELDS,
      }),
      responses: { 201: { description: "Stored" }, default: { description: "Why it was refused" } },
    },
    handler: async (c) => c.json(await receiveIntroduction(c.get("member")), 201),
  },
  {
    method: "get",
    path: "/profile-voice/{id}",
    access: "member",
    operation: {
      operationId: "voices.introduction",
      summary: "A profile's voice introduction, whole or a range of it",
      responses: RECORDING_RESPONSES,
    },
    handler: async (c) => serveRecording(c.get("member"), await findVisibleIntroduction(c.get("member"), idIn(c))),
  },
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
