import type { PasskeyAssertion } from "@lambda/contract/passkeys";
import type { Context } from "../../platform/context.ts";
import { AppError } from "../../platform/errors.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { siteLink } from "../../platform/mail/site-link.ts";
import { type Purpose, useChallengeUp } from "./challenge.ts";
import { passkeysCopy } from "./copy.ts";
import { passkeyClonedMail } from "./mails.ts";
import { findPasskey, updateAsCloned, updatePasskeyUse } from "./queries.ts";
import { userHandle } from "./relying-party.ts";
import { verifySignature } from "./verify.ts";

type Found = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

/** Puts a note into a member's list of notifications, which lies on a higher floor. */
export type TellMember = (
  ctx: Context,
  note: { profileId: number; kind: "security"; bodyText: { en: string; es: string }; url: string },
) => Promise<void>;

/** Where members manage their passkeys. */
const PASSKEYS_PATH = "/settings#passkeys";

/**
 * The account whose passkey signed for this purpose, once. Throws PASSKEY_REFUSED alike for a passkey that is unknown, removed or of
 * another site, for anything else that it signed, for one that was copied, and for an account that is closed.
 */
export async function acceptPasskey(
  ctx: Context,
  purpose: Purpose,
  assertion: PasskeyAssertion,
  tell: TellMember,
): Promise<{ readonly accountId: number; readonly email: string }> {
  const refused = new AppError("PASSKEY_REFUSED");
  const found = await findPasskey(ctx.db, assertion.id, purpose.site.rpId);
  const signed = found && (await verifySignature(ctx, purpose, assertion, found.public_key));
  if (!signed || !isOfAccount(ctx, assertion, found, purpose)) throw refused;
  if (!(await useChallengeUp(ctx.env, signed.challenge))) throw refused;
  // An account in its grace comes back by a mail alone.
  if (found.ts_deleted !== null || found.status === "banned" || found.ts_cloned !== null) throw refused;
  if (!(await updatePasskeyUse(ctx.db, { id: found.id, now: ctx.now, ...signed }))) {
    await tellOfClone(ctx, found, tell);
    throw refused;
  }
  return { accountId: found.account_id, email: found.email };
}

/** The device says whose it believes the passkey to be; it must for a login, which names nobody. */
function isOfAccount(ctx: Context, { response }: PasskeyAssertion, found: Found, { kind }: Purpose): boolean {
  if (response.userHandle === undefined) return kind === "proof";
  return response.userHandle === userHandle(ctx.env, found.account_id);
}

/** Two devices hold what only one should: neither may use it any more, and its owner hears of it in two ways. */
async function tellOfClone(ctx: Context, passkey: Found, tell: TellMember): Promise<void> {
  if (!(await updateAsCloned(ctx.db, passkey.id, ctx.now))) return;
  const { account_id: profileId, email, locale, name } = passkey;
  const link = siteLink(ctx, PASSKEYS_PATH);
  ctx.waitUntil(sendMail(ctx.env, ctx.brand, passkeyClonedMail(ctx.brand, locale, email, { name, link })));
  const bodyText = { en: passkeysCopy.en.cloned.note(name), es: passkeysCopy.es.cloned.note(name) };
  ctx.waitUntil(tell(ctx, { profileId, kind: "security", bodyText, url: PASSKEYS_PATH }));
}
