import { RegistrationAnswer } from "@lambda/contract/accounts";
import { PasskeyRequest } from "@lambda/contract/passkeys";
import { Nothing } from "@lambda/contract/primitives";
import { DigitsProof, PasskeyProof, PasswordProof, ProofWays } from "@lambda/contract/proofs";
import { AppError } from "../../platform/errors.ts";
import { router, sessionProcedure } from "../../platform/trpc.ts";
import { acceptPasskey, type TellMember } from "../passkeys/accept.ts";
import { proofRequest, sessionPurpose } from "../passkeys/options.ts";
import { markProved } from "../sessions/fresh.ts";
import { confirmPassword } from "./confirm-owner.ts";
import { mailDigits, proveByDigits } from "./digits.ts";
import { getOwner } from "./queries.ts";

/**
 * Proofs that a running session asks for, before what only the account's owner may do. The session stays the same. `tell` lies on a
 * higher floor.
 */
export const createProofsRouter = (tell: TellMember) =>
  router({
    ways: sessionProcedure
      .meta({ rest: { method: "GET", path: "/proof", summary: "How the owner of the account can prove who asks" } })
      .output(ProofWays)
      .query(async ({ ctx }) => {
        const [{ email, password_hash }, { allowCredentials = [] }] = await Promise.all([
          getOwner(ctx.db, ctx.viewer.profileId),
          proofRequest(ctx),
        ]);
        return { email, password: password_hash !== null, passkey: allowCredentials.length > 0 };
      }),

    byPassword: sessionProcedure
      .meta({ rest: { method: "POST", path: "/proof/password", status: 200, summary: "Prove it by the password" } })
      .input(PasswordProof)
      .output(Nothing)
      .mutation(async ({ ctx, input }) => {
        const { password_hash } = await getOwner(ctx.db, ctx.viewer.profileId);
        await confirmPassword(ctx, input.currentPassword, password_hash);
        await markProved(ctx);
        return {};
      }),

    passkeyRequest: sessionProcedure
      .meta({
        rest: { method: "GET", path: "/proof/passkey", summary: "What a browser needs to prove it by a passkey" },
      })
      .output(PasskeyRequest)
      .query(({ ctx }) => proofRequest(ctx)),

    byPasskey: sessionProcedure
      .meta({ rest: { method: "POST", path: "/proof/passkey", status: 200, summary: "Prove it by a passkey" } })
      .input(PasskeyProof)
      .output(Nothing)
      .mutation(async ({ ctx, input }) => {
        const { accountId } = await acceptPasskey(ctx, sessionPurpose(ctx, "proof"), input.assertion, tell);
        if (accountId !== ctx.viewer.profileId) throw new AppError("PASSKEY_REFUSED");
        await markProved(ctx);
        return {};
      }),

    /** The mail of a login, to the own address: its link logs in anew, its digits prove this session. */
    mail: sessionProcedure
      .meta({ rest: { method: "POST", path: "/proof/mail", status: 202, summary: "Ask for a mail with six digits" } })
      .output(RegistrationAnswer)
      .mutation(async ({ ctx }) => ({ ticket: await mailDigits(ctx) })),

    byDigits: sessionProcedure
      .meta({ rest: { method: "POST", path: "/proof/digits", status: 200, summary: "Prove it by the mail's digits" } })
      .input(DigitsProof)
      .output(Nothing)
      .mutation(async ({ ctx, input }) => {
        await proveByDigits(ctx, input);
        return {};
      }),
  });
