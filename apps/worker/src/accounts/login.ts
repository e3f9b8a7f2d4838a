import { storedBrand } from "@lambda/brands";
import { parseClosingDay } from "@lambda/contract/closing";
import type { ErrorCode } from "@lambda/contract/errors";
import {
  ACCOUNT_DELETION_GRACE_MS,
  LOGIN_ATTEMPTS_PER_IP_MAX,
  LOGIN_ATTEMPTS_PER_SITE_MAX,
  LOGIN_FAILURES_MAX,
  LOGIN_FAILURES_PER_ADDRESS_MAX,
  LOGIN_FAILURES_WINDOW_MS,
} from "@lambda/contract/limits";
import { normalizeRecoveryWords } from "@lambda/contract/lockdown";
import { asSeen } from "@lambda/contract/typed";
import type { Context } from "../platform/context.ts";
import { batch, passesGuards } from "../platform/db/database.ts";
import { AppError } from "../platform/errors.ts";
import { originOf } from "../platform/http/address.ts";
import { hashNetwork } from "../platform/http/network.ts";
import { limitNetworkByWork } from "../platform/proof-of-work.ts";
import { clearLimit, enforceLimit } from "../platform/rate-limits/limit.ts";
import {
  findAddressBan,
  findDeviceBan,
  insertDeviceMatchQuery,
  rememberAccountOnDevice,
} from "../visibility/bans/marks.ts";
import { requireJoinAllowedWithProof, transferVisitorProofQueries } from "./age/require-proof.ts";
import { newLattices } from "./lattices.ts";
import { requireNotLockedDown } from "./lockdown/check.ts";
import { findKnownDevice, hasRequestedLink, markKnownDevice } from "./login-devices.ts";
import { mailboxOf } from "./mailbox.ts";
import { newHandle } from "./passkey-handles.ts";
import { verifyPassword } from "./passwords.ts";
import {
  consumeLoginCode,
  findAccountByEmail,
  findAccountOfMailbox,
  findLoginCode,
  insertAccountQueries,
} from "./queries.ts";
import { startSession } from "./sessions/sessions.ts";
import { hashToken } from "./sessions/tokens.ts";
import { statusFromActions } from "./status.ts";

/** A one-time code is 256 random bits in base64url. */
const CODE_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** A login link: the address that it is for, and its one-time code. */
interface LoginLink {
  readonly email: string;
  readonly code: string;
  /** The visitor was shown whose account it is and confirmed. */
  readonly confirmed: boolean;
}

/**
 * Logs in with a password, or with the one-time code of a login link in the password field, and returns the account. Throws LOCKDOWN_ENDED for
 * recovery words, which open no session, LOGIN_FAILED, LINK_EXPIRED for a used or expired code, and TOO_MANY_REQUESTS
 * after too many failures for the address, and WORK_NEEDED after too many of the network.
 */
export async function logIn(
  ctx: Context,
  credentials: { email: string; password: string; remember: boolean },
): Promise<number> {
  const { email, password, remember } = credentials;
  const device = findKnownDevice(ctx, email);
  const giveBack = device === undefined ? await limitAttempts(ctx) : undefined;
  const pasted = asSeen(password);
  const code = CODE_PATTERN.test(pasted) ? await findLoginCode(ctx.db, await hashToken(pasted)) : undefined;
  if (code) {
    const id = await redeemLink(ctx, { email, code: pasted, confirmed: true }, remember);
    await giveBack?.();
    return id;
  }

  const limits = failureLimitsOf(ctx, email, device);
  for (const { name, max } of limits) await enforceLimit(ctx.env, name, max, LOGIN_FAILURES_WINDOW_MS);
  const account = await findAccountOfMailbox(ctx.db, email);
  // Looked up for every address, so that a locked account responds as slowly as a wrong password.
  const row = await ctx.db
    .selectFrom("lockdown")
    .select("words_hash")
    .where("account_id", "=", account?.id ?? 0)
    .where("ts_until", ">", ctx.now)
    .executeTakeFirst();
  const wordsHash = row?.words_hash;
  const matches = await verifyPassword(password, account?.password_hash);
  const words = normalizeRecoveryWords(password);
  const endsLockdown = words !== undefined && (await verifyPassword(words, wordsHash));
  const failureCode = CODE_PATTERN.test(pasted) ? "LINK_EXPIRED" : "LOGIN_FAILED";
  // Only a login link restores a deleted account: it proves access to the mailbox, which an old password does not.
  if (!account || account.ts_deleted !== null) throw new AppError(failureCode);
  if (endsLockdown) {
    // The words are used up.
    await ctx.db.deleteFrom("lockdown").where("account_id", "=", account.id).execute();
    throw new AppError("LOCKDOWN_ENDED");
  }
  if (!matches || wordsHash !== undefined) throw new AppError(failureCode);
  // Must come first: a cookie or a reset counter would reveal that the password was right.
  await startSession(ctx, account.id, { remember, failureCode });
  for (const { name } of limits) await clearLimit(ctx.env, name);
  await giveBack?.();
  markKnownDevice(ctx, email);
  rememberAccountOnDevice(ctx, account.id);
  return account.id;
}

