import { z } from "zod";
import { VOICE_MAX_MS, VOICE_PEAKS_MAX } from "./limits.ts";
import { ClientMessageId } from "./messages.ts";
import { BooleanInput, Id, numeric } from "./primitives.ts";

/** Form fields of a recording: its duration, and loudness values to draw the waveform before it plays. */
const RecordingForm = z.object({
  durationMs: numeric(z.number().int().min(1).max(VOICE_MAX_MS)),
  peaks: z
    .string()
    .max(1000)
    .transform((text) => text.split(",").map(Number))
    .pipe(z.array(z.number().int().min(0).max(100)).min(1).max(VOICE_PEAKS_MAX)),
});

/** POST /api/voice: the form fields that accompany the file. */
export const VoiceForm = RecordingForm.extend({
  clientId: ClientMessageId,
  /** The recording opens once. */
  once: BooleanInput.default(false),
});

/** An uploaded recording that is not sent yet. */
export const StoredVoice = z.object({ id: Id, durationMs: z.number().int() });
export type StoredVoice = z.infer<typeof StoredVoice>;

/** Who may hear a profile's voice introduction: all who see the profile, or those with access to the private album. */
export const VoiceAudience = z.enum(["public", "private"]);
export type VoiceAudience = z.infer<typeof VoiceAudience>;

/** POST /api/profile-voice: the form fields that accompany the file. It replaces the previous recording. */
export const ProfileVoiceForm = RecordingForm.extend({ audience: VoiceAudience.default("public") });

/** A profile's voice introduction; the audio is at /api/profile-voice/{id}. */
export const ProfileVoice = z.object({
  id: Id,
  audience: VoiceAudience,
  durationMs: z.number().int(),
  peaks: z.array(z.number().int()),
});
export type ProfileVoice = z.infer<typeof ProfileVoice>;
