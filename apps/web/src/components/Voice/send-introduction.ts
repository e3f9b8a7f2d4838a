import type { ProfileVoice, VoiceAudience } from "@lambda/contract/voices";
import { toApiError } from "../../api/api-error.ts";
import { fetchWithDeadline } from "../../api/fetch-with-deadline.ts";
import { accountHeader } from "../../api/page-account.ts";
import type { Recording } from "./recorder.ts";

/** POST /api/profile-voice: uploads a recording, which replaces the previous one. Rejects with an ApiError or a network error. */
export async function sendIntroduction(
  recording: Recording,
  audience: VoiceAudience,
  signal: AbortSignal,
): Promise<ProfileVoice> {
  const form = new FormData();
  form.set("audience", audience);
  form.set("durationMs", String(recording.durationMs));
  form.set("peaks", recording.peaks.join(","));
  form.set("file", recording.blob, "voice");
  const init = { method: "POST", body: form, headers: accountHeader(), signal };
  const response = await fetchWithDeadline("/api/profile-voice", init, "bytes");
  if (response.ok) return (await response.json()) as ProfileVoice;
  throw await toApiError(response);
}
