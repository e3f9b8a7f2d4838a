import { DAY_MS, PASSKEYS_ADDED_PER_DAY_MAX, PASSKEYS_MAX } from "@lambda/contract/limits";
import type { NewPasskey, Passkey } from "@lambda/contract/passkeys";
import type { z } from "zod";
import type { MemberContext } from "../../platform/access.ts";
import { batch } from "../../platform/db/batch.ts";
import { isGuardFailure } from "../../platform/db/guard.ts";
import { AppError, inputProblem } from "../../platform/errors.ts";
import { composeMail } from "../../platform/mail/compose.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { siteLink } from "../../platform/mail/site-link.ts";
import { enforceLimit } from "../../platform/rate-limits/limit.ts";
import { deviceLabel } from "../sessions/device-label.ts";
import { requireFresh } from "../sessions/fresh.ts";
import { getMailRecipient } from "../sessions/queries.ts";
import { consumeChallenge } from "./challenge.ts";
import { passkeysCopy } from "./copy.ts";
import { knownTransports, sessionPurpose } from "./options.ts";
import { insertPasskeyQueries, toPasskey } from "./queries.ts";
import { verifyNewPasskey } from "./verify.ts";

/**
 * Stores a passkey that was created for this session, and notifies its owner by mail. Throws CONFIRMATION_NEEDED unless
 * the session is fresh, BAD_INPUT, CONFLICT for one that already exists, and TOO_MANY_REQUESTS.
 */
export async function addPasskey(ctx: MemberContext, input: z.output<typeof NewPasskey>): Promise<Passkey> {
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
  const [, [row]] = await batch(
    ctx.d1,
    insertPasskeyQueries(ctx.db, {
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
  ).catch((error: unknown) => {
    throw toAppError(error);
  });
  if (!row) throw new AppError("INTERNAL");
  const { email, locale } = await getMailRecipient(ctx.db, accountId);
  const link = siteLink(ctx, "/settings#passkeys");
  // So that nobody can add a way to log in unnoticed.
  const copy = passkeysCopy[locale].added;
  const parts = [copy.lead(name, ctx.brand.operatorAddress), { link, action: copy.action }];
  ctx.waitUntil(sendMail(ctx.env, ctx.brand, composeMail(ctx.brand, email, copy.subject(ctx.brand.name), parts)));
  return toPasskey(row, purpose.site.rpId);
}

function toAppError(error: unknown): unknown {
  if (isGuardFailure(error)) {
    return inputProblem("passkeys", "FULL", PASSKEYS_MAX);
  }
  return /UNIQUE constraint failed: passkey/.test(String(error)) ? new AppError("CONFLICT") : error;
}
