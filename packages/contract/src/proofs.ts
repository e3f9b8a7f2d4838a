import { z } from "zod";
import { LoginDigits } from "./accounts.ts";
import { PASSWORD_MAX_CHARS } from "./limits.ts";
import { PasskeyAssertion } from "./passkeys.ts";

/** How this member can prove on this site that the owner asks; a mail can always be sent. */
export const ProofWays = z.object({
  /** The address that the mail would go to. */
  email: z.string(),
  password: z.boolean(),
  /** A passkey for the site that was asked. */
  passkey: z.boolean(),
});

export type ProofWays = z.infer<typeof ProofWays>;

export const PasswordProof = z.object({ currentPassword: z.string().min(1).max(PASSWORD_MAX_CHARS) });

export const PasskeyProof = z.object({ assertion: PasskeyAssertion });

/** The six digits of the mail that was asked for, with its ticket. */
export const DigitsProof = LoginDigits.omit({ remember: true });
