/** Converts recordings for the outbox, which stores text only, and uploads them. */
import type { ErrorBody } from "@lambda/contract/errors";
import type { MessageDraft } from "@lambda/contract/messages";
import type { StoredVoice } from "@lambda/contract/voices";
import { ApiError } from "../../../api/api-fetch.ts";
import type { Recording } from "../../../components/Voice/recorder.ts";
import { onSessionEnded } from "../../../session/ended-session.ts";
import { accountHeader, OTHER_ACCOUNT_STATUS, onOtherAccount } from "../../../session/other-account.ts";
import type { OutgoingVoice } from "../outbox/outbox.ts";

export async function toOutgoingVoice({ blob, durationMs, peaks }: Recording, once: boolean): Promise<OutgoingVoice> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return { base64: btoa(binary), type: blob.type, durationMs, peaks, once };
}

/** Idempotent by client id. Rejects with an ApiError, or with the network error. */
export async function uploadVoice(
  voice: OutgoingVoice,
  clientId: string,
): Promise<NonNullable<MessageDraft["attachment"]>> {
  const form = new FormData();
  form.set("clientId", clientId);
  form.set("durationMs", String(voice.durationMs));
  form.set("peaks", voice.peaks.join(","));
  if (voice.once) form.set("once", "true");
  const bytes = Uint8Array.from(atob(voice.base64), (character) => character.charCodeAt(0));
  form.set("file", new Blob([bytes], { type: voice.type }), "voice");
  const response = await fetch("/api/voice", { method: "POST", body: form, headers: accountHeader() });
  if (response.ok) return { type: "voice", voiceId: ((await response.json()) as StoredVoice).id };
  if (response.status === 401) onSessionEnded();
  if (response.status === OTHER_ACCOUNT_STATUS) onOtherAccount();
  const body = (await response.json().catch(() => undefined)) as Partial<ErrorBody> | undefined;
  throw new ApiError(response.status, body?.error);
}
