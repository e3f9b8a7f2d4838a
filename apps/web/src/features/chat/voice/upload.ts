/** A recording on its way to the server, as the outbox keeps it: text alone, so that it can be sealed like every other message. */
import type { ErrorBody } from "@lambda/contract/errors";
import type { MessageDraft } from "@lambda/contract/messages";
import type { StoredVoice } from "@lambda/contract/voices";
import { ApiError } from "../../../api/api-fetch.ts";
import type { Recorded } from "../../../components/Voice/recorder.ts";
import { onSessionEnded } from "../../../session/ended-session.ts";
import { accountHeader, OTHER_ACCOUNT_STATUS, onOtherAccount } from "../../../session/other-account.ts";
import type { OutgoingVoice } from "../outbox/outbox.ts";

export async function toOutgoing({ blob, durationMs, peaks }: Recorded, once: boolean): Promise<OutgoingVoice> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return { base64: btoa(binary), type: blob.type, durationMs, peaks, once };
}

/** POST /api/voice. The same client id again answers the same recording. Rejects with an ApiError, or with the network's fault. */
export async function uploadVoice(
  voice: OutgoingVoice,
  clientId: string,
): Promise<NonNullable<MessageDraft["attachment"]>> {
  const form = new FormData();
  form.set("clientId", clientId);
  form.set("durationMs", String(voice.durationMs));
  form.set("peaks", voice.peaks.join(","));
  if (voice.once) form.set("once", "true");
  const bytes = Uint8Array.from(atob(voice.base64), (letter) => letter.charCodeAt(0));
  form.set("file", new Blob([bytes], { type: voice.type }), "voice");
  const answer = await fetch("/api/voice", { method: "POST", body: form, headers: accountHeader() });
  if (answer.ok) return { type: "voice", voiceId: ((await answer.json()) as StoredVoice).id };
  if (answer.status === 401) onSessionEnded();
  if (answer.status === OTHER_ACCOUNT_STATUS) onOtherAccount();
  const body = (await answer.json().catch(() => undefined)) as Partial<ErrorBody> | undefined;
  throw new ApiError(answer.status, body?.error);
}
