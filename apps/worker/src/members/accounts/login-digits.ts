/**
 * The six digits of a login mail, for who reads mail in another browser than the one that asked. Six digits can be guessed, so they are
 * good only with the ticket of the page that asked, and for five tries.
 */
import { timingSafeEqual } from "node:crypto";
import {
  DAY_MS,
  LOGIN_DIGITS_PER_IP_MAX,
  LOGIN_DIGITS_PER_MAILBOX_MAX,
  LOGIN_DIGITS_PER_SITE_MAX,
} from "@lambda/contract/limits";
import type { Context } from "../../platform/context.ts";
import { AppError } from "../../platform/errors.ts";
import { isWithinLimit, limitNetwork } from "../../platform/rate-limits/limit.ts";
import { hashToken } from "../sessions/tokens.ts";
import { redeem } from "./login.ts";
import { knownDevice } from "./login-devices.ts";
import { mailboxOf } from "./mailbox.ts";
import { updateDigitsTries } from "./queries.ts";

const DIGITS = 6;
const COUNT = 10 ** DIGITS;
/** Draws above the last whole million would make some digits likelier. */
const FAIR_BELOW = Math.floor(2 ** 32 / COUNT) * COUNT;

export function newDigits(): string {
  for (;;) {
    const [drawn = FAIR_BELOW] = crypto.getRandomValues(new Uint32Array(1));
    if (drawn < FAIR_BELOW) return String(drawn % COUNT).padStart(DIGITS, "0");
  }
}

/** Salted with the ticket, which nobody stores: who reads the database cannot try a million digits. */
export function hashDigits(ticket: string, digits: string): Promise<Uint8Array> {
  return hashToken(`${ticket}:${digits}`);
}

/**
 * Logs in by the digits of a mail. Throws CODE_WRONG alike for wrong digits, used-up tries and tickets that nobody was given, after the
 * same work, and TOO_MANY_REQUESTS by the network alone.
 */
export async function logInByDigits(
  ctx: Context,
  { ticket, digits, remember }: { ticket: string; digits: string; remember: boolean },
): Promise<void> {
  const { email, codeHash } = await checkDigits(ctx, ticket, digits);
  await redeem(ctx, { email, codeHash, refusedAs: "CODE_WRONG" }, remember);
}

/** Whose mail it was and its code, which is not used up yet. Counts the try, and throws what `logInByDigits` does. */
export async function checkDigits(
  ctx: Context,
  ticket: string,
  digits: string,
): Promise<{ email: string; codeHash: Uint8Array }> {
  const max = { network: LOGIN_DIGITS_PER_IP_MAX, site: LOGIN_DIGITS_PER_SITE_MAX };
  await limitNetwork(ctx, "login-digits-ip", max, DAY_MS);
  const tried = await updateDigitsTries(ctx.db, {
    ticketHash: await hashToken(ticket),
    brand: ctx.brand.id,
    now: ctx.now,
  });
  const counted = tried ? await counterOf(ctx, tried.email) : `login-digits-ticket:${ticket}`;
  const isCounted = await isWithinLimit(ctx.env, counted, LOGIN_DIGITS_PER_MAILBOX_MAX, DAY_MS);
  const hash = await hashDigits(ticket, digits);
  if (!tried?.digits_hash || !isCounted || !timingSafeEqual(hash, bytesOf(tried.digits_hash)))
    throw new AppError("CODE_WRONG");
  return { email: tried.email, codeHash: bytesOf(tried.code_hash) };
}

/** D1 answers a BLOB as an array of numbers, whatever the row's type says. */
function bytesOf(blob: Uint8Array): Uint8Array {
  return new Uint8Array(blob);
}

/** A device that logged in before is counted by itself, so that strangers' guesses leave it its own. */
async function counterOf(ctx: Context, email: string): Promise<string> {
  const device = await knownDevice(ctx, email);
  return device === undefined ? `login-digits:${mailboxOf(email)}` : `login-digits-device:${device}`;
}
