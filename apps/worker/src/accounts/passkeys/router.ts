import { DAY_MS, PASSKEYS_ADDED_PER_DAY_MAX, PASSKEYS_MAX } from "@lambda/contract/limits";
import {
  NewPasskey,
  Passkey,
  PasskeyCreation,
  PasskeyLogin,
  PasskeyName,
  PasskeyRequest,
} from "@lambda/contract/passkeys";
import { Id } from "@lambda/contract/primitives";
import { z } from "zod";
import { batch, isGuardFailure } from "../../platform/db/database.ts";
import { AppError, inputProblem } from "../../platform/errors.ts";
import { requireFresh } from "../../platform/fresh.ts";
import { composeMail, prepareMail, siteLink } from "../../platform/mail/send-mail.ts";
import { enforceLimit } from "../../platform/rate-limits/limit.ts";
import {
  type MemberContext,
  router,
  sessionCommand,
  sessionList,
  sessionProcedure,
  visitorCommand,
  visitorProcedure,
} from "../../platform/trpc.ts";
import { deviceLabel } from "../sessions/device-label.ts";
import { getMailRecipient } from "../sessions/queries.ts";
import { logInWithPasskey } from "./authenticate.ts";
import { consumeChallenge, relyingParty } from "./challenge.ts";
import { passkeysCopy } from "./copy.ts";
import { creationOptions, knownTransports, loginRequest, sessionPurpose } from "./options.ts";
import { deletePasskey, insertPasskeyQueries, listPasskeys, toPasskey, updatePasskeyName } from "./queries.ts";
import { verifyNewPasskey } from "./verify.ts";

/**
 * Stores a passkey that was created for this session, and notifies its owner by mail. Throws CONFIRMATION_NEEDED unless
 * the session is fresh, BAD_INPUT, CONFLICT for one that already exists, and TOO_MANY_REQUESTS.
 */
async function addPasskey(ctx: MemberContext, input: z.output<typeof NewPasskey>): Promise<Passkey> {
  const { attestation } = input;
  const accountId = ctx.viewer.profileId;
  requireFresh(ctx.viewer, ctx.now);
  await enforceLimit(ctx.env, `passkeys:${accountId}`, PASSKEYS_ADDED_PER_DAY_MAX, DAY_MS);
  const purpose = sessionPurpose(ctx, "add");
  const verified = await verifyNewPasskey(ctx, purpose, attestation);
  if (!verified || !(await consumeChallenge(ctx.env, verified.challenge))) {
    throw new AppError("BAD_INPUT", { field: "attestation", message: "This passkey could not be checked. Try again." });
  }
  const name = input.name ?? deviceLabel(ctx.request.headers.get("user-agent") ?? "");
  const { credentialId, publicKey, counter, backedUp } = verified.credential;
  const { email, locale } = await getMailRecipient(ctx.db, accountId);
  const link = siteLink(ctx, "/settings#passkeys");
  // So that nobody can add a way to log in unnoticed.
  const copy = passkeysCopy[locale].added;
  const parts = [copy.lead(name, ctx.brand.operatorAddress), { link, action: copy.action }];
  const warning = composeMail(ctx.brand, email, copy.subject(ctx.brand.name), parts);
  const mail = prepareMail(ctx.env, ctx.brand, warning, "passkeyAdded", accountId);
  const [, [row]] = await batch(ctx.d1, [
    ...insertPasskeyQueries(ctx.db, {
      account_id: accountId,
      credential_id: credentialId,
      public_key: publicKey,
      counter,
      transports: knownTransports(attestation.response.transports ?? []).join(","),
      backed_up: backedUp ? 1 : 0,
      brand: ctx.brand.id,
      rp_id: purpose.site.rpId,
      name,
      ts_created: ctx.now,
    }),
    ...mail.queries,
  ]).catch((error: unknown) => {
    if (isGuardFailure(error)) throw inputProblem("passkeys", "FULL", PASSKEYS_MAX);
    throw /UNIQUE constraint failed: passkey/.test(String(error)) ? new AppError("CONFLICT") : error;
  });
  if (!row) throw new AppError("INTERNAL");
  ctx.waitUntil(mail.deliver());
  return toPasskey(row, purpose.site.rpId);
}

export const passkeysRouter = router({
  loginRequest: visitorProcedure("GET /auth/passkey", "What a browser needs to log in with a passkey", {
    worksUnopened: true,
  })
    .output(PasskeyRequest)
    .query(({ ctx }) => loginRequest(ctx)),

  logIn: visitorCommand("POST /auth/passkey", "Log in with a passkey", { worksUnopened: true, status: 200 })
    .input(PasskeyLogin)
    .mutation(({ ctx, input }) => logInWithPasskey(ctx, input)),

  list: sessionList("GET /passkeys", "The member's passkeys, on all sites", Passkey).query(async ({ ctx }) => {
    const { rpId } = relyingParty(ctx);
    const rows = await listPasskeys(ctx.db, ctx.viewer.profileId);
    return { items: rows.map((row) => toPasskey(row, rpId)) };
  }),

  creation: sessionProcedure("POST /passkey/options", "What a browser needs to create a passkey", { status: 200 })
    .output(PasskeyCreation)
    .mutation(({ ctx }) => creationOptions(ctx)),

  add: sessionProcedure("POST /passkey", "Add a passkey")
    .input(NewPasskey)
    .output(Passkey)
    .mutation(({ ctx, input }) => addPasskey(ctx, input)),

  rename: sessionProcedure("PUT /passkey/{id}", "Rename a passkey")
    .input(z.object({ id: Id, name: PasskeyName }))
    .output(Passkey)
    .mutation(async ({ ctx, input }) => {
      const row = await updatePasskeyName(ctx.db, ctx.viewer.profileId, input.id, input.name);
      return toPasskey(row, relyingParty(ctx).rpId);
    }),

  /** Locks nobody out, because a mail lets every member in. */
  remove: sessionCommand("DELETE /passkey/{id}", "Remove a passkey")
    .input(z.object({ id: Id }))
    .mutation(async ({ ctx, input }) => {
      requireFresh(ctx.viewer, ctx.now);
      if (!(await deletePasskey(ctx.db, ctx.viewer.profileId, input.id))) throw new AppError("NOT_FOUND");
    }),
});
