import { z } from "zod";
import { VOICE_MAX_MS, VOICE_PEAKS_MAX } from "./limits.ts";
import { ClientMessageId } from "./messages.ts";
import { Flag, Id, numeric } from "./primitives.ts";

/** POST /api/voice, beside the file: how long it is, and its loudness along its length, drawn before it plays. */
export const VoiceForm = z.object({
  clientId: ClientMessageId,
  durationMs: numeric(z.number().int().min(1).max(VOICE_MAX_MS)),
  peaks: z
    .string()
    .max(1000)
    .transform((text) => text.split(",").map(Number))
    .pipe(z.array(z.number().int().min(0).max(100)).min(1).max(VOICE_PEAKS_MAX)),
  /** It opens once. */
  once: Flag.default(false),
});

/** An own recording that waits for its message. */
export const StoredVoice = z.object({ id: Id, durationMs: z.number().int() });
export type StoredVoice = z.infer<typeof StoredVoice>;
