/** POST /api/profile-voice: an own recording, in place of the one before. Rejects with an ApiError, or with the network's fault. */
import type { ErrorBody } from "@lambda/contract/errors";
import type { ProfileVoice, VoiceAudience } from "@lambda/contract/voices";
import { ApiError } from "../../../api/api-fetch.ts";
import type { Recorded } from "../../../components/Voice/recorder.ts";
import { onSessionEnded } from "../../../session/ended-session.ts";
import { accountHeader, OTHER_ACCOUNT_STATUS, onOtherAccount } from "../../../session/other-account.ts";

export async function sendIntroduction(recorded: Recorded, audience: VoiceAudience): Promise<ProfileVoice> {
  const form = new FormData();
  form.set("audience", audience);
  form.set("durationMs", String(recorded.durationMs));
  form.set("peaks", recorded.peaks.join(","));
  form.set("file", recorded.blob, "voice");
  const answer = await fetch("/api/profile-voice", { method: "POST", body: form, headers: accountHeader() });
  if (answer.ok) return (await answer.json()) as ProfileVoice;
  if (answer.status === 401) onSessionEnded();
  if (answer.status === OTHER_ACCOUNT_STATUS) onOtherAccount();
  const body = (await answer.json().catch(() => undefined)) as Partial<ErrorBody> | undefined;
  throw new ApiError(answer.status, body?.error);
}
