import type { Registration } from "@lambda/contract/accounts";
import { parseClosingDay } from "@lambda/contract/closing";
import { defineCopy } from "@lambda/contract/copy";
import {
  DAY_MS,
  HOUR_MS,
  LOGIN_CODE_TTL_MS,
  LOGIN_LINKS_PER_HOUR_NORMAL,
  LOGIN_LINKS_PER_IP_MAX,
  LOGIN_LINKS_PER_SITE_MAX,
  LOGIN_LINKS_WINDOW_MS,
  PROOF_MAILS_FREE_PER_DAY,
} from "@lambda/contract/limits";
import type { z } from "zod";
import type { Context } from "../platform/context.ts";
import { AppError } from "../platform/errors.ts";
import { logFault } from "../platform/log.ts";
import { composeMail, formatDay, sendMail, siteLink } from "../platform/mail/send-mail.ts";
import { doneWork, limitNetworkByWork } from "../platform/proof-of-work.ts";
import { budgetFactor, isWithinLimit } from "../platform/rate-limits/limit.ts";
import { bannedMail } from "../visibility/bans/mail.ts";
import { findAddressBan } from "../visibility/bans/marks.ts";
import { findVisitorTicket, requireJoinAllowed } from "./age/require-proof.ts";
import { loginMailCopy } from "./copy.ts";
import { isLockedDown } from "./lockdown/check.ts";
import { findKnownDevice, markLinkRequested } from "./login-devices.ts";
import { generateDigits, hashDigits } from "./login-digits.ts";
import { isWithinMailLimits } from "./mail-limits.ts";
import { mailboxOf } from "./mailbox.ts";
import { findAccountOfMailbox } from "./queries.ts";
import { hashToken, newToken } from "./sessions/tokens.ts";
import { mayJoinUnopened } from "./team.ts";

/**
 * Sends a login link and returns the ticket that its digits need; throws WORK_NEEDED, while a flooded mailbox gets the
 * same response and no mail, CLOSED_HERE or AGE_PROOF_NEEDED, and NOT_OPEN before the brand opens, also for the team, whose mails are
 * sent. Nothing before the response looks the address up, so neither response nor timing reveals whether it is known.
 *
 * @param memberId who is logged in and proves to own the account: strangers' requests must not hold that up
 */
export async function requestLoginLink(
  ctx: Context,
  registration: z.output<typeof Registration>,
  memberId?: number,
): Promise<string> {
  const max = { network: LOGIN_LINKS_PER_IP_MAX, site: LOGIN_LINKS_PER_SITE_MAX };
  const isFree =
    memberId !== undefined &&
    (await isWithinLimit(ctx.env, `proof-mail:${memberId}`, PROOF_MAILS_FREE_PER_DAY, DAY_MS));
  const { email, locale, proof } = registration;
  // A device that logged in before has its mailbox's own few links, whatever strangers of its network or of the site request.
  const isKnown = findKnownDevice(ctx, email) !== undefined;
  const work = doneWork(ctx, proof);
  if (!isFree && !isKnown) await limitNetworkByWork(ctx, "link-ip", max, LOGIN_LINKS_WINDOW_MS, work);
  const ageTicketHash = await findVisitorTicket(ctx);
  // Depends on the place alone; a device that has logged in to this address before gets its link anywhere.
  if (ageTicketHash === null && !isKnown) requireJoinAllowed(ctx, locale);
  if (!isFree && !isKnown) await requireWork(ctx, work);
  markLinkRequested(ctx, email);
  const ticket = newToken();
  ctx.waitUntil(sendLoginMail(ctx, registration, { ticket, ageTicketHash, by: memberId ?? null }));
  if (ctx.notOpen) throw new AppError("NOT_OPEN");
  return ticket;
}

/** How many times the normal number of links an hour need no work, the usual work, and eight times that; all others take 64 times. */
const WORK_FACTORS = [1, 2, 8];

/**
 * Throws WORK_NEEDED while the whole site is asked for more links than usual, whoever asks: an account, a mail and its pictures cost the
 * site, and a new mailbox costs an attacker nothing. Refuses nobody who does the work.
 */
