import { z } from "zod";
import { LOCKDOWN_HOURS_MAX, RECOVERY_WORDS, TYPED_MAX_CHARS } from "./limits.ts";
import { Id, Time } from "./primitives.ts";
import { asSeen } from "./typed.ts";

/** Sent after every PIN entry: 256 bits of constant length, so that only the server can tell which PIN was entered. */
export const Unlocked = z.object({ token: z.string().regex(/^[\w-]{43}$/, "is no token") });

/** Whether the session needs the secret that its device shows while its app lock is open (UNLOCKED_COOKIE). */
export const SessionLock = z.object({ on: z.boolean() });

/** Sets up a device's second PIN: the hash of the token that it will send, and how long logins are refused afterwards. */
export const LockdownSignal = z.object({
  tokenHash: z.string().regex(/^[0-9a-f]{64}$/, "is no hash"),
  hours: z.number().int().min(1).max(LOCKDOWN_HOURS_MAX),
});

/**
 * Normalizes recovery words for comparison: lowercase, no accents, single spaces, without the numbers and commas of a list. Returns
 * undefined for any other text.
 */
export function normalizeRecoveryWords(text: string): string | undefined {
  const plain = asSeen(text).normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.split(/[\s\p{P}]+/u).filter((word) => !/^\p{Nd}*$/u.test(word));
  return words.length === RECOVERY_WORDS && words.every((word) => /^[a-z]{3,12}$/.test(word))
    ? words.join(" ")
    : undefined;
}

export const RecoveryWords = z.object({
  words: z
    .string()
    .max(TYPED_MAX_CHARS)
    .refine((text) => normalizeRecoveryWords(text) !== undefined, { message: `are not ${RECOVERY_WORDS} words` }),
});

/** What could lock the account down or end that, as only its proved owner sees it. */
export const Lockdown = z.object({
  words: z.object({ tsCreated: Time.nullable() }).nullable(),
  signals: z.array(z.object({ id: Id, deviceLabel: z.string(), hours: z.number().int(), tsCreated: Time })),
});
export type Lockdown = z.infer<typeof Lockdown>;
