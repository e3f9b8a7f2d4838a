/** Converts recordings for the outbox, which stores text only, and uploads them. */
import type { MessageDraft } from "@lambda/contract/messages";
import type { StoredVoice } from "@lambda/contract/voices";
import { toApiError } from "../../../../api/api-error.ts";
import { fetchWithDeadline } from "../../../../api/fetch-with-deadline.ts";
import { accountHeader } from "../../../../api/page-account.ts";
import type { Recording } from "../../../../components/Voice/recorder.ts";
import { fromBase64, toBase64 } from "../../../../device/base64.ts";
import type { OutgoingVoice } from "../outbox/outbox.ts";

export async function toOutgoingVoice({ blob, durationMs, peaks }: Recording, once: boolean): Promise<OutgoingVoice> {
  const base64 = toBase64(new Uint8Array(await blob.arrayBuffer()));
  return { base64, type: blob.type, durationMs, peaks, once };
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
  form.set("file", new Blob([fromBase64(voice.base64)], { type: voice.type }), "voice");
  const init = { method: "POST", body: form, headers: accountHeader() };
  const response = await fetchWithDeadline("/api/voice", init, "bytes");
  if (response.ok) return { type: "voice", voiceId: ((await response.json()) as StoredVoice).id };
  throw await toApiError(response);
}
