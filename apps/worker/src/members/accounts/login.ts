import { type BrandId, getBrand } from "@lambda/brands";
import type { ErrorCode } from "@lambda/contract/errors";
import {
  ACCOUNT_GRACE_MS,
  LOGIN_ATTEMPTS_PER_IP_MAX,
  LOGIN_ATTEMPTS_PER_SITE_MAX,
  LOGIN_FAILURES_MAX,
  LOGIN_FAILURES_PER_ADDRESS_MAX,
  LOGIN_FAILURES_WINDOW_MS,
} from "@lambda/contract/limits";
import { readRecoveryWords } from "@lambda/contract/lockdown";
import type { Context } from "../../platform/context.ts";
import { batch } from "../../platform/db/batch.ts";
import { failedGuard } from "../../platform/db/guard.ts";
import { AppError } from "../../platform/errors.ts";
import { originOf } from "../../platform/http/address.ts";
import { hashNetwork } from "../../platform/http/network.ts";
import { clearLimit, limit, limitNetwork } from "../../platform/rate-limits/limit.ts";
import { requireJoinWith, visitorProofQueries } from "../age/standing.ts";
import { findAddressBan, findDeviceBan, insertDeviceMatchQuery, markDevice } from "../bans/marks.ts";
import { addressMark, blockKeptAwayQuery } from "../blocks/kept-away.ts";
import { deleteLockdown, findWordsHash } from "../lockdown/queries.ts";
import { refuseLockedDown } from "../lockdown/refuse.ts";
import { startSession } from "../sessions/sessions.ts";
import { hashToken } from "../sessions/tokens.ts";
import { hasAsked, knownDevice, markKnown } from "./login-devices.ts";
import { mailboxOf } from "./mailbox.ts";
import { verifyPassword } from "./passwords.ts";
import {
  findAccountByEmail,
  findLoginCode,
  insertAccountQueries,
  reactivateAccountQueries,
  takeLoginCode,
} from "./queries.ts";

/** A one-time code is 256 random bits in base64url. */
const CODE_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** A login link: whose account it says it opens, and its one-time code. */
interface LoginLink {
  readonly email: string;
  readonly code: string;
  /** Whoever opens it was told whose account that is. */
  readonly confirmed: boolean;
}

/**
 * Logs in by password, or by the one-time code of a login link typed in the password's place; recovery words there end a lock-down.
 * Throws LOGIN_FAILED, LINK_EXPIRED for a code that is used or old, TOO_MANY_REQUESTS after too many failures.
 */
export async function logIn(
  ctx: Context,
  credentials: { email: string; password: string; remember: boolean },
): Promise<void> {
  const { email, password, remember } = credentials;
  const device = await knownDevice(ctx, email);
  if (device === undefined) await limitAttempts(ctx);
  const code = CODE_PATTERN.test(password) ? await findLoginCode(ctx.db, await hashToken(password)) : undefined;
  if (code) return logInByLink(ctx, { email, code: password, confirmed: true }, remember);

  const guards = guardsOf(ctx, email, device);
  for (const { name, max } of guards) await limit(ctx.env, name, max, LOGIN_FAILURES_WINDOW_MS);
  // Asked for of every address, so that a locked account takes no other time than a wrong password.
  const [account, wordsHash] = await Promise.all([
    findAccountByEmail(ctx.db, email),
    findWordsHash(ctx.db, email, ctx.now),
  ]);
  const matches = await verifyPassword(password, account?.password_hash);
  const words = readRecoveryWords(password);
  const endsLockdown = words !== undefined && (await verifyPassword(words, wordsHash));
  const mayPass = wordsHash === undefined ? matches : endsLockdown;
  const refusedAs = CODE_PATTERN.test(password) ? "LINK_EXPIRED" : "LOGIN_FAILED";
  // A deleted account comes back by a login link only: it proves the mailbox, not an old password.
  if (!account || !mayPass || account.ts_deleted !== null) throw new AppError(refusedAs);
  if (endsLockdown) await deleteLockdown(ctx.db, account.id);
  // First of all: a cookie or a cleared count would tell that the password was right.
  await startSession(ctx, account.id, { remember, refusedAs });
  for (const { name } of guards) await clearLimit(ctx.env, name);
  await markKnown(ctx, email);
  await markDevice(ctx, account.id);
}

/**
 * Logs in by a login link. Throws LINK_EXPIRED, LINK_OF_OTHER_SITE, and LINK_UNCONFIRMED on a device that did not ask for it: by
 * somebody else's link a member would go on as somebody whose owner reads all that they do. None of them uses the link up.
 */
export async function openLoginLink(ctx: Context, link: LoginLink, remember: boolean): Promise<void> {
  if ((await knownDevice(ctx, link.email)) === undefined) await limitAttempts(ctx);
  await logInByLink(ctx, link, remember);
}

function limitAttempts(ctx: Context): Promise<void> {
  const max = { network: LOGIN_ATTEMPTS_PER_IP_MAX, site: LOGIN_ATTEMPTS_PER_SITE_MAX };
  return limitNetwork(ctx, "login-ip", max, LOGIN_FAILURES_WINDOW_MS);
}

