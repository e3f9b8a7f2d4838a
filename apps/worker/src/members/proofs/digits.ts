import { ACKNOWLEDGEMENTS } from "@lambda/contract/accounts";
import type { MemberContext } from "../../platform/access.ts";
import { AppError } from "../../platform/errors.ts";
import { checkDigits } from "../accounts/login-digits.ts";
import { takeLoginCode } from "../accounts/queries.ts";
import { requestLoginLink } from "../accounts/register.ts";
import { markProved } from "../sessions/fresh.ts";
import { getOwner } from "./queries.ts";

/** Sends a login mail to the own address and answers the ticket that its digits need. Throws TOO_MANY_REQUESTS. */
export async function mailDigits(ctx: MemberContext): Promise<string> {
  const { email, locale } = await getOwner(ctx.db, ctx.viewer.profileId);
  // Whoever has an account accepted them; the text that was shown then is kept with it.
  return requestLoginLink(ctx, { email, locale, acknowledgements: ACKNOWLEDGEMENTS.join("; ") });
}

/** Uses the digits up. Throws CODE_WRONG, for those of another account's mail too, and TOO_MANY_REQUESTS. */
export async function proveByDigits(
  ctx: MemberContext,
  { ticket, digits }: { ticket: string; digits: string },
): Promise<void> {
  const { email, codeHash } = await checkDigits(ctx, ticket, digits);
  const owner = await getOwner(ctx.db, ctx.viewer.profileId);
  if (email !== owner.email || !(await takeLoginCode(ctx.db, codeHash))) throw new AppError("CODE_WRONG");
  await markProved(ctx);
}
