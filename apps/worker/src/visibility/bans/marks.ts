/**
 * The marks that a ban leaves for a year, so that it holds against the same address, device and pictures. They cannot
 * be read without a server key, and a device is recognized only by its own cookie:
 * docs/decisions/2026-11-22-data-kept-after-a-ban.md.
 */
import { BAN_EVASION_WINDOW_MS, SESSION_REMEMBERED_MS } from "@lambda/contract/limits";
import type { Rule } from "@lambda/contract/moderation";
import { sql } from "kysely";
import type { Context } from "../../platform/context.ts";
import { type Database, insertFrom, type Query } from "../../platform/db/database.ts";
import type { BanMarkRow } from "../../platform/db/tables.ts";
import { decrypt, encrypt } from "../../platform/encryption.ts";
import type { Env } from "../../platform/env.ts";
import { readCookie, setHttpOnlyCookie, USED_ACCOUNTS_COOKIE } from "../../platform/http/cookies.ts";
import { HASH_QUALITY_MIN } from "../../platform/images/perceptual-hash.ts";
import { mac, macs } from "../../platform/keys.ts";
import type { Viewer } from "../../platform/viewer.ts";

/** Accounts that a device remembers having logged in to, the latest first. */
const ACCOUNTS_PER_DEVICE_MAX = 4;

export interface NewBan {
  readonly profileId: number;
  /** The mailbox of the member's address, see mailboxOf. */
  readonly mailbox: string;
  readonly caseRef: string;
  readonly brand: string;
  readonly rule: Rule;
}

type BanContext = { readonly env: Env; readonly db: Database; readonly now: number };

/**
 * Part of the batch of a ban: marks the address, the account as devices remember it, and the hashes of the public
 * pictures.
 */
export async function banMarkQueries({ env, db, now }: BanContext, ban: NewBan): Promise<Query[]> {
  const pictures = await db
    .selectFrom("picture as pic")
    .innerJoin("picture_hash as h", "h.picture_id", "pic.id")
    .select(["h.hash", "h.sealed_print"])
    .where("pic.profile_id", "=", ban.profileId)
    .where("pic.audience", "=", sql.lit("public"))
    .where("h.quality", ">=", sql.lit(HASH_QUALITY_MIN))
    .execute();
  const values = [
    { kind: "address" as const, mark: mac(env, "ban-address", ban.mailbox).toString("base64url") },
    // A device may remember the account under an older key.
    ...deviceMarksOf(env, ban.profileId).map((mark) => ({ kind: "device" as const, mark })),
    ...pictures.map(({ hash, sealed_print }) => ({
      kind: "picture" as const,
      // Compared bit by bit, which a keyed hash would prevent, so they are encrypted.
      mark: encrypt(env, "ban-picture", Buffer.from(hash, "hex")).toString("base64url"),
      sealed_print: sealed_print && Buffer.from(sealed_print),
    })),
  ];
  const { caseRef: case_ref, brand, rule } = ban;
  const row = { case_ref, brand, rule, ts_created: now, ts_until: now + BAN_EVASION_WINDOW_MS };
  return values.map((mark) => db.insertInto("ban_mark").values({ ...row, ...mark }));
}

export function findAddressBan({ env, db, now }: BanContext, mailbox: string): Promise<BanMarkRow | undefined> {
  const marks = macs(env, "ban-address", mailbox).map((mark) => mark.toString("base64url"));
  return findBan(db, "address", marks, now);
}

/** Finds the ban in force against an account that was used on this device. */
export function findDeviceBan({ db, now, request }: Pick<Context, "db" | "now" | "request">) {
  const marks = deviceMarks(request);
  return marks.length === 0 ? Promise.resolve(undefined) : findBan(db, "device", marks, now);
}

function findBan(db: Database, kind: BanMarkRow["kind"], marks: readonly string[], now: number) {
  return db
    .selectFrom("ban_mark")
    .selectAll()
    .where("kind", "=", kind)
    .where("mark", "in", marks)
    .where("ts_until", ">", now)
    .orderBy("id", "desc")
    .executeTakeFirst();
}

/**
 * Remembers the account in a cookie, keyed: neither the device nor anybody who reads the cookie can tell which account
 * it is.
 */
export function rememberAccountOnDevice(
  ctx: Pick<Context, "env" | "request" | "responseHeaders">,
  accountId: number,
): void {
  const own = deviceMarksOf(ctx.env, accountId);
  setDeviceMarks(ctx, [...own.slice(0, 1), ...deviceMarks(ctx.request).filter((mark) => !own.includes(mark))]);
}

/**
 * Forgets the account on this device at logout. The mark of a suspended or banned account stays: otherwise a logout would evade the ban.
 */
export function forgetAccountOnDevice(
  ctx: Pick<Context, "env" | "request" | "responseHeaders">,
  { profileId, status }: Pick<Viewer, "profileId" | "status">,
): void {
  const marks = deviceMarks(ctx.request);
  if (status === "suspended" || status === "banned" || marks.length === 0) return;
  const own = deviceMarksOf(ctx.env, profileId);
  setDeviceMarks(
    ctx,
    marks.filter((mark) => !own.includes(mark)),
  );
}

function setDeviceMarks({ responseHeaders }: Pick<Context, "responseHeaders">, marks: readonly string[]): void {
  const value = marks.slice(0, ACCOUNTS_PER_DEVICE_MAX).join(".");
  setHttpOnlyCookie(responseHeaders, USED_ACCOUNTS_COOKIE, value, value === "" ? 0 : SESSION_REMEMBERED_MS / 1000);
}

function deviceMarks(request: Request): string[] {
  const marks = (readCookie(request, USED_ACCOUNTS_COOKIE) ?? "").split(".").filter((mark) => /^[\w-]{43}$/.test(mark));
  return marks.slice(0, ACCOUNTS_PER_DEVICE_MAX);
}

/**
 * Reports to staff a new account on the device of a banned member. Finds the account by its address, because the same
 * batch creates it.
 */
export function insertDeviceMatchQuery(db: Database, ban: BanMarkRow, email: string, now: number): Query {
  const { case_ref, rule } = ban;
  const account = db
    .selectFrom("account")
    .select(["id as profile_id", "home_brand as brand"])
    .where("email", "=", email);
  return insertFrom(db, "ban_match", account, { kind: "device", case_ref, rule, ts_created: now });
}

/** The newest key's first. */
function deviceMarksOf(env: Env, accountId: number): string[] {
  return macs(env, "ban-device", String(accountId)).map((mark) => mark.toString("base64url"));
}

/** Returns undefined for a mark made with another key. */
export function decryptPictureHash(env: Env, mark: string): string | undefined {
  try {
    return decrypt(env, "ban-picture", Buffer.from(mark, "base64url")).toString("hex");
  } catch {
    return undefined;
  }
}
