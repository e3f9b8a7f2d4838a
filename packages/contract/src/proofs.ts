import { z } from "zod";
import { LoginDigits } from "./accounts.ts";
import { PASSWORD_MAX_CHARS } from "./limits.ts";
import { PasskeyAssertion } from "./passkeys.ts";
import { ProofOfWork } from "./proof-of-work.ts";

/** How the member can prove on this site that they own the account. A mail is always possible. */
export const ProofMethods = z.object({
  /** The address to which the mail would be sent. */
  email: z.string(),
  password: z.boolean(),
  /** The member has a passkey for this site. */
  passkey: z.boolean(),
});

export type ProofMethods = z.infer<typeof ProofMethods>;

/** A proof ends a requested change of address, unless the member is just being asked whether to use that address. */
const keepsEmailChange = z.boolean().default(false);

/** Also accepted without an input. */
export const MailProof = z
  .object({
    /** After WORK_NEEDED. */
    proof: ProofOfWork.optional(),
  })
  .default({});

export const PasswordProof = z.object({ currentPassword: z.string().min(1).max(PASSWORD_MAX_CHARS), keepsEmailChange });

export const PasskeyProof = z.object({ assertion: PasskeyAssertion, keepsEmailChange });

/** The six digits from the requested mail, with its ticket. */
export const DigitsProof = LoginDigits.omit({ remember: true }).extend({ keepsEmailChange });
