import {
  ACCOUNT_GRACE_MS,
  LOGIN_ATTEMPTS_PER_IP_MAX,
  LOGIN_FAILURES_MAX,
  LOGIN_FAILURES_WINDOW_MS,
} from "@lambda/contract/limits";
import type { Context } from "../../context.ts";
import { batch } from "../../db/batch.ts";
import { AppError } from "../../errors.ts";
import { clearLimit, limit } from "../rate-limits/limit.ts";
import { startSession } from "../sessions/sessions.ts";
import { hashToken } from "../sessions/tokens.ts";
import { verifyPassword } from "./passwords.ts";
import { findAccountByEmail, insertAccount, reactivateAccount, takeLoginCode } from "./queries.ts";

/** A one-time code is 256 random bits in base64url. */
const CODE_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Logs in by password, or by the one-time code of a login link in the password's place. Throws LOGIN_FAILED, LINK_EXPIRED
 * for a code that is used or old, TOO_MANY_REQUESTS after too many failures.
 */
export async function logIn(
  ctx: Context,
  credentials: { email: string; password: string; remember: boolean },
): Promise<void> {
  const { email, password, remember } = credentials;
  await limit(ctx.env, `login-ip:${ctx.ip}`, LOGIN_ATTEMPTS_PER_IP_MAX, LOGIN_FAILURES_WINDOW_MS);

  const code = CODE_PATTERN.test(password);
  const viaLink = code ? await redeemCode(ctx, email, password) : undefined;
  const accountId = viaLink ?? (await passwordLogin(ctx, email, password, code ? "LINK_EXPIRED" : "LOGIN_FAILED"));
  await clearLimit(ctx.env, guardOf(email));
  await startSession(ctx, accountId, { remember, viaLink: viaLink !== undefined });
}

/** Counts failed passwords of one address. A link is not held up by it: nobody locks a member out by guessing. */
const guardOf = (email: string) => `login:${email}`;

async function passwordLogin(
  ctx: Context,
  email: string,
  password: string,
  failure: "LOGIN_FAILED" | "LINK_EXPIRED",
): Promise<number> {
  await limit(ctx.env, guardOf(email), LOGIN_FAILURES_MAX, LOGIN_FAILURES_WINDOW_MS);
  const account = await findAccountByEmail(ctx.db, email);
  const matches = await verifyPassword(password, account?.password_hash);
  // A deleted account comes back by a login link only: it proves the mailbox, not an old password.
  if (!account || !matches || account.ts_deleted !== null) throw new AppError(failure);
  return account.id;
}

/** The account of a login link; made, or taken out of its grace period, when need be. Undefined: no such code. */
async function redeemCode(ctx: Context, email: string, code: string): Promise<number | undefined> {
  const row = await takeLoginCode(ctx.db, await hashToken(code));
  if (!row) return undefined;
  if (row.email !== email || row.brand !== ctx.brand.id || row.ts_expires <= ctx.now)
    throw new AppError("LINK_EXPIRED");

  const known = await findAccountByEmail(ctx.db, email);
  if (!known) {
    const [random] = crypto.getRandomValues(new Uint32Array(1));
    await batch(
      ctx.d1,
      insertAccount(ctx.db, {
        email,
        home_brand: row.brand,
        locale: row.locale,
        acknowledgements: row.acknowledgements,
        shared_on: ctx.brand.bit,
        tie_key: random ?? 0,
        now: ctx.now,
      }),
    );
  } else if (known.ts_deleted !== null) {
    // His grace is over: the purge may be at work, and what it took cannot come back. After it he may begin anew.
    if (known.ts_deleted <= ctx.now - ACCOUNT_GRACE_MS) throw new AppError("LINK_EXPIRED");
    await batch(ctx.d1, reactivateAccount(ctx.db, known.id, ctx.now));
  }
  const account = known ?? (await findAccountByEmail(ctx.db, email));
  if (!account) throw new AppError("INTERNAL");
  return account.id;
}
