import {
  LOGIN_ATTEMPTS_PER_IP_MAX,
  LOGIN_ATTEMPTS_PER_SITE_MAX,
  LOGIN_FAILURES_WINDOW_MS,
} from "@lambda/contract/limits";
import type { PasskeyAssertion } from "@lambda/contract/passkeys";
import { sql } from "kysely";
import { announce, insertNotificationQuery } from "../../notifications/notify.ts";
import type { Context } from "../../platform/context.ts";
import { batch, guardQuery, passesGuards } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import { composeMail, prepareMail, siteLink } from "../../platform/mail/send-mail.ts";
import { limitNetworkByWork } from "../../platform/proof-of-work.ts";
import { rememberAccountOnDevice } from "../../visibility/bans/marks.ts";
import { markKnownDevice } from "../login-devices.ts";
import { handlesOf } from "../passkey-handles.ts";
import { askAboutSecondAccount } from "../second-account.ts";
import { startSession } from "../sessions/sessions.ts";
import { consumeChallenge, type Purpose } from "./challenge.ts";
import { passkeysCopy } from "./copy.ts";
import { loginPurpose } from "./options.ts";
import { findPasskey, updatePasskeyUse } from "./queries.ts";
import { verifySignature } from "./verify.ts";

type PasskeyRow = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

/** Where members manage their passkeys. */
const PASSKEYS_PATH = "/settings#passkeys";

/**
 * Returns the account whose passkey signed for this purpose, and uses the challenge up. Throws PASSKEY_REFUSED alike
 * for a passkey that is unknown, removed, copied or of another site, for a signature over anything else, and for a
 * closed account.
 */
export async function authenticateWithPasskey(
  ctx: Context,
  purpose: Purpose,
  assertion: PasskeyAssertion,
): Promise<{ readonly accountId: number; readonly email: string }> {
  const refused = new AppError("PASSKEY_REFUSED");
  const passkey = await findPasskey(ctx.db, assertion.id, purpose.site.rpId);
  const signed = passkey && (await verifySignature(ctx, purpose, assertion, passkey.public_key));
  if (!signed || !matchesUserHandle(ctx, assertion, passkey, purpose)) throw refused;
  if (!(await consumeChallenge(ctx.env, signed.challenge))) throw refused;
  // Only a mail restores an account in its grace period.
  if (passkey.ts_deleted !== null || passkey.status === "banned" || passkey.ts_cloned !== null) throw refused;
  if (!(await updatePasskeyUse(ctx.db, { id: passkey.id, now: ctx.now, ...signed }))) {
    await disableClone(ctx, passkey);
    throw refused;
  }
  return { accountId: passkey.account_id, email: passkey.email };
}

/**
 * Whether the device names this account as the passkey's owner. It must for a login, where the request names nobody.
 */
function matchesUserHandle(ctx: Context, { response }: PasskeyAssertion, passkey: PasskeyRow, { kind }: Purpose) {
  if (response.userHandle === undefined) return kind === "proof";
  const { account_id: id, passkey_handle } = passkey;
  return handlesOf(ctx.env, { id, passkey_handle }).includes(response.userHandle);
}

/**
 * Two devices hold a key that only one should: disables it for both, and notifies its owner by mail and in the list.
 */
async function disableClone(ctx: Context, passkey: PasskeyRow): Promise<void> {
  const { account_id: profileId, email, locale, name } = passkey;
  const link = siteLink(ctx, PASSKEYS_PATH);
  const copy = passkeysCopy[locale].cloned;
  const parts = [copy.lead(name), { link, action: copy.action }];
  const warning = composeMail(ctx.brand, email, copy.subject(ctx.brand.name), parts);
  const mail = prepareMail(ctx.env, ctx.brand, warning, "passkeyCloned");
  const bodyText = { en: passkeysCopy.en.cloned.note(name), es: passkeysCopy.es.cloned.note(name) };
  const isFirst = sql<boolean>`exists (select 1 from passkey where id = ${passkey.id} and ts_cloned is null)`;
  const disabled = batch(ctx.d1, [
    guardQuery(ctx.db, isFirst),
    ctx.db.updateTable("passkey").set({ ts_cloned: ctx.now }).where("id", "=", passkey.id),
    insertNotificationQuery(ctx, { profileId, kind: "security", bodyText, url: PASSKEYS_PATH }),
    ...mail.queries,
  ]);
  if (!(await passesGuards(disabled))) return;
  ctx.waitUntil(mail.deliver());
  announce(ctx, profileId, "security");
}

/**
 * Logs in to the account whose passkey signed. Throws PASSKEY_REFUSED, also while the account is locked down, and
 * WORK_NEEDED.
 */
export async function logInWithPasskey(
  ctx: Context,
  { assertion, remember }: { assertion: PasskeyAssertion; remember: boolean },
): Promise<void> {
  const max = { network: LOGIN_ATTEMPTS_PER_IP_MAX, site: LOGIN_ATTEMPTS_PER_SITE_MAX };
  const giveBack = await limitNetworkByWork(ctx, "passkey-ip", max, LOGIN_FAILURES_WINDOW_MS);
  const { accountId, email } = await authenticateWithPasskey(ctx, loginPurpose(ctx), assertion);
  await startSession(ctx, accountId, { remember, failureCode: "PASSKEY_REFUSED" });
  await giveBack();
  markKnownDevice(ctx, email);
  rememberAccountOnDevice(ctx, accountId);
  askAboutSecondAccount(ctx, accountId);
}
