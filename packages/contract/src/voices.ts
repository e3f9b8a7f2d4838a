import { z } from "zod";
import { VOICE_MAX_MS, VOICE_PEAKS_MAX } from "./limits.ts";
import { ClientMessageId } from "./messages.ts";
import { Flag, Id, numeric } from "./primitives.ts";

/** Beside a recording: how long it is, and its loudness along its length, drawn before it plays. */
const RecordingForm = z.object({
  durationMs: numeric(z.number().int().min(1).max(VOICE_MAX_MS)),
  peaks: z
    .string()
    .max(1000)
    .transform((text) => text.split(",").map(Number))
    .pipe(z.array(z.number().int().min(0).max(100)).min(1).max(VOICE_PEAKS_MAX)),
});

/** POST /api/voice, beside the file. */
export const VoiceForm = RecordingForm.extend({
  clientId: ClientMessageId,
  /** It opens once. */
  once: Flag.default(false),
});

/** An own recording that waits for its message. */
export const StoredVoice = z.object({ id: Id, durationMs: z.number().int() });
export type StoredVoice = z.infer<typeof StoredVoice>;

/** Who hears a profile's voice introduction: all who see the profile, or those with its private album. */
export const VoiceAudience = z.enum(["public", "private"]);
export type VoiceAudience = z.infer<typeof VoiceAudience>;

/** POST /api/profile-voice, beside the file; it takes the place of the one before. */
export const ProfileVoiceForm = RecordingForm.extend({ audience: VoiceAudience.default("public") });

/** A profile's voice introduction; its sound is at /api/profile-voice/{id}. */
export const ProfileVoice = z.object({
  id: Id,
  audience: VoiceAudience,
  durationMs: z.number().int(),
  peaks: z.array(z.number().int()),
});
export type ProfileVoice = z.infer<typeof ProfileVoice>;
