/**
 * What a ban leaves for a year, so that it holds against the same address, the same device and the same pictures. Nothing of it can be
 * read without a key of the server, and a device is known by its own cookie alone: docs/decisions/2026-11-22-what-a-ban-leaves.md.
 */
import { BAN_HOLDS_MS } from "@lambda/contract/limits";
import type { Rule } from "@lambda/contract/moderation";
import { sql } from "kysely";
import type { Context } from "../../platform/context.ts";
import type { Compiled } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import { deletePortion } from "../../platform/db/rounds.ts";
import type { BanMarkRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { BAN_COOKIE, readCookie, setHiddenCookie } from "../../platform/http/cookies.ts";
import { HASH_QUALITY_MIN } from "../../platform/images/perceptual-hash.ts";

/** Accounts that a device remembers having logged in to, the latest first. */
const ACCOUNTS_PER_DEVICE_MAX = 4;

export interface NewBan {
  readonly profileId: number;
  /** What the member's address reaches. */
  readonly mailbox: string;
  readonly caseRef: string;
  readonly brand: string;
  readonly rule: Rule;
}

type Keeper = { readonly env: Env; readonly db: Database; readonly now: number };

/** For the batch of a ban: the address, the account as devices know it, and the public pictures as they look. */
export async function banMarkQueries({ env, db, now }: Keeper, ban: NewBan): Promise<Compiled[]> {
  const pictures = await db
    .selectFrom("picture as pic")
    .innerJoin("picture_hash as h", "h.picture_id", "pic.id")
    .select("h.hash")
    .where("pic.profile_id", "=", ban.profileId)
    .where("pic.audience", "=", sql.lit("public"))
    .where("h.quality", ">=", sql.lit(HASH_QUALITY_MIN))
    .execute();
  const values = [
    { kind: "address" as const, mark: await macOf(env, "address", ban.mailbox) },
    { kind: "device" as const, mark: await macOf(env, "device", String(ban.profileId)) },
    ...(await Promise.all(
      pictures.map(async ({ hash }) => ({ kind: "picture" as const, mark: await sealHash(env, hash) })),
    )),
  ];
  const { caseRef: case_ref, brand, rule } = ban;
  const row = { case_ref, brand, rule, ts_created: now, ts_until: now + BAN_HOLDS_MS };
  return values.map((mark) =>
    db
      .insertInto("ban_mark")
      .values({ ...row, ...mark })
      .compile(),
  );
}

/** For the batch that lifts a ban. What another ban left of the same member holds. */
export function forgetBanQuery(db: Database, caseRef: string): Compiled {
  return db.deleteFrom("ban_mark").where("case_ref", "=", caseRef).compile();
}

/** Run by schedule: what bans left a year ago. */
export function deleteOldBanMarks(db: Database, now: number, atOnce: number): Promise<boolean> {
  const due = db.selectFrom("ban_mark").select("id").where("ts_until", "<=", now).limit(atOnce);
  return deletePortion(db.deleteFrom("ban_mark").where("id", "in", due), atOnce);
}

/** The ban that holds against an address, if any. */
export async function findAddressBan({ env, db, now }: Keeper, mailbox: string): Promise<BanMarkRow | undefined> {
  const mark = await macOf(env, "address", mailbox);
  return findBan(db, "address", [mark], now);
}

/** The ban of an account that was used on the asking device, if any. */
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

/** Lets the device remember the account, keyed: neither the device nor who reads the cookie can tell which it is. */
export async function markDevice(ctx: Pick<Context, "env" | "request" | "responseHeaders">, accountId: number) {
  const own = await macOf(ctx.env, "device", String(accountId));
  const marks = [own, ...deviceMarks(ctx.request).filter((mark) => mark !== own)].slice(0, ACCOUNTS_PER_DEVICE_MAX);
  setHiddenCookie(ctx.responseHeaders, BAN_COOKIE, marks.join("."), BAN_HOLDS_MS / 1000);
}

function deviceMarks(request: Request): string[] {
  const marks = (readCookie(request, BAN_COOKIE) ?? "").split(".").filter((mark) => /^[\w-]{43}$/.test(mark));
  return marks.slice(0, ACCOUNTS_PER_DEVICE_MAX);
}

/** A new account on a device of a banned one: staff look at it. The account is found by its address, as it is made in the same batch. */
export function insertDeviceMatchQuery(db: Database, ban: BanMarkRow, email: string, now: number): Compiled {
  return db
    .insertInto("ban_match")
    .columns(["profile_id", "kind", "case_ref", "rule", "brand", "ts_created"])
    .expression((select) =>
      select
        .selectFrom("account")
        .select((eb) => [
          "id as profile_id",
          eb.val<"device">("device").as("kind"),
          eb.val(ban.case_ref).as("case_ref"),
          eb.val(ban.rule).as("rule"),
          "home_brand as brand",
          eb.val(now).as("ts_created"),
        ])
        .where("email", "=", email),
    )
    .compile();
}

/** The label keeps what is made for one purpose from standing for another, though the key is that of the positions. */
async function macOf({ POSITION_KEY }: Env, kind: "address" | "device", value: string): Promise<string> {
  const encoder = new TextEncoder();
  const secret = encoder.encode(`ban-${kind}:${POSITION_KEY}`);
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return Buffer.from(await crypto.subtle.sign("HMAC", key, encoder.encode(value))).toString("base64url");
}

/** What a picture looks like must be compared bit by bit, which no keyed hash allows: it is encrypted. */
async function sealHash(env: Env, hash: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await pictureKey(env), Buffer.from(hash, "hex"));
  return Buffer.concat([iv, new Uint8Array(sealed)]).toString("base64url");
}

/** Undefined for a mark of another key. */
export async function openHash(env: Env, mark: string): Promise<string | undefined> {
  const bytes = Buffer.from(mark, "base64url");
  try {
    const iv = bytes.subarray(0, 12);
    const opened = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, await pictureKey(env), bytes.subarray(12));
    return Buffer.from(opened).toString("hex");
  } catch {
    return undefined;
  }
}

async function pictureKey({ POSITION_KEY }: Env): Promise<CryptoKey> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`ban-picture:${POSITION_KEY}`));
  return crypto.subtle.importKey("raw", digest, "AES-GCM", false, ["encrypt", "decrypt"]);
}
