import { z } from "zod";
import { LOCKDOWN_HOURS_MAX, RECOVERY_WORDS } from "./limits.ts";

/** What a device sends after every PIN: 256 random bits that only the server can tell apart. Always of one length. */
export const Unlocked = z.object({ token: z.string().regex(/^[\w-]{43}$/, "is no token") });

/** Prepares the second PIN of a device: the hash of what it will send, and for how long logins are refused then. */
export const LockdownSignal = z.object({
  tokenHash: z.string().regex(/^[0-9a-f]{64}$/, "is no hash"),
  hours: z.number().int().min(1).max(LOCKDOWN_HOURS_MAX),
});

/** Recovery words as they are compared: small letters without accents, one blank between. Undefined for any other text. */
export function readRecoveryWords(text: string): string | undefined {
  const words = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim().split(/\s+/);
  return words.length === RECOVERY_WORDS && words.every((word) => /^[a-z]{3,12}$/.test(word))
    ? words.join(" ")
    : undefined;
}

export const RecoveryWords = z.object({
  words: z
    .string()
    .max(200)
    .refine((text) => readRecoveryWords(text) !== undefined, { message: `are not ${RECOVERY_WORDS} words` }),
});
