/**
 * The end of a site. While CLOSING_ON names a day, each member is mailed once; from that day on, but never within 30 days of the first
 * mail, everything is erased. Called off before, whoever was mailed is mailed again. Progress is an object in the bucket, so that a run
 * that was killed continues.
 */
import { BRANDS, type Brand, storedBrand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { CLOSING_NOTICE_MS, parseClosingDay } from "@lambda/contract/closing";
import { defineCopy } from "@lambda/contract/copy";
import { ACCOUNT_DELETION_GRACE_MS, DAY_MS } from "@lambda/contract/limits";
import { withAudit } from "../../moderation/audit/log.ts";
import { listCasesWithoutHold, startMissingHolds } from "../../moderation/hold/start.ts";
import { databaseMatchesBucket } from "../../platform/bucket/mark.ts";
import { deletePrefix } from "../../platform/bucket/objects.ts";
import type { Database } from "../../platform/db/database.ts";
import { messageDatabases } from "../../platform/db/message-databases.ts";
import type { Env } from "../../platform/env.ts";
import { originOf } from "../../platform/http/address.ts";
import { toIsoDate } from "../../platform/iso-time.ts";
import { composeMail, formatDay, keepMail, type Mail, tryMail } from "../../platform/mail/send-mail.ts";
import { emptyTables } from "./statements.ts";

const STATE_KEY = "jobs/closing.json";
/** 72,000 a day. */
const MAILS_PER_RUN = 50;
const REFUSALS_IN_A_ROW = 3;
const ACCOUNTS_PER_RUN = 5000;
const KNOWN_PICTURES_PER_RUN = 2000;
/** The log, which names nobody, and what the law requires to be kept, which eraseHolds erases when its time is over. */
const KEPT_TABLES = new Set([
  "audit_entry",
  "public_entry",
  "legal_hold",
  "legal_hold_item",
  "bucket_mark",
  "migration_done",
  // Otherwise the site would say that it has not opened yet, and show nobody the log.
  "opening_step",
]);
const KEPT_PREFIXES = ["hold/", "jobs/"];

interface Closing {
  /** The day that was announced. */
  readonly until: number;
  /** When the site first said so. */
  readonly since: number;
  /** Accounts up to this id were mailed; null: all. */
  readonly mailedUpTo: number | null;
  /** Since it was called off: up to which id members had been told of the end, who are told now that there is none; null: all. */
  readonly toldUpTo?: number | null;
  /** Whether accounts end, after which nothing can be called off. */
  readonly ended: boolean;
  readonly erased: boolean;
}

/** Scheduled, each minute. */
export async function closeDown(env: Env, db: Database, now: number): Promise<void> {
  const until = parseClosingDay(env.CLOSING_ON);
  const stored = await env.PICTURES.get(STATE_KEY);
  const known = stored ? await stored.json<Closing>() : undefined;
  if (known?.erased) return;
  // Not by rows of another time: after a restore everything waits for a day.
  const mayErase = () => databaseMatchesBucket(env, db, now);
  if (known?.ended) return (await mayErase()) ? erase(env, db, known, now) : undefined;
  if (until === undefined) return known && callOff(env, db, known, now);
  if (known?.until !== until || known.toldUpTo !== undefined) return announce(env, db, until, now);
  if (known.mailedUpTo !== null) return mailMembers({ env, db, now }, known, known.mailedUpTo);
  const isOver = now >= until && now >= known.since + CLOSING_NOTICE_MS;
  if (!isOver || !(await mayErase())) return;
  // Nothing ends before the law's copies are made, from pictures that the purge erases.
  await startMissingHolds(env, now);
  if ((await listCasesWithoutHold(db)).length > 0) return;
  // Before the first account ends: called off in between, the site would stay without some of its members.
  await save(env, { ...known, ended: true });
  await endAccounts(db, now);
}

async function save(env: Env, closing: Closing): Promise<void> {
  await env.PICTURES.put(STATE_KEY, JSON.stringify(closing));
}

async function announce(env: Env, db: Database, until: number, now: number): Promise<void> {
  await note(env, db, now, "site.closing", { until: toIsoDate(until) });
  await save(env, { until, since: now, mailedUpTo: 0, ended: false, erased: false });
}

async function callOff(env: Env, db: Database, closing: Closing, now: number): Promise<void> {
  if (closing.toldUpTo === undefined) {
    await note(env, db, now, "site.stays", {});
    return save(env, { ...closing, mailedUpTo: 0, toldUpTo: closing.mailedUpTo });
  }
  if (closing.mailedUpTo !== null) return mailMembers({ env, db, now }, closing, closing.mailedUpTo);
  await env.PICTURES.delete(STATE_KEY);
}

/**
 * A member counts once the mail service took the mail. One refusal waits in the queue until the day; after several in a row, which are the
 * service's fault, the next run goes on from the first of them. A run that is killed in between mails some members again, and leaves out none.
 */
async function mailMembers(
  { env, db, now }: { readonly env: Env; readonly db: Database; readonly now: number },
  closing: Closing,
  after: number,
): Promise<void> {
  const { toldUpTo } = closing;
  const accounts = await db
    .selectFrom("account")
    .select(["id", "email", "locale", "home_brand"])
    .where("id", ">", after)
    .where("id", "<=", toldUpTo ?? Number.MAX_SAFE_INTEGER)
    .where("ts_created", "<=", toldUpTo === undefined ? Number.MAX_SAFE_INTEGER : closing.since)
    .where("ts_deleted", "is", null)
    .orderBy("id")
    .limit(MAILS_PER_RUN)
    .execute();
  const compose = toldUpTo === undefined ? siteClosesMail : siteStaysMail;
  let mailedUpTo = after;
  let refused: { readonly brand: Brand; readonly mail: Mail }[] = [];
  const keepRefused = async () => {
    const usefulMs = Math.max(DAY_MS, closing.until - now);
    for (const { brand, mail } of refused) await keepMail(env, brand, mail, "closing", usefulMs);
    refused = [];
  };
  for (const { id, email, locale, home_brand } of accounts) {
    const brand = storedBrand(home_brand);
    const mail = compose(brand, locale, email, closing.until);
    if (await tryMail(env, brand, mail)) {
      await keepRefused();
      mailedUpTo = id;
    } else refused.push({ brand, mail });
    if (refused.length === REFUSALS_IN_A_ROW) return save(env, { ...closing, mailedUpTo });
  }
  if (accounts.length === MAILS_PER_RUN) return save(env, { ...closing, mailedUpTo });
  // The last few must not hold the end up for ever.
  if (mailedUpTo > after || now > closing.since + DAY_MS) await keepRefused();
  await save(env, { ...closing, mailedUpTo: refused.length === 0 ? null : mailedUpTo });
}

/** Nobody can log in or come back any more: the purge takes accounts whose time of grace is over. Returns whether all have ended. */
async function endAccounts(db: Database, now: number): Promise<boolean> {
  const over = now - ACCOUNT_DELETION_GRACE_MS;
  const remaining = db
    .selectFrom("account")
    .select("id")
    .where((either) => either.or([either("ts_deleted", "is", null), either("ts_deleted", ">", over)]))
    .limit(ACCOUNTS_PER_RUN);
  const ended = await db
    .updateTable("account")
    .set({ ts_deleted: over })
    .where("id", "in", remaining)
    .returning("id")
    .execute();
  if (ended.length === ACCOUNTS_PER_RUN) return false;
  // What the law requires to be kept is on hold, independent of its case; and no staff is left to decide.
  await db.deleteFrom("report").execute();
  return true;
}

async function erase(env: Env, db: Database, closing: Closing, now: number): Promise<void> {
  // Goes on, as each run ends some, and a restored database has accounts that go on.
  if (!(await endAccounts(db, now))) return;
  // The purge erases 20 a minute, with their pictures, recordings and messages.
  if (await db.selectFrom("account").select("id").limit(1).executeTakeFirst()) return;
  const known = db.selectFrom("known_picture").select("id").limit(KNOWN_PICTURES_PER_RUN);
  const pictures = await db.deleteFrom("known_picture").where("id", "in", known).returning("id").execute();
  if (pictures.length === KNOWN_PICTURES_PER_RUN) return;
  const { delimitedPrefixes } = await env.PICTURES.list({ delimiter: "/" });
  for (const prefix of delimitedPrefixes) if (!KEPT_PREFIXES.includes(prefix)) await deletePrefix(env.PICTURES, prefix);
  await deletePrefix(env.BACKUPS, "");
  for (const d1 of messageDatabases(env).values()) await emptyTables(d1, KEPT_TABLES);
  await emptyTables(env.DB, KEPT_TABLES);
  // Triggers may have written to tables that were empty by then.
  await emptyTables(env.DB, KEPT_TABLES);
  await note(env, db, now, "site.erased", {});
  await save(env, { ...closing, erased: true });
}

/** One entry for each brand, in the log and in public. */
async function note(
  env: Env,
  db: Database,
  now: number,
  action: string,
  details: Record<string, string>,
): Promise<void> {
  const events = BRANDS.map(({ id }) => ({ brand: id, action, by: "clock" as const, caseRef: null, details }));
  await withAudit({ d1: env.DB, db, now }, [], events);
}

const siteClosesCopy = defineCopy({
  en: {
    subject: (brand: string, day: string) => `${brand} closes on ${day}`,
    lead: (brands: string, day: string) =>
      `This is the end of ${brands}. On ${day} your account is erased with everything in it: profile, pictures, messages. Nobody gets any of it.`,
    download: "Until then you can download your data. Another site of this software opens the file.",
    action: "Download my data",
    nothing: "You don't have to do anything. You can also delete your account now.",
    stays: (brand: string) => `${brand} stays`,
    staysLead: (brand: string, day: string) =>
      `We wrote that ${brand} closes. It stays: nothing is erased on ${day}, and you don't have to do anything.`,
  },
  es: {
    subject: (brand, day) => `${brand} cierra el ${day}`,
    lead: (brands, day) =>
      `Es el final de ${brands}. El ${day} se borra tu cuenta con todo lo que contiene: perfil, fotos, mensajes. Nadie recibe nada de ello.`,
    download: "Hasta entonces puedes descargar tus datos. Otro sitio de este software abre el archivo.",
    action: "Descargar mis datos",
    nothing: "No tienes que hacer nada. También puedes borrar tu cuenta ya.",
    stays: (brand) => `${brand} continúa`,
    staysLead: (brand, day) =>
      `Te escribimos que ${brand} cierra. Continúa: el ${day} no se borra nada, y no tienes que hacer nada.`,
  },
});

function siteClosesMail(brand: Brand, locale: Locale, to: string, until: number): Mail {
  const copy = siteClosesCopy[locale];
  const day = formatDay(locale, until);
  return composeMail(brand, to, copy.subject(brand.name, day), [
    copy.lead(new Intl.ListFormat(locale).format(BRANDS.map(({ name }) => name)), day),
    copy.download,
    { link: `${originOf(brand)}/settings#data`, action: copy.action },
    copy.nothing,
  ]);
}

function siteStaysMail(brand: Brand, locale: Locale, to: string, until: number): Mail {
  const copy = siteClosesCopy[locale];
  return composeMail(brand, to, copy.stays(brand.name), [copy.staysLead(brand.name, formatDay(locale, until))]);
}
