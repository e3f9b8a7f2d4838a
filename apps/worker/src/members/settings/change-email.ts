import { ALL_BRANDS_MASK } from "@lambda/brands";
import { LOGIN_CODE_TTL_MS, LOGIN_LINKS_PER_IP_MAX, LOGIN_LINKS_WINDOW_MS } from "@lambda/contract/limits";
import { batch } from "../../platform/db/batch.ts";
import { AppError } from "../../platform/errors.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { siteLink } from "../../platform/mail/site-link.ts";
import { enforceLimit } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { latticeSeed } from "../accounts/lattice-seed.ts";
import { isWithinMailLimits } from "../accounts/mail-limits.ts";
import { mailboxOf } from "../accounts/mailbox.ts";
import { findAccountByEmail } from "../accounts/queries.ts";
import { bannedMail } from "../bans/mail.ts";
import { findAddressBan } from "../bans/marks.ts";
import { closeEndedSockets } from "../sessions/close-sockets.ts";
import { hashToken, newToken } from "../sessions/tokens.ts";
import { addressChangedMail, addressInUseMail, confirmEmailMail } from "./mails.ts";
import {
  consumeEmailCode,
  deleteOtherSessionsQuery,
  getAccount,
  insertEmailCode,
  updateAccount,
  updateAccountQuery,
} from "./queries.ts";

/**
 * Mails a confirmation link to the new address, which takes effect when that link is opened, and responds the same whether or not another
 * account has the address. Throws TOO_MANY_REQUESTS.
 */
export async function requestEmailChange(ctx: MemberContext, email: string, locale: "en" | "es"): Promise<void> {
  await enforceLimit(ctx.env, `email-change:${ctx.viewer.profileId}`, LOGIN_LINKS_PER_IP_MAX, LOGIN_LINKS_WINDOW_MS);
  await updateAccount(ctx.db, ctx.viewer.profileId, { email_pending: email });
  ctx.waitUntil(sendConfirmation(ctx, email, locale));
}

async function sendConfirmation(ctx: MemberContext, email: string, locale: "en" | "es"): Promise<void> {
  const { env, db, brand, viewer, now } = ctx;
  if (!(await isWithinMailLimits(ctx, email, { known: false }))) return;
  if (await findAccountByEmail(db, email)) return sendMail(env, brand, addressInUseMail(brand, locale, email));
  const ban = await findAddressBan(ctx, mailboxOf(email));
  if (ban) {
    const contact = siteLink(ctx, "/support");
    return sendMail(env, brand, bannedMail(brand, locale, email, { until: ban.ts_until, contact }));
  }
  const code = newToken();
  await insertEmailCode(db, {
    code_hash: await hashToken(code),
    email,
    account_id: viewer.profileId,
    brand: brand.id,
    locale,
    ts_expires: now + LOGIN_CODE_TTL_MS,
  });
  const link = siteLink(ctx, `/settings?confirm=${code}`);
  await sendMail(env, brand, confirmEmailMail(brand, locale, email, link), LOGIN_CODE_TTL_MS);
}

/**
 * Throws LINK_EXPIRED for a code that is used, expired or another member's, and CONFLICT if the address has been taken
 * in the meantime.
 */
export async function confirmEmailChange(ctx: MemberContext, token: string): Promise<void> {
  const { db, viewer, now } = ctx;
  const code = await consumeEmailCode(db, await hashToken(token));
  if (!code || code.account_id !== viewer.profileId || code.ts_expires <= now) throw new AppError("LINK_EXPIRED");
  const account = await getAccount(db, viewer.profileId);
  // Only the address that was requested last can be confirmed.
  if (account.email_pending !== code.email) throw new AppError("LINK_EXPIRED");
  if (await findAccountByEmail(db, code.email)) throw new AppError("CONFLICT");
  // Keeps the member's cells where they are: old and new ones would overlap in areas smaller than a cell.
  const lattice_seed = await latticeSeed(ctx.env.POSITION_KEY, account);
  try {
    await batch(ctx.d1, [
      updateAccountQuery(db, viewer.profileId, { email: code.email, email_pending: null, lattice_seed }),
      deleteOtherSessionsQuery(db, viewer.profileId, viewer.sessionId),
    ]);
  } catch (error) {
    // Another account took the address after the check above.
    if (/UNIQUE constraint failed: account\.email/.test(String(error))) throw new AppError("CONFLICT");
    throw error;
  }
  closeEndedSockets(ctx);
  ctx.waitUntil(sendMail(ctx.env, ctx.brand, addressChangedMail(ctx.brand, account.locale, account.email)));
}

/** Restricts the chosen brands to existing ones, and adds the home brand, which always shows the member. */
export function sharedMask(chosen: number, homeBit: number): number {
  return (chosen & ALL_BRANDS_MASK) | homeBit;
}
