/**
 * Mails that the mail service refuses temporarily are stored encrypted, because some contain login links, and retried with growing
 * delays until they expire.
 */
import { BRANDS, type Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { DAY_MS, MINUTE_MS } from "@lambda/contract/limits";
import type { PagePath } from "@lambda/contract/page-paths";
import { asciiDomain } from "@lambda/contract/typed";
import { sql } from "kysely";
import type { Context } from "../context.ts";
import { itemsOf, openDatabase } from "../db/database.ts";
import { developmentOrigin } from "../development/hosts.ts";
import { decrypt, encrypt } from "../encryption.ts";
import type { Env } from "../env.ts";
import { originOf } from "../http/address.ts";
import { logFault } from "../log.ts";
import { count } from "../metrics/counts.ts";

const TRIES_PER_RUN_MAX = 50;
const KEY_LABEL = "mail-waiting";
/** Permanent refusals: faults of the mail itself, and mailboxes that reject us. */
const PERMANENT = /^E_(?:RECIPIENT_SUPPRESSED|VALIDATION\w*|FIELD_MISSING|TOO_MANY_\w+|CONTENT_TOO_LARGE|HEADER\w*)$/;

/** Many mail servers read a domain only in the letters of the DNS. */
function toSendable(address: string): string {
  const at = address.lastIndexOf("@") + 1;
  return address.slice(0, at) + (asciiDomain(address.slice(at)) ?? address.slice(at));
}

async function deliverMail(env: Env, brand: Brand, mail: Mail): Promise<void> {
  const { replyTo, ...rest } = mail;
  const addresses = { to: toSendable(mail.to), ...(replyTo && { replyTo: toSendable(replyTo) }) };
  await env.MAIL.send({ from: { email: brand.senderAddress, name: brand.name }, ...rest, ...addresses });
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

/** A mail as text and as HTML with the same content. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly replyTo?: string;
}

/** A paragraph, a link, a login code, a section with a heading, or text that a person wrote. */
export type MailPart =
  | string
  | { readonly link: string; readonly action?: string }
  | { readonly code: string }
  | { readonly heading: string; readonly text: string }
  | { readonly quote: string };

/** The parts as text and HTML, ending with the operator's legal name. */
export function composeMail(
  { legalName }: Pick<Brand, "legalName">,
  to: string,
  subject: string,
  parts: readonly MailPart[],
): Mail {
  const all = [...parts, legalName];
  return { to, subject, text: all.map(toText).join("\n\n"), html: all.map(toHtml).join("") };
}

function toText(part: MailPart): string {
  if (typeof part === "string") return part;
  if ("link" in part) return part.link;
  if ("code" in part) return part.code;
  if ("heading" in part) return `${part.heading}\n${part.text}`;
  return part.quote.replace(/^/gm, "> ");
}

function toHtml(part: MailPart): string {
  if (typeof part === "string") return `<p>${escapeHtml(part)}</p>`;
  if ("link" in part) return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.action ?? part.link)}</a></p>`;
  if ("code" in part)
    return `<p style="font-size:28px;font-weight:bold;letter-spacing:4px">${escapeHtml(part.code)}</p>`;
  if ("heading" in part) return `<h2>${escapeHtml(part.heading)}</h2><p>${escapeHtml(part.text)}</p>`;
  return `<blockquote style="white-space:pre-line">${escapeHtml(part.quote)}</blockquote>`;
}

/** A day for the text of a mail, such as "March 5, 2027". In UTC, because nobody's time zone is known. */
export function formatDay(locale: Locale, time: number): string {
  return new Date(time).toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });
}

/** Escapes text for use between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** A page that exists, or a path of the API. */
type SitePath = "" | PagePath | `${PagePath}${"?" | "#"}${string}` | `/notice/${string}` | `/api/${string}`;

/**
 * A link to a path of the brand's site, for mails. In production it does not depend on the request: a caller who triggers a mail to somebody
 * else must not control the link's scheme, host or port.
 */
export function siteLink(ctx: Pick<Context, "brand" | "request" | "env">, path: SitePath): string {
  const localOrigin = __DEVELOPMENT__ ? developmentOrigin(ctx.request, ctx.env) : undefined;
  return `${localOrigin ?? originOf(ctx.brand)}${path}`;
}

export const DEVELOPMENT_PREFIX = "development-mail/";

/** Of a mail that was sent in development. */
export interface StoredMail extends Mail {
  readonly brand: string;
  readonly sent: string;
}

async function storeDevelopmentMail(env: Env, brand: Brand, mail: Mail): Promise<void> {
  const sent = new Date();
  // Sorts the newest first in R2's alphabetical listing.
  const order = String(8_640_000_000_000 - sent.getTime()).padStart(13, "0");
  const stored: StoredMail = { ...mail, brand: brand.id, sent: sent.toISOString() };
  await env.PICTURES.put(`${DEVELOPMENT_PREFIX}${order}-${crypto.randomUUID()}`, JSON.stringify(stored));
}
