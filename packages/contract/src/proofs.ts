import { z } from "zod";
import { LoginDigits } from "./accounts.ts";
import { PASSWORD_MAX_CHARS } from "./limits.ts";
import { PasskeyAssertion } from "./passkeys.ts";

/** How the member can prove on this site that they own the account. A mail is always possible. */
export const ProofMethods = z.object({
  /** The address to which the mail would be sent. */
  email: z.string(),
  password: z.boolean(),
  /** The member has a passkey for this site. */
  passkey: z.boolean(),
});

export type ProofMethods = z.infer<typeof ProofMethods>;

export const PasswordProof = z.object({ currentPassword: z.string().min(1).max(PASSWORD_MAX_CHARS) });

export const PasskeyProof = z.object({ assertion: PasskeyAssertion });

/** The six digits from the requested mail, with its ticket. */
export const DigitsProof = LoginDigits.omit({ remember: true });
