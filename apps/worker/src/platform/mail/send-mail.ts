/**
 * Mails that are owed are stored with what they tell of, and any that the mail service refuses temporarily. They are encrypted, because
 * some contain login links, and tried with growing delays until they expire.
 */
import { BRANDS, type Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { WORK_PRICES } from "@lambda/contract/cost";
import { DAY_MS, MAILS_OTHER_PER_DAY_MAX, MAILS_PER_DAY_MAX, MINUTE_MS } from "@lambda/contract/limits";
import type { PagePath } from "@lambda/contract/pages";
import { asciiDomain } from "@lambda/contract/typed";
import { type Insertable, type SelectQueryBuilder, sql } from "kysely";
import type { Context } from "../context.ts";
import { type Database, itemsOf, openDatabase, type Query } from "../db/database.ts";
import type { MailQueueTable, Tables } from "../db/tables.ts";
import { developmentOrigin } from "../development/hosts.ts";
import { decrypt, encrypt } from "../encryption.ts";
import type { Env } from "../env.ts";
import { randomId } from "../hash.ts";
import { originOf } from "../http/address.ts";
import { logFault } from "../log.ts";
import { count } from "../metrics/counts.ts";
import { budgetFactor, countHit, getLimiter } from "../rate-limits/limit.ts";
import { chargeMember } from "../rate-limits/usage.ts";

const TRIES_PER_RUN_MAX = 50;
const KEY_LABEL = "mail-waiting";
/** Permanent refusals: faults of the mail itself, and mailboxes that reject us. */
const PERMANENT = /^E_(?:RECIPIENT_SUPPRESSED|VALIDATION\w*|FIELD_MISSING|TOO_MANY_\w+|CONTENT_TOO_LARGE|HEADER\w*)$/;

/** Many mail servers read a domain only in the letters of the DNS. */
function toSendable(address: string): string {
  const at = address.lastIndexOf("@") + 1;
  return address.slice(0, at) + (asciiDomain(address.slice(at)) ?? address.slice(at));
}

/** What a mail may have to wait for. */
const KINDS = {
  /** Nothing: without it nobody gets in. Its requests have limits of their own, and cost work beyond the usual number. */
  login: "atOnce",
  /** Nothing: until the sender of a notice has it, no picture is hidden. Notices cost work beyond the usual number. */
  noticeReceipt: "atOnce",
  /** Nothing: the operator ends the site, at a pace of its own. */
  closing: "atOnce",
  /** To a member, about their own act. Of each kind one a day goes at once, and one for all others when the day is over. */
  passwordChanged: "own",
  addressRequested: "own",
  addressChanged: "own",
  addressInUse: "own",
  passkeyAdded: "own",
  passkeyCloned: "own",
  loggedOutEverywhere: "own",
  lockdownSignal: "own",
  lockdownWords: "own",
  accountDeleted: "own",
  dataDownloaded: "own",
  /** About a decision, which somebody must get. */
  statement: "owed",
  noticeQuestion: "owed",
  noticeDecision: "owed",
  noticeAlarm: "owed",
  /** A hint at a stored row, which strangers can request: they use up no more than half of the site's budget. */
  letter: "other",
} as const;

export interface MailCause {
  readonly kind: keyof typeof KINDS;
  /** The member whose session caused it, and whose day pays for it; null for strangers, staff and the schedule. */
  readonly by: number | null;
}

interface WaitingMail extends Mail {
  readonly kind: MailCause["kind"];
}

async function deliverMail(env: Env, brand: Brand, { to, subject, text, html, replyTo }: Mail): Promise<void> {
  await env.MAIL.send({
    from: { email: brand.senderAddress, name: brand.name },
    to: toSendable(to),
    subject,
    text,
    html,
    ...(replyTo && { replyTo: toSendable(replyTo) }),
  });
  count("mailsSent");
}

/**
 * Sends a mail in the brand's name, and charges whoever caused it. If it has to wait, or the mail service refuses it, it is tried again for as
 * long as it is useful, and the person who requested it never learns of that.
 */
export async function sendMail(
  env: Env,
  brand: Brand,
  mail: Mail,
  { kind, by, usefulMs = DAY_MS }: MailCause & { readonly usefulMs?: number },
): Promise<void> {
  const dayMs = await untilNext(env, kind, mail.to);
  if (dayMs === "enough") return;
  await chargeFor(env, by);
  const waitMs = dayMs > 0 ? dayMs : await spendMailBudget(env, kind);
  if (waitMs === 0 && (await tryMail(env, brand, mail))) return;
  await storeMail(env, brand, { ...mail, kind }, { waitMs, usefulMs });
}

async function chargeFor(env: Env, by: MailCause["by"]): Promise<void> {
  if (by !== null) await chargeMember(env, by, WORK_PRICES.mail).catch((error) => logFault({ event: "mail" }, error));
}

/** A mail for the batch that writes what it tells of, so that neither happens without the other. */
export interface PreparedMail {
  readonly queries: readonly Query[];
  /** Sends it once the batch has run. If this never ends, the schedule sends the mail a minute later. */
  readonly deliver: () => Promise<void>;
}

export const NO_MAIL: PreparedMail = { queries: [], deliver: () => Promise.resolve() };

/** Prepares a mail in the brand's name. The day of whoever caused it pays once it is sent. */
export function prepareMail(
  env: Env,
  brand: Brand,
  mail: Mail,
  kind: MailCause["kind"],
  by: MailCause["by"] = null,
): PreparedMail {
  const id = randomId();
  const now = Date.now();
  const times = { id, attempts: 0, ts_due: now + MINUTE_MS, ts_expires: now + DAY_MS };
  return {
    queries: [insertMailQuery(env, brand, { ...mail, kind }, times)],
    deliver: async () => {
      const db = openDatabase(env.DB);
      const waitMs = await untilNext(env, kind, mail.to);
      if (waitMs === "enough") {
        await db.deleteFrom("mail_queue").where("id", "=", id).where("attempts", "=", 0).execute();
        return;
      }
      await chargeFor(env, by);
      if (waitMs > 0) return putOff(db, id, now, waitMs);
      await sendClaimed(env, now, (rows) => rows.where("id", "=", id).where("attempts", "=", 0));
    },
  };
}

/** Tries once; false if the mail service refused it for now. */
export async function tryMail(env: Env, brand: Brand, mail: Mail, attempts = 1): Promise<boolean> {
  if (__DEVELOPMENT__ && attempts === 1) await storeDevelopmentMail(env, brand, mail);
  try {
    await deliverMail(env, brand, mail);
    return true;
  } catch (error) {
    return isPermanent(brand.id, error, attempts);
  }
}

/** Keeps a mail that the mail service refused for now. */
export const keepMail = (env: Env, brand: Brand, mail: Mail, kind: MailCause["kind"], usefulMs: number) =>
  storeMail(env, brand, { ...mail, kind }, { waitMs: 0, usefulMs });

/** Keeps a mail until it can go. Without `waitMs` it was tried once. */
async function storeMail(
  env: Env,
  brand: Brand,
  mail: WaitingMail,
  { waitMs, usefulMs }: { readonly waitMs: number; readonly usefulMs: number },
): Promise<void> {
  const now = Date.now();
  await insertMailQuery(env, brand, mail, {
    attempts: waitMs > 0 ? 0 : 1,
    ts_due: now + (waitMs > 0 ? waitMs : MINUTE_MS),
    ts_expires: now + waitMs + usefulMs,
  }).execute();
}

function insertMailQuery(
  env: Env,
  brand: Brand,
  mail: WaitingMail,
  row: Omit<Insertable<MailQueueTable>, "brand" | "sealed">,
) {
  const sealed = encrypt(env, KEY_LABEL, JSON.stringify(mail)).toString("base64");
  return openDatabase(env.DB)
    .insertInto("mail_queue")
    .values({ ...row, brand: brand.id, sealed });
}

/**
 * How long a mail about an own act waits, as others of its kind went to that mailbox today; "enough" if one waits already. Named by the mailbox,
 * so that an address which was used before a change is warned too.
 */
async function untilNext(env: Env, kind: MailCause["kind"], to: string): Promise<number | "enough"> {
  if (KINDS[kind] !== "own") return 0;
  const name = `mail:${kind}:${to.toLowerCase()}`;
  try {
    const waitMs = await countHit(env, name, 1, DAY_MS);
    if (waitMs === 0) return 0;
    return (await countHit(env, `${name}:later`, 1, waitMs)) === 0 ? waitMs : "enough";
  } catch (error) {
    // A warning too many harms nobody.
    logFault({ event: "mail" }, error);
    return 0;
  }
}

/** Counts a mail toward what the site sends in a day; returns how long it has to wait. */
async function spendMailBudget(env: Env, kind: MailCause["kind"]): Promise<number> {
  if (KINDS[kind] === "atOnce") return 0;
  const max = (KINDS[kind] === "other" ? MAILS_OTHER_PER_DAY_MAX : MAILS_PER_DAY_MAX) * budgetFactor(env);
  try {
    const limiter = await getLimiter(env, "mails");
    return (await limiter.spend([{ name: "mails", amount: 1, max, windowMs: DAY_MS }]))?.waitMs ?? 0;
  } catch (error) {
    logFault({ event: "mail" }, error);
    return 0;
  }
}

/** Scheduled: sends the mails that are due. */
export async function sendWaitingMails(env: Env, now: number): Promise<void> {
  await openDatabase(env.DB).deleteFrom("mail_queue").where("ts_expires", "<=", now).execute();
  const { tried, done } = await sendClaimed(env, now, (rows) => rows.where("ts_due", "<=", now));
  if (tried > 0) console.log(JSON.stringify({ level: "info", event: "mails-tried-again", tried, done }));
}

type QueuedIds = SelectQueryBuilder<Tables, "mail_queue", { id: number }>;

/** Claims mails, so that concurrent runs do not send one twice, and tries each. */
async function sendClaimed(
  env: Env,
  now: number,
  chosen: (rows: QueuedIds) => QueuedIds,
): Promise<{ readonly tried: number; readonly done: number }> {
  const db = openDatabase(env.DB);
  const due = await db
    .updateTable("mail_queue")
    .set({ attempts: sql<number>`attempts + 1`, ts_due: sql<number>`${now} + ${MINUTE_MS} * (1 << min(attempts, 8))` })
    .where("id", "in", (rows) =>
      // Login links first: they are useful for minutes.
      chosen(rows.selectFrom("mail_queue").select("id")).orderBy("ts_expires").limit(TRIES_PER_RUN_MAX),
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
    const waitMs = attempts === 1 ? await spendMailBudget(env, mail.kind) : 0;
    if (waitMs > 0) await putOff(db, id, now, waitMs);
    else if (await tryMail(env, brand, mail, attempts)) done.push(id);
  }
  if (due.length > 0)
    await db
      .deleteFrom("mail_queue")
      .where("id", "in", (ids) => ids.selectFrom(itemsOf(done, "d")).select("d.value"))
      .execute();
  return { tried: due.length, done: done.length };
}

/** For a mail that has never been tried, as the site's budget is used up. */
async function putOff(db: Database, id: number, now: number, waitMs: number): Promise<void> {
  await db
    .updateTable("mail_queue")
    .set({ attempts: 0, ts_due: now + waitMs, ts_expires: sql<number>`ts_expires + ${waitMs}` })
    .where("id", "=", id)
    .execute();
}

/** Whether a refusal, which is counted and logged, is for good. */
function isPermanent(brand: string, error: unknown, attempts: number): boolean {
  const given = error instanceof Error && "code" in error ? String(error.code) : "";
  // Nothing that does not look like a code of the mail service's.
  const code = /^[A-Z][A-Z_]{2,60}$/.test(given) ? given : "";
  const isForGood = PERMANENT.test(code);
  count("mailsRefused");
  logFault({ event: isForGood ? "mail-refused" : "mail-waits", brand, code, attempts }, error);
  return isForGood;
}

/** Undefined if the key has changed since. */
function findMail(env: Env, sealed: string): WaitingMail | undefined {
  try {
    return JSON.parse(decrypt(env, KEY_LABEL, Buffer.from(sealed, "base64")).toString()) as WaitingMail;
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