/**
 * Logs in with a login link and returns the account; throws LINK_EXPIRED, LINK_OF_OTHER_SITE, and LINK_UNCONFIRMED on a device that did not
 * request it, without using the link up. Without that confirmation, a link sent by an attacker would log a member in to
 * the attacker's account, where the attacker could read everything they do.
 */
export async function logInWithLink(ctx: Context, link: LoginLink, remember: boolean): Promise<number> {
  const giveBack = findKnownDevice(ctx, link.email) === undefined ? await limitAttempts(ctx) : undefined;
  const id = await redeemLink(ctx, link, remember);
  await giveBack?.();
  return id;
}

/** Counts an attempt before it is known to fail, as concurrent ones must; success gives it back. */
function limitAttempts(ctx: Context): Promise<() => Promise<void>> {
  const max = { network: LOGIN_ATTEMPTS_PER_IP_MAX, site: LOGIN_ATTEMPTS_PER_SITE_MAX };
  return limitNetworkByWork(ctx, "login-ip", max, LOGIN_FAILURES_WINDOW_MS);
}

/**
 * The limits on failed passwords for an address. A device that logged in before has a limit of its own and links have
 * none, so that strangers cannot lock anybody out by guessing.
 */
function failureLimitsOf(ctx: Context, email: string, device: string | undefined) {
  if (device !== undefined) return [{ name: `login-device:${device}`, max: LOGIN_FAILURES_MAX }];
  const mailbox = mailboxOf(email);
  return [
    { name: `login:${ctx.ip}:${mailbox}`, max: LOGIN_FAILURES_MAX },
    { name: `login:${mailbox}`, max: LOGIN_FAILURES_PER_ADDRESS_MAX },
  ];
}

async function redeemLink(ctx: Context, link: LoginLink, remember: boolean): Promise<number> {
  const hash = await hashToken(link.code);
  const loginCode = await findLoginCode(ctx.db, hash);
  if (!loginCode || loginCode.ts_expires <= ctx.now) throw new AppError("LINK_EXPIRED");
  // The address may have been typed in another spelling than the one that the mail went to.
  if (mailboxOf(loginCode.email) !== mailboxOf(link.email)) throw new AppError("LINK_EXPIRED");
  const { email } = loginCode;
  if (loginCode.brand !== ctx.brand.id) {
    const brand = storedBrand(loginCode.brand);
    const message = `This link is for ${brand.name}. Open it there, as it stands in the mail: ${originOf(brand)}`;
    throw new AppError("LINK_OF_OTHER_SITE", { message });
  }
  if (!link.confirmed && !hasRequestedLink(ctx, email)) {
    const account = await findAccountByEmail(ctx.db, email);
    if (account === undefined || account.id !== ctx.viewer?.profileId) throw new AppError("LINK_UNCONFIRMED");
  }
  return redeemLoginCode(ctx, { email, codeHash: hash, failureCode: "LINK_EXPIRED" }, remember);
}

/**
 * Uses up a mailed code, by link or digits, and logs in to its account, which is created or restored if necessary and returned.
 * Throws LINK_EXPIRED if another request used the code first, and `failureCode` while the account is locked down.
 */
