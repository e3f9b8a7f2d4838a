import { ACKNOWLEDGEMENTS, RegistrationResponse } from "@lambda/contract/accounts";
import { PasskeyRequest } from "@lambda/contract/passkeys";
import { DigitsProof, MailProof, PasskeyProof, PasswordProof, ProofMethods } from "@lambda/contract/proofs";
import type { z } from "zod";
import type { Database } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import { type MemberContext, router, sessionCommand, sessionProcedure } from "../../platform/trpc.ts";
import { verifyDigits } from "../login-digits.ts";
import { authenticateWithPasskey } from "../passkeys/authenticate.ts";
import { proofRequest, sessionPurpose } from "../passkeys/options.ts";
import { consumeLoginCode } from "../queries.ts";
import { requestLoginLink } from "../register.ts";
import { markProved } from "../sessions/fresh.ts";
import { confirmPassword } from "./confirm-owner.ts";

async function readProofMethods(ctx: MemberContext): Promise<ProofMethods> {
  const [{ email, password_hash }, { allowCredentials = [] }] = await Promise.all([
    getOwner(ctx.db, ctx.viewer.profileId),
    proofRequest(ctx),
  ]);
  return { email, password: password_hash !== null, passkey: allowCredentials.length > 0 };
}

async function proveWithPassword(ctx: MemberContext, input: z.output<typeof PasswordProof>): Promise<void> {
  const { password_hash } = await getOwner(ctx.db, ctx.viewer.profileId);
  await confirmPassword(ctx, input.currentPassword, password_hash);
  await markProved(ctx, input);
}

/** Throws PASSKEY_REFUSED, also for another account's passkey. */
async function proveWithPasskey(ctx: MemberContext, input: z.output<typeof PasskeyProof>) {
  const { accountId } = await authenticateWithPasskey(ctx, sessionPurpose(ctx, "proof"), input.assertion);
  if (accountId !== ctx.viewer.profileId) throw new AppError("PASSKEY_REFUSED");
  await markProved(ctx, input);
}

/**
 * Sends a login mail to the member's own address and returns the ticket that its digits need. Throws WORK_NEEDED and
 * TOO_MANY_REQUESTS.
 */
async function mailProofDigits(ctx: MemberContext, { proof }: z.output<typeof MailProof>): Promise<string> {
  const { email, locale } = await getOwner(ctx.db, ctx.viewer.profileId);
  // Every member accepted them when joining; the text that was shown then is kept with the account.
  const registration = { email, locale, acknowledgements: ACKNOWLEDGEMENTS.join("; "), proof };
  return requestLoginLink(ctx, registration, ctx.viewer.profileId);
}

/**
 * Uses the digits up. Throws CODE_WRONG, also for digits that were mailed to another account, and TOO_MANY_REQUESTS.
 */
async function proveWithDigits(
  ctx: MemberContext,
  { ticket, digits, keepsEmailChange }: { ticket: string; digits: string; keepsEmailChange: boolean },
): Promise<void> {
  const { email, codeHash } = await verifyDigits(ctx, ticket, digits);
  const owner = await getOwner(ctx.db, ctx.viewer.profileId);
  if (email !== owner.email || !(await consumeLoginCode(ctx.db, codeHash))) throw new AppError("CODE_WRONG");
  await markProved(ctx, { keepsEmailChange });
}

function getOwner(db: Database, id: number) {
  return db
    .selectFrom("account")
    .select(["email", "password_hash", "locale"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

/**
 * Proofs within a running session, before actions that only the account's owner may take. The session stays the same.
 */
export const proofsRouter = router({
  methods: sessionProcedure("GET /proof", "The ways in which the member can prove to be the owner")
    .output(ProofMethods)
    .query(({ ctx }) => readProofMethods(ctx)),

  byPassword: sessionCommand("POST /proof/password", "Prove it with the password", { status: 200 })
    .input(PasswordProof)
    .mutation(({ ctx, input }) => proveWithPassword(ctx, input)),

  passkeyRequest: sessionProcedure("GET /proof/passkey", "What a browser needs to prove it with a passkey")
    .output(PasskeyRequest)
    .query(({ ctx }) => proofRequest(ctx)),

  byPasskey: sessionCommand("POST /proof/passkey", "Prove it with a passkey", { status: 200 })
    .input(PasskeyProof)
    .mutation(({ ctx, input }) => proveWithPasskey(ctx, input)),

  /** Sends a login mail to the member's own address: its link starts a new session, its digits prove this one. */
  mail: sessionProcedure("POST /proof/mail", "Ask for a mail with six digits", { status: 202 })
    .input(MailProof)
    .output(RegistrationResponse)
    .mutation(async ({ ctx, input }) => ({ ticket: await mailProofDigits(ctx, input) })),

  byDigits: sessionCommand("POST /proof/digits", "Prove it with the digits of the mail", { status: 200 })
    .input(DigitsProof)
    .mutation(({ ctx, input }) => proveWithDigits(ctx, input)),
});
