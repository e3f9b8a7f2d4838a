import { z } from "zod";
import { LoginDigits } from "./accounts.ts";
import { PASSWORD_MAX_CHARS } from "./limits.ts";

/** How this member can prove on this site that the owner asks; a mail can always be sent. */
export const ProofWays = z.object({
  /** The address that the mail would go to. */
  email: z.string(),
  password: z.boolean(),
});

export const PasswordProof = z.object({ currentPassword: z.string().min(1).max(PASSWORD_MAX_CHARS) });

/** The six digits of the mail that was asked for, with its ticket. */
export const DigitsProof = LoginDigits.omit({ remember: true });