export async function redeemLoginCode(
  ctx: Context,
  { email, codeHash, failureCode }: { email: string; codeHash: Uint8Array; failureCode: ErrorCode },
  remember: boolean,
): Promise<number> {
  const existing = await findAccountByEmail(ctx.db, email);
  // A link from before the end of the site was announced.
  if (!existing && parseClosingDay(ctx.env.CLOSING_ON) !== undefined) throw new AppError("LINK_EXPIRED");
  // Checked before the code is used up, so that it survives the lock-down.
  if (existing) await requireNotLockedDown(ctx, existing.id, failureCode);
  const accountId = await getOrCreateAccount(ctx, email, codeHash, existing);
  await startSession(ctx, accountId, { remember, failureCode });
  for (const { name } of failureLimitsOf(ctx, email, undefined)) await clearLimit(ctx.env, name);
  markKnownDevice(ctx, email);
  rememberAccountOnDevice(ctx, accountId);
  return accountId;
}

async function getOrCreateAccount(
  ctx: Context,
  email: string,
  codeHash: Uint8Array,
  existing: Awaited<ReturnType<typeof findAccountByEmail>>,
): Promise<number> {
  // Checked before the code is used up: a visitor who then proves their age can still open the link.
  if (!existing) await requireJoinAllowedWithProof(ctx, await findLoginCode(ctx.db, codeHash));
  const row = await consumeLoginCode(ctx.db, codeHash);
  if (!row) throw new AppError("LINK_EXPIRED");
  if (!existing) {
    await createAccount(ctx, email, row);
  } else if (existing.ts_deleted !== null) {
    // The grace period is over and the purge may already be running, so nothing can be restored. Afterwards the address
    // can register again.
    if (existing.ts_deleted <= ctx.now - ACCOUNT_DELETION_GRACE_MS) throw new AppError("LINK_EXPIRED");
    await batch(ctx.d1, [
      ctx.db.updateTable("account").set({ ts_deleted: null }).where("id", "=", existing.id),
      ctx.db
        .updateTable("profile")
        .set({ status: statusFromActions(ctx.now) })
        .where("id", "=", existing.id)
        .where("status", "=", "deleted"),
    ]);
  }
  const account = existing ?? (await findAccountByEmail(ctx.db, email));
  // A mail to another spelling of the mailbox has just created its account.
  if (!account) throw new AppError("LINK_EXPIRED");
  return account.id;
}

/**
 * Throws AGE_PROOF_NEEDED if another account has claimed the proof of age that came with the link, and LINK_EXPIRED if one has the
 * mailbox under another spelling: the link in a mail to that spelling opens it.
 */
async function createAccount(
  ctx: Context,
  email: string,
  code: NonNullable<Awaited<ReturnType<typeof consumeLoginCode>>>,
): Promise<void> {
  const mailbox = mailboxOf(email);
  // The link may have been requested before the ban, or before the account.
  if ((await findAddressBan(ctx, mailbox)) || (await findAccountOfMailbox(ctx.db, email)))
    throw new AppError("LINK_EXPIRED");
  const ban = await findDeviceBan(ctx);
  const [random] = crypto.getRandomValues(new Uint32Array(1));
  const account = {
    email,
    home_brand: code.brand,
    locale: code.locale,
    acknowledgements: code.acknowledgements,
    network: hashNetwork(ctx.env, ctx.ip),
    mailbox,
    lattices: newLattices(ctx.env),
    passkey_handle: newHandle(),
    ts_created: ctx.now,
  };
  const profile = { shared_on: ctx.brand.bit, random_order: random ?? 0 };
  const proof = transferVisitorProofQueries(ctx, email, code.age_ticket_hash);
  const inserted = batch(ctx.d1, [
    ...insertAccountQueries(ctx.db, account, profile),
    ...proof,
    ...(ban ? [insertDeviceMatchQuery(ctx.db, ban, email, ctx.now)] : []),
  ]);
  if (!(await passesGuards(inserted))) throw new AppError("AGE_PROOF_NEEDED");
}