/**
 * What counts the failed passwords of an address. A device that logged in to it before is counted by itself, and no link is held up:
 * strangers lock nobody out by guessing.
 */
function guardsOf(ctx: Context, email: string, device: string | undefined) {
  if (device !== undefined) return [{ name: `login-device:${device}`, max: LOGIN_FAILURES_MAX }];
  return [
    { name: `login:${ctx.ip}:${email}`, max: LOGIN_FAILURES_MAX },
    { name: `login:${email}`, max: LOGIN_FAILURES_PER_ADDRESS_MAX },
  ];
}

async function logInByLink(ctx: Context, { email, code, confirmed }: LoginLink, remember: boolean): Promise<void> {
  const hash = await hashToken(code);
  const found = await findLoginCode(ctx.db, hash);
  if (!found || found.email !== email || found.ts_expires <= ctx.now) throw new AppError("LINK_EXPIRED");
  if (found.brand !== ctx.brand.id) throw ofOtherSite(found.brand);
  if (!confirmed && !(await hasAsked(ctx, email))) {
    const account = await findAccountByEmail(ctx.db, email);
    if (account === undefined || account.id !== ctx.viewer?.profileId) throw new AppError("LINK_UNCONFIRMED");
  }
  await redeem(ctx, { email, codeHash: hash, refusedAs: "LINK_EXPIRED" }, remember);
}

/**
 * Uses up what a mail brought, link and digits alike, and logs in to its account, which is made, or taken out of its grace period,
 * when need be. Throws LINK_EXPIRED when another request was first, and `refusedAs` while the account is locked down.
 */
export async function redeem(
  ctx: Context,
  { email, codeHash, refusedAs }: { email: string; codeHash: Uint8Array; refusedAs: ErrorCode },
  remember: boolean,
): Promise<void> {
  const known = await findAccountByEmail(ctx.db, email);
  // A code that came before the lock-down is not used up by it.
  if (known) await refuseLockedDown(ctx, known.id, refusedAs);
  const accountId = await takeAccount(ctx, email, codeHash, known);
  await startSession(ctx, accountId, { remember, refusedAs });
  for (const { name } of guardsOf(ctx, email, undefined)) await clearLimit(ctx.env, name);
  await markKnown(ctx, email);
  await markDevice(ctx, accountId);
}

async function takeAccount(
  ctx: Context,
  email: string,
  codeHash: Uint8Array,
  known: Awaited<ReturnType<typeof findAccountByEmail>>,
): Promise<number> {
  // Before the code is used up: who proves their age now can still open the link.
  if (!known) await requireJoinWith(ctx, (await findLoginCode(ctx.db, codeHash))?.age_ticket_hash);
  const row = await takeLoginCode(ctx.db, codeHash);
  if (!row) throw new AppError("LINK_EXPIRED");
  if (!known) {
    await createAccount(ctx, email, row);
  } else if (known.ts_deleted !== null) {
    // The grace is over: the purge may be at work, and what it took cannot come back. After it the member may begin anew.
    if (known.ts_deleted <= ctx.now - ACCOUNT_GRACE_MS) throw new AppError("LINK_EXPIRED");
    await batch(ctx.d1, reactivateAccountQueries(ctx.db, known.id, ctx.now));
  }
  const account = known ?? (await findAccountByEmail(ctx.db, email));
  if (!account) throw new AppError("INTERNAL");
  return account.id;
}

/** Throws AGE_PROOF_NEEDED when another account took the proof that came along. */
async function createAccount(
  ctx: Context,
  email: string,
  code: NonNullable<Awaited<ReturnType<typeof takeLoginCode>>>,
): Promise<void> {
  // A link that was asked for before the ban.
  if (await findAddressBan(ctx, mailboxOf(email))) throw new AppError("LINK_EXPIRED");
  const ban = await findDeviceBan(ctx);
  const [random] = crypto.getRandomValues(new Uint32Array(1));
  const account = {
    email,
    home_brand: code.brand,
    locale: code.locale,
    acknowledgements: code.acknowledgements,
    shared_on: ctx.brand.bit,
    random_order: random ?? 0,
    network: await hashNetwork(ctx.env.POSITION_KEY, ctx.ip),
    now: ctx.now,
  };
  const proof = visitorProofQueries(ctx, email, code.age_ticket_hash);
  try {
    await batch(ctx.d1, [
      ...insertAccountQueries(ctx.db, account),
      blockKeptAwayQuery(ctx.db, addressMark(ctx.env, mailboxOf(email)), email, ctx.now),
      ...proof,
      ...(ban ? [insertDeviceMatchQuery(ctx.db, ban, email, ctx.now)] : []),
    ]);
  } catch (error) {
    if (failedGuard(error)) throw new AppError("AGE_PROOF_NEEDED");
    throw error;
  }
}

function ofOtherSite(brandId: string): AppError {
  const brand = getBrand(brandId as BrandId);
  return new AppError("LINK_OF_OTHER_SITE", {
    message: `This link is for ${brand.name}. Open it there, as it stands in the mail: ${originOf(brand)}`,
  });
}
