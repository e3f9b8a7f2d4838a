/**
 * Mails that the mail service refuses temporarily are stored encrypted, because some contain login links, and retried with growing
 * delays until they expire.
 */
import { BRANDS, type Brand } from "@lambda/brands";
import { DAY_MS, MINUTE_MS } from "@lambda/contract/limits";
import { asciiDomain } from "@lambda/contract/typed";
import { sql } from "kysely";
import { itemsOf, openDatabase } from "../db/database.ts";
import { decrypt, encrypt } from "../encryption.ts";
import type { Env } from "../env.ts";
import { logFault } from "../log.ts";
import { count } from "../metrics/counts.ts";
import type { Mail } from "./compose.ts";
import { storeDevelopmentMail } from "./development-mails.ts";

const TRIES_PER_RUN_MAX = 50;
const KEY_LABEL = "mail-waiting";
/** Permanent refusals: faults of the mail itself, and mailboxes that reject us. */
const PERMANENT = /^E_(?:RECIPIENT_SUPPRESSED|VALIDATION\w*|FIELD_MISSING|TOO_MANY_\w+|CONTENT_TOO_LARGE|HEADER\w*)$/;

async function deliverMail(env: Env, brand: Brand, mail: Mail): Promise<void> {
  const at = mail.to.lastIndexOf("@") + 1;
  const domain = mail.to.slice(at);
  // Many mail servers read a domain only in the letters of the DNS.
  const to = mail.to.slice(0, at) + (asciiDomain(domain) ?? domain);
  await env.MAIL.send({ from: { email: brand.senderAddress, name: brand.name }, ...mail, to });
  count("mailsSent");
}

/**
 * Sends a mail in the brand's name. If the mail service refuses it, it is retried for as long as it is useful, and the person who
 * requested it never learns of the refusal.
 */
export async function sendMail(env: Env, brand: Brand, mail: Mail, usefulMs: number = DAY_MS): Promise<void> {
  if (__DEVELOPMENT__) await storeDevelopmentMail(env, brand, mail);
  try {
    await deliverMail(env, brand, mail);
    return;
  } catch (error) {
    if (isPermanent(brand.id, error)) return;
  }
  const now = Date.now();
  await openDatabase(env.DB)
    .insertInto("mail_queue")
    .values({
      brand: brand.id,
      sealed: encrypt(env, KEY_LABEL, JSON.stringify(mail)).toString("base64"),
      attempts: 1,
      ts_due: now + MINUTE_MS,
      ts_expires: now + usefulMs,
    })
    .execute();
}

/** Scheduled: claims due mails, so that concurrent runs do not send one twice, and retries them. */
export async function sendWaitingMails(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  await db.deleteFrom("mail_queue").where("ts_expires", "<=", now).execute();
  const due = await db
    .updateTable("mail_queue")
    .set({ attempts: sql<number>`attempts + 1`, ts_due: sql<number>`${now} + ${MINUTE_MS} * (1 << min(attempts, 8))` })
    .where("id", "in", (rows) =>
      rows.selectFrom("mail_queue").select("id").where("ts_due", "<=", now).orderBy("ts_due").limit(TRIES_PER_RUN_MAX),
    )
    .returning(["id", "brand", "sealed", "attempts"])
    .execute();
  const done: number[] = [];
  for (const { id, brand: brandId, sealed, attempts } of due) {
    const brand = BRANDS.find((candidate) => candidate.id === brandId);
    const mail = findMail(env, sealed);
    if (!brand || !mail) {
      done.push(id);
      continue;
    }
    try {
      await deliverMail(env, brand, mail);
      done.push(id);
    } catch (error) {
      if (isPermanent(brandId, error, attempts)) done.push(id);
    }
  }
  if (due.length === 0) return;
  await db
    .deleteFrom("mail_queue")
    .where("id", "in", (ids) => ids.selectFrom(itemsOf(done, "d")).select("d.value"))
    .execute();
  console.log(JSON.stringify({ level: "info", event: "mails-tried-again", tried: due.length, done: done.length }));
}

/** Whether a refusal, which is counted and logged, is for good. */
function isPermanent(brand: string, error: unknown, attempts?: number): boolean {
  const given = error instanceof Error && "code" in error ? String(error.code) : "";
  // Nothing that does not look like a code of the mail service's.
  const code = /^[A-Z][A-Z_]{2,60}$/.test(given) ? given : "";
  const isForGood = PERMANENT.test(code);
  count("mailsRefused");
  logFault({ event: isForGood ? "mail-refused" : "mail-waits", brand, code, ...(attempts && { attempts }) }, error);
  return isForGood;
}

/** Undefined if the key has changed since. */
function findMail(env: Env, sealed: string): Mail | undefined {
  try {
    return JSON.parse(decrypt(env, KEY_LABEL, Buffer.from(sealed, "base64")).toString()) as Mail;
  } catch (error) {
    logFault({ event: "mail-lost" }, error);
    return undefined;
  }
}
