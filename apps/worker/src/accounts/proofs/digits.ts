import { ACKNOWLEDGEMENTS } from "@lambda/contract/accounts";
import type { MailProof } from "@lambda/contract/proofs";
import type { z } from "zod";
import type { MemberContext } from "../../platform/access.ts";
import type { Database } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import { verifyDigits } from "../login-digits.ts";
import { consumeLoginCode } from "../queries.ts";
import { requestLoginLink } from "../register.ts";
import { markProved } from "../sessions/fresh.ts";

/**
 * Sends a login mail to the member's own address and returns the ticket that its digits need. Throws WORK_NEEDED and
 * TOO_MANY_REQUESTS.
 */
export async function mailProofDigits(ctx: MemberContext, { proof }: z.output<typeof MailProof>): Promise<string> {
  const { email, locale } = await getOwner(ctx.db, ctx.viewer.profileId);
  // Every member accepted them when joining; the text that was shown then is kept with the account.
  const registration = { email, locale, acknowledgements: ACKNOWLEDGEMENTS.join("; "), proof };
  return requestLoginLink(ctx, registration, ctx.viewer.profileId);
}

/**
 * Uses the digits up. Throws CODE_WRONG, also for digits that were mailed to another account, and TOO_MANY_REQUESTS.
 */
export async function proveWithDigits(
  ctx: MemberContext,
  { ticket, digits, keepsEmailChange }: { ticket: string; digits: string; keepsEmailChange: boolean },
): Promise<void> {
  const { email, codeHash } = await verifyDigits(ctx, ticket, digits);
  const owner = await getOwner(ctx.db, ctx.viewer.profileId);
  if (email !== owner.email || !(await consumeLoginCode(ctx.db, codeHash))) throw new AppError("CODE_WRONG");
  await markProved(ctx, { keepsEmailChange });
}

export function getOwner(db: Database, id: number) {
  return db
    .selectFrom("account")
    .select(["email", "password_hash", "locale"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}