async function requireWork(ctx: Context, work: () => Promise<number>): Promise<void> {
  if (!ctx.quotas) return;
  for (const [step, factor] of WORK_FACTORS.entries()) {
    const max = factor * LOGIN_LINKS_PER_HOUR_NORMAL * budgetFactor(ctx.env);
    // Without its counter a site still has the limits of networks and mailboxes.
    const isWithin = await isWithinLimit(ctx.env, `links-${step}`, max, HOUR_MS).catch((error) => {
      logFault({ event: "links" }, error);
      return true;
    });
    if (isWithin) return;
    if ((await work()) <= step) throw new AppError("WORK_NEEDED", { limit: step });
  }
}

async function sendLoginMail(
  ctx: Context,
  { email, acknowledgements, locale }: z.output<typeof Registration>,
  { ticket, ageTicketHash, by }: { ticket: string; ageTicketHash: Uint8Array | null; by: number | null },
): Promise<void> {
  const { brand } = ctx;
  const cause = { kind: "login", by } as const;
  const known = findKnownDevice(ctx, email) !== undefined;
  if (ctx.notOpen && !(await mayJoinUnopened(ctx, email))) return;
  if (!(await isWithinMailLimits(ctx, email, { known }))) return;
  const account = await findAccountOfMailbox(ctx.db, email);
  if (account && (await isLockedDown(ctx.db, account.id, ctx.now))) return;
  // Existing accounts get their link; a banned member needs it to read the reason and to appeal.
  const ban = account ? undefined : await findAddressBan(ctx, mailboxOf(email));
  if (ban) {
    const contact = siteLink(ctx, "/support");
    return sendMail(ctx.env, brand, bannedMail(brand, locale, email, { until: ban.ts_until, contact }), cause);
  }
  const until = parseClosingDay(ctx.env.CLOSING_ON);
  if (!account && until !== undefined) {
    // To the address only, so that nobody else learns that it has no account.
    const { noAccount, noAccountLead, ignore } = closingMailCopy[locale];
    const parts = [noAccountLead(brand.name, formatDay(locale, until)), ignore];
    return sendMail(ctx.env, brand, composeMail(brand, email, noAccount(brand.name), parts), cause);
  }
  // Never to another spelling than the account's own: at some providers it reaches somebody else.
  const to = account?.email ?? email;
  const code = newToken();
  const digits = generateDigits();
  const row = {
    code_hash: await hashToken(code),
    email: to,
    purpose: "login",
    brand: brand.id,
    locale,
    acknowledgements,
    age_ticket_hash: ageTicketHash,
    ts_expires: ctx.now + LOGIN_CODE_TTL_MS,
    ticket_hash: await hashToken(ticket),
    digits_hash: await hashDigits(ticket, digits),
  } as const;
  await ctx.db.insertInto("login_code").values(row).execute();
  const token = Buffer.from(`${to}:${code}`).toString("base64url");
  const link = siteLink(ctx, `/login?token=${token}`);
  // Names the brand, where the login was requested, and nothing about the member.
  const copy = loginMailCopy[locale];
  const mail = composeMail(brand, to, copy.subject(brand.name), [
    copy.lead(brand.name),
    { link, action: copy.action },
    copy.digits,
    { code: digits },
    copy.keep(brand.name),
    copy.ignore,
  ]);
  await sendMail(ctx.env, brand, mail, { ...cause, usefulMs: LOGIN_CODE_TTL_MS });
}

const closingMailCopy = defineCopy({
  en: {
    noAccount: (brand: string) => `No new account on ${brand}`,
    noAccountLead: (brand: string, day: string) =>
      `Someone asked for a new account on ${brand} with this address. The site closes on ${day} and takes nobody new.`,
    ignore: "If it wasn't you, you don't have to do anything. Nobody else was told.",
  },
  es: {
    noAccount: (brand) => `Ninguna cuenta nueva en ${brand}`,
    noAccountLead: (brand, day) =>
      `Alguien pidió una cuenta nueva en ${brand} con esta dirección. El sitio cierra el ${day} y ya no admite a nadie.`,
    ignore: "Si no fuiste tú quien la pidió, no tienes que hacer nada. No se lo dijimos a nadie más.",
  },
});
