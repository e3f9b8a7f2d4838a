import type { Registration } from "@lambda/contract/accounts";
import {
  LOGIN_CODE_TTL_MS,
  LOGIN_LINKS_PER_IP_MAX,
  LOGIN_LINKS_PER_SITE_MAX,
  LOGIN_LINKS_WINDOW_MS,
} from "@lambda/contract/limits";
import type { z } from "zod";
import type { Context } from "../../platform/context.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { siteLink } from "../../platform/mail/site-link.ts";
import { limitNetwork } from "../../platform/rate-limits/limit.ts";
import { requireOpenToJoin, visitorProof } from "../age/standing.ts";
import { bannedMail } from "../bans/mail.ts";
import { findAddressBan } from "../bans/marks.ts";
import { isLockedDown } from "../lockdown/refuse.ts";
import { hashToken, newToken } from "../sessions/tokens.ts";
import { knownDevice, markAsking } from "./login-devices.ts";
import { hashDigits, newDigits } from "./login-digits.ts";
import { loginMail } from "./login-mail.ts";
import { mayMail } from "./mail-limits.ts";
import { mailboxOf } from "./mailbox.ts";
import { findAccountByEmail, insertLoginCode } from "./queries.ts";

/**
 * Sends a login link; the account is made when the link is used. Nothing here looks the address up, so neither the answer
 * nor its timing can tell whether it is known. Throws TOO_MANY_REQUESTS for one network; a flooded mailbox gets the same answer
 * and no mail. Answers the ticket with which the mail's digits log in.
 */
export async function requestLoginLink(ctx: Context, registration: z.output<typeof Registration>): Promise<string> {
  const max = { network: LOGIN_LINKS_PER_IP_MAX, site: LOGIN_LINKS_PER_SITE_MAX };
  await limitNetwork(ctx, "link-ip", max, LOGIN_LINKS_WINDOW_MS);
  const ageTicketHash = await mayJoin(ctx, registration);
  await markAsking(ctx, registration.email);
  const ticket = newToken();
  ctx.waitUntil(sendLoginMail(ctx, registration, ticket, ageTicketHash));
  return ticket;
}

/**
 * The ticket of a proof of age that goes along, if there is one. Throws CLOSED_HERE or AGE_PROOF_NEEDED, by the place alone: a device
 * that has logged in to this address before gets its link wherever it is.
 */
async function mayJoin(ctx: Context, { email, locale }: z.output<typeof Registration>): Promise<Uint8Array | null> {
  const ticketHash = await visitorProof(ctx);
  if (ticketHash === null && (await knownDevice(ctx, email)) === undefined) requireOpenToJoin(ctx, locale);
  return ticketHash;
}

async function sendLoginMail(
  ctx: Context,
  { email, acknowledgements, locale }: z.output<typeof Registration>,
  ticket: string,
  ageTicketHash: Uint8Array | null,
): Promise<void> {
  const known = (await knownDevice(ctx, email)) !== undefined;
  if (!(await mayMail(ctx, email, { known }))) return;
  if (await isLockedDown(ctx.db, email, ctx.now)) return;
  const ban = await findAddressBan(ctx, mailboxOf(email));
  // An account that is there is let in, a banned one to read why and to appeal.
  if (ban && !(await findAccountByEmail(ctx.db, email))) {
    const contact = siteLink(ctx, "/contact");
    return sendMail(ctx.env, ctx.brand, bannedMail(ctx.brand, locale, email, { until: ban.ts_until, contact }));
  }
  const code = newToken();
  const digits = newDigits();
  await insertLoginCode(ctx.db, {
    code_hash: await hashToken(code),
    email,
    brand: ctx.brand.id,
    locale,
    acknowledgements,
    age_ticket_hash: ageTicketHash,
    ts_expires: ctx.now + LOGIN_CODE_TTL_MS,
    ticket_hash: await hashToken(ticket),
    digits_hash: await hashDigits(ticket, digits),
  });
  const token = Buffer.from(`${email}:${code}`).toString("base64url");
  const link = siteLink(ctx, `/login?token=${token}`);
  await sendMail(ctx.env, ctx.brand, loginMail(ctx.brand, locale, email, { link, digits }), LOGIN_CODE_TTL_MS);
}
