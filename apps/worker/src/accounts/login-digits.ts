/**
 * The six digits of a login mail, for members who read mail in a different browser from the one that requested it. Six
 * digits can be guessed, so they work only with the ticket of the requesting page, and for five tries.
 */
import { timingSafeEqual } from "node:crypto";
import {
  DAY_MS,
  LOGIN_DIGITS_PER_IP_MAX,
  LOGIN_DIGITS_PER_MAILBOX_MAX,
  LOGIN_DIGITS_PER_MAILBOX_TOTAL_MAX,
  LOGIN_DIGITS_PER_SITE_MAX,
  LOGIN_DIGITS_TRIES_MAX,
} from "@lambda/contract/limits";
import type { Context } from "../platform/context.ts";
import { AppError } from "../platform/errors.ts";
import { limitNetworkByWork } from "../platform/proof-of-work.ts";
import { isWithinLimit } from "../platform/rate-limits/limit.ts";
import { redeemLoginCode } from "./login.ts";
import { findKnownDevice } from "./login-devices.ts";
import { mailboxOf } from "./mailbox.ts";
import { hashToken } from "./sessions/tokens.ts";

const DIGITS = 6;
const CODE_COUNT = 10 ** DIGITS;
/** Rejects draws above the last whole million, which would make some codes likelier than others. */
const UNBIASED_BELOW = Math.floor(2 ** 32 / CODE_COUNT) * CODE_COUNT;

export function generateDigits(): string {
  for (;;) {
    const [drawn = UNBIASED_BELOW] = crypto.getRandomValues(new Uint32Array(1));
    if (drawn < UNBIASED_BELOW) return String(drawn % CODE_COUNT).padStart(DIGITS, "0");
  }
}

/** Salted with the ticket, which is never stored: somebody who reads the database cannot try a million codes. */
export const hashDigits = (ticket: string, digits: string): Promise<Uint8Array> => hashToken(`${ticket}:${digits}`);

/**
 * Logs in with the digits of a mail and returns the account. Throws CODE_WRONG for wrong digits, used-up tries and unknown tickets alike, after
 * the same work, and WORK_NEEDED depending on the network alone.
 */
export async function logInWithDigits(
  ctx: Context,
  { ticket, digits, remember }: { ticket: string; digits: string; remember: boolean },
): Promise<number> {
  const { email, codeHash } = await verifyDigits(ctx, ticket, digits);
  return redeemLoginCode(ctx, { email, codeHash, failureCode: "CODE_WRONG" }, remember);
}

/**
 * Returns the address that the mail went to and its code, which is not used up yet. Counts the try, and throws what
 * `logInWithDigits` throws.
 */
export async function verifyDigits(
  ctx: Context,
  ticket: string,
  digits: string,
): Promise<{ email: string; codeHash: Uint8Array }> {
  const max = { network: LOGIN_DIGITS_PER_IP_MAX, site: LOGIN_DIGITS_PER_SITE_MAX };
  const giveBack = await limitNetworkByWork(ctx, "login-digits-ip", max, DAY_MS);
  // Counts the try; no row once the tries are used up.
  const code = await ctx.db
    .updateTable("login_code")
    .set((eb) => ({ digits_tries: eb("digits_tries", "+", 1) }))
    .where("ticket_hash", "=", await hashToken(ticket))
    .where("purpose", "=", "login")
    .where("brand", "=", ctx.brand.id)
    .where("ts_expires", ">", ctx.now)
    .where("digits_tries", "<", LOGIN_DIGITS_TRIES_MAX)
    .returning(["code_hash", "email", "digits_hash"])
    .executeTakeFirst();
  const isWithinMax = await isWithinTries(ctx, code?.email, ticket);
  const hash = await hashDigits(ticket, digits);
  if (!code?.digits_hash || !isWithinMax || !timingSafeEqual(hash, toBytes(code.digits_hash)))
    throw new AppError("CODE_WRONG");
  await giveBack();
  return { email: code.email, codeHash: toBytes(code.code_hash) };
}

/** D1 returns a BLOB as an array of numbers, whatever the row's type says. */
const toBytes = (blob: Uint8Array): Uint8Array => new Uint8Array(blob);

/**
 * Counts a try for the mailbox: by network, so that no stranger uses up its tries, and for all networks together, so
 * that many cannot guess. A device that logged in before has its own limit; an unknown ticket does the same work.
 */
async function isWithinTries(ctx: Context, email: string | undefined, ticket: string): Promise<boolean> {
  const within = (name: string, max: number) => isWithinLimit(ctx.env, name, max, DAY_MS);
  const device = email === undefined ? undefined : findKnownDevice(ctx, email);
  if (device !== undefined) return within(`login-digits-device:${device}`, LOGIN_DIGITS_PER_MAILBOX_MAX);
  const mailbox = email === undefined ? `ticket:${ticket}` : mailboxOf(email);
  return (
    (await within(`login-digits:${ctx.site ?? ctx.ip}:${mailbox}`, LOGIN_DIGITS_PER_MAILBOX_MAX)) &&
    (await within(`login-digits:${mailbox}`, LOGIN_DIGITS_PER_MAILBOX_TOTAL_MAX))
  );
}
