import { DAY_MS, EMAIL_CHANGES_PER_DAY_MAX, LOGIN_CODE_TTL_MS } from "@lambda/contract/limits";
import { canonicalAddress } from "@lambda/contract/typed";
import { sql } from "kysely";
import { batch, guardQuery, hasRow, insertIf, isGuardFailure } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import { requireFresh } from "../../platform/fresh.ts";
import { composeMail, prepareMail, sendMail, siteLink } from "../../platform/mail/send-mail.ts";
import { enforceLimit } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { bannedMail } from "../../visibility/bans/mail.ts";
import { findAddressBan } from "../../visibility/bans/marks.ts";
import { encryptLattices } from "../lattices.ts";
import { isWithinMailLimits } from "../mail-limits.ts";
import { mailboxOf } from "../mailbox.ts";
import { selectOwnerOfAddress } from "../queries.ts";
import { closeEndedSockets, endAccessQueries, endEmailChangeQueries } from "../sessions/end-access.ts";
import { hashToken, newToken } from "../sessions/tokens.ts";
import { settingsMailCopy } from "./copy.ts";
import { getAccount, updateAccountQuery } from "./queries.ts";

/** Counts a requested change of address. Throws TOO_MANY_REQUESTS, before anything is written. */
export function limitEmailChange({ env, viewer }: MemberContext): Promise<void> {
  return enforceLimit(env, `email-change:${viewer.profileId}`, EMAIL_CHANGES_PER_DAY_MAX, DAY_MS);
}

/**
 * Mails a confirmation link to the new address and a warning to the current one, in place of an earlier change. The
 * response is the same whether or not another account has the address. A member may spell the own mailbox otherwise.
 */
export async function requestEmailChange(
  ctx: MemberContext,
  { email, current, locale }: { email: string; current: string; locale: "en" | "es" },
): Promise<void> {
  const { env, db, brand, viewer } = ctx;
  // So that a change can be stopped before it happens. It does not name the new address.
  const { subject, lead, action } = settingsMailCopy[locale].addressRequested;
  const parts = [lead(brand.name), { link: siteLink(ctx, "/settings#sessions"), action }];
  const warning = composeMail(brand, current, subject(brand.name), parts);
  const mail = prepareMail(env, brand, warning, "addressRequested", viewer.profileId);
  await batch(ctx.d1, [
    ...endEmailChangeQueries(db, viewer.profileId),
    updateAccountQuery(db, viewer.profileId, { email_pending: email }),
    ...mail.queries,
  ]);
  ctx.waitUntil(mail.deliver());
  ctx.waitUntil(sendConfirmation(ctx, { email, current, locale }));
}

async function sendConfirmation(
  ctx: MemberContext,
  { email, current, locale }: { email: string; current: string; locale: "en" | "es" },
): Promise<void> {
  const { env, db, brand, viewer, now } = ctx;
  if (!(await isWithinMailLimits(ctx, email, { known: false }))) return;
  const { confirmEmail, addressInUse } = settingsMailCopy[locale];
  const owner = await selectOwnerOfAddress(db, email, { id: viewer.profileId, current }).executeTakeFirst();
  // The owner learns of the attempt, the member who made it does not.
  if (owner) {
    const inUse = composeMail(brand, owner.email, addressInUse.subject(brand.name), [addressInUse.lead]);
    return sendMail(env, brand, inUse, { kind: "addressInUse", by: viewer.profileId });
  }
  const ban = await findAddressBan(ctx, mailboxOf(email));
  if (ban) {
    const contact = siteLink(ctx, "/support");
    const banned = bannedMail(brand, locale, email, { until: ban.ts_until, contact });
    return sendMail(env, brand, banned, { kind: "login", by: viewer.profileId });
  }
  const code = newToken();
  const row = {
    code_hash: await hashToken(code),
    email,
    purpose: "email" as const,
    account_id: viewer.profileId,
    session_id: viewer.sessionId,
    brand: brand.id,
    locale,
    ts_expires: now + LOGIN_CODE_TTL_MS,
  };
  // Both may have ended meanwhile: the change, and the session that requested it.
  const isWanted = db
    .selectFrom("session as s")
    .innerJoin("account as a", "a.id", "s.account_id")
    .select("s.id")
    .where("s.id", "=", viewer.sessionId)
    .where("a.email_pending", "=", email);
  const isStored = await hasRow(insertIf(db, "login_code", row, ({ exists }) => exists(isWanted)).returning("email"));
  if (!isStored) return;
  // Sent to the new address: only somebody who reads its mail can complete the change.
  const confirmation = { link: siteLink(ctx, `/settings?confirm=${code}`), action: confirmEmail.action };
  const parts = [confirmEmail.lead(brand.name), confirmation];
  const mail = composeMail(brand, email, confirmEmail.subject(brand.name), parts);
  await sendMail(env, brand, mail, { kind: "login", by: viewer.profileId, usefulMs: LOGIN_CODE_TTL_MS });
}

/**
 * Throws CONFIRMATION_NEEDED unless the session is fresh, LINK_EXPIRED for a code that is used, expired, ended, another
 * member's or of another address than the member was shown, and CONFLICT if the address has been taken meanwhile.
 */
export async function confirmEmailChange(
  ctx: MemberContext,
  { token, email, keep }: { token: string; email: string; keep: readonly number[] },
): Promise<void> {
  const { db, brand, viewer, now } = ctx;
  requireFresh(viewer, now);
  const account = await getAccount(db, viewer.profileId);
  const pending = account.email_pending;
  // Only the address that was requested last can be confirmed, in any spelling.
  if (pending === null || canonicalAddress(pending) !== canonicalAddress(email)) throw new AppError("LINK_EXPIRED");
  // Deleted, so that it works once.
  const code = db
    .deleteFrom("login_code")
    .where("code_hash", "=", await hashToken(token))
    .where("purpose", "=", "email")
    .where("account_id", "=", viewer.profileId)
    .where("email", "=", pending)
    .where("ts_expires", ">", now)
    .returning("email");
  if (!(await hasRow(code))) throw new AppError("LINK_EXPIRED");
  const owner = selectOwnerOfAddress(db, pending, { id: account.id, current: account.email });
  // The member's cells stay where they are: old and new ones would overlap in areas smaller than a cell.
  const lattices = account.lattices ?? encryptLattices(ctx.env, account);
  // Sent to the old address, so that a thief cannot make the change unnoticed.
  const { subject, lead } = settingsMailCopy[account.locale].addressChanged;
  const parts = [lead(brand.name, brand.operatorAddress)];
  const warning = composeMail(brand, account.email, subject(brand.name), parts);
  const mail = prepareMail(ctx.env, brand, warning, "addressChanged", viewer.profileId);
  try {
    await batch(ctx.d1, [
      guardQuery(db, sql<boolean>`not exists ${owner}`),
      // Before the address changes: codes under way are found by the old one.
      ...endAccessQueries(db, viewer.profileId, { now, keptSession: viewer.sessionId, kept: keep, settles: true }),
      updateAccountQuery(db, viewer.profileId, {
        email: pending,
        mailbox: mailboxOf(pending),
        lattices,
        lattice_seed: null,
      }),
      ...mail.queries,
    ]);
  } catch (error) {
    if (isGuardFailure(error) || /UNIQUE constraint failed: account\.email/.test(String(error)))
      throw new AppError("CONFLICT");
    throw error;
  }
  ctx.waitUntil(mail.deliver());
  closeEndedSockets(ctx);
}
