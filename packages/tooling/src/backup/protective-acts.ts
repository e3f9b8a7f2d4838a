/**
 * Does again in a restored database what was closed or ended since its time. Bans and suspensions that were lifted are lifted again;
 * whatever else was opened since stays as it was at that time.
 */
import { PROTECTIVE_ACTS, type ProtectiveAct } from "@lambda/contract/backup";
import { AUDIENCES, HEALTH_FIELDS, type HealthField } from "@lambda/contract/health-fields";
import { ACCOUNT_DELETION_GRACE_MS } from "@lambda/contract/limits";
import { endShownQuery } from "@lambda/worker/discreet";
import { refreshStatusQuery } from "@lambda/worker/status";
import { deleteStatements, literal, toStatements } from "../member-requests.ts";
import type { RunStatement } from "../migration.ts";

/** Well below D1's limit of 100 KB of SQL per call. */
const SQL_BYTES_MAX = 50_000;
const IDS_PER_QUERY = 500;

/** Tells of an act that the database refuses, as when a row of it broke a rule of the schema. */
export type OnRefused = (act: ProtectiveAct, error: Error) => void;

/** Returns how many acts of each kind were found. Doing it twice changes nothing. */
export async function doAgain(
  acts: readonly ProtectiveAct[],
  run: RunStatement,
  now: number,
  onRefused?: OnRefused,
): Promise<Readonly<Record<string, number>>> {
  const latest = lastOfEach(acts);
  await runAll(latest, (act) => statementsOf(act, now), run, onRefused);
  await deleteAgain(latest, run, now);
  return Object.fromEntries(
    Object.entries(Object.groupBy(latest, ({ kind }) => kind)).map(([kind, of]) => [kind, of.length]),
  );
}

/** Unsent messages, which are in their own databases. */
export async function unsendAgain(
  acts: readonly ProtectiveAct[],
  run: RunStatement,
  onRefused?: OnRefused,
): Promise<void> {
  const unsent = lastOfEach(acts.filter(({ kind }) => kind === "unsent"));
  await runAll(unsent, unsendStatements, run, onRefused);
}

/** Many acts at once, and each by itself where the database refuses one of them. */
async function runAll(
  acts: readonly ProtectiveAct[],
  toStatementsOf: (act: ProtectiveAct) => readonly string[],
  run: RunStatement,
  onRefused: OnRefused | undefined,
): Promise<void> {
  const texts = new Map(acts.map((act) => [toStatementsOf(act).join(";\n"), act]));
  texts.delete("");
  for (const part of inParts([...texts.keys()])) {
    try {
      await run(part.join(";\n"));
    } catch (error) {
      if (!onRefused || !isRefusal(error)) throw error;
      for (const text of part)
        await run(text).catch((refusal: Error) => {
          const act = texts.get(text);
          if (!act || !isRefusal(refusal)) throw refusal;
          onRefused(act, refusal);
        });
    }
  }
}

/** Whether the database understood and refused, where it may as well have been out of reach. */
const isRefusal = (error: unknown) => (error as { readonly status?: unknown }).status === 400;

/** The last act of each kind about the same, the oldest first; changes of a login add up. */
function lastOfEach(acts: readonly ProtectiveAct[]): ProtectiveAct[] {
  const last = new Map<string, ProtectiveAct>();
  for (const act of acts.toSorted((one, other) => one.ts - other.ts)) {
    const key = `${act.kind} ${id(act.member)} ${subjectOf(act)}`;
    const before = last.get(key);
    const detail = act.kind === "login" && before ? mergeLogins(before, act) : act.detail;
    last.delete(key);
    last.set(key, { ...act, detail });
  }
  return [...last.values()];
}

/** What an act of its kind and member is about. */
function subjectOf(act: ProtectiveAct): string {
  if (act.kind === "passkey") return detailOf<Passkey | null>(act)?.credential_id ?? String(id(act.other));
  if (act.kind === "signal") return detailOf<Signal>(act).token;
  if (act.kind === "trip") {
    const { cell, day_from, day_to } = detailOf<Trip>(act);
    return `${id(cell)} ${id(day_from)} ${id(day_to)}`;
  }
  return String(id(act.other));
}

/** Null in acts of before the credential was stored. */
interface Passkey {
  readonly credential_id: string;
}

interface Signal {
  /** Hexadecimal. */
  readonly token: string;
}

interface Trip {
  readonly cell: number;
  readonly day_from: number;
  readonly day_to: number;
  readonly state: "shown" | "unshown" | "removed";
}

interface Login {
  readonly email: string | null;
  readonly mailbox: string | null;
  readonly password: 0 | 1;
}

function mergeLogins(before: ProtectiveAct, after: ProtectiveAct): string {
  const [one, other] = [detailOf<Login>(before), detailOf<Login>(after)];
  const address = other.email === null ? one : other;
  return JSON.stringify({ ...address, password: one.password || other.password ? 1 : 0 } satisfies Login);
}

function statementsOf(act: ProtectiveAct, now: number): string[] {
  const [member, other] = [id(act.member), id(act.other)];
  const detail = detailOf<unknown>(act);
  switch (act.kind) {
    case "login":
      return loginStatements(member, detail as Login);
    case "admin":
      return adminStatements(member, (detail as { brand: string | null }).brand);
    case "session":
      return [`DELETE FROM session WHERE id = ${other} AND account_id = ${member}`];
    case "lock":
      return lockStatements(member, other, (detail as { hash: string | null }).hash);
    case "passkey":
      return [
        `DELETE FROM passkey WHERE account_id = ${member} AND ${detail === null ? `id = ${other}` : `credential_id = ${literal((detail as Passkey).credential_id)}`}`,
      ];
    case "lockdown":
      return Number(detail) > now
        ? [
            `INSERT INTO lockdown (account_id, ts_until) SELECT id, ${id(Number(detail))} FROM account WHERE id = ${member}
              ON CONFLICT DO UPDATE SET ts_until = max(ts_until, excluded.ts_until)`,
          ]
        : // Whoever ended it with the recovery words could not do it twice.
          [`UPDATE lockdown SET ts_until = 0 WHERE account_id = ${member} AND ${id(Number(detail))} = 0`];
    case "sight":
      return sightStatements(member, detail as Sight);
    case "block":
      return detail === 1 ? blockStatements(member, other, act.ts) : [];
    case "like":
      return likeStatements(member, other, act.ts, now);
    case "trip":
      return tripStatements(member, detail as Trip);
    case "stay":
      return stayStatements(member, detail as Stay);
    case "album":
      return [
        `DELETE FROM album_grant WHERE owner_id = ${member} AND member_id = ${other} AND state = 'granted' AND ${id(Number(detail))} <= ${now}`,
        `UPDATE album_grant SET ts_expires = ${id(Number(detail))} WHERE owner_id = ${member} AND member_id = ${other}
          AND state = 'granted' AND ifnull(ts_expires, ${Number.MAX_SAFE_INTEGER}) > ${id(Number(detail))}`,
      ];
    case "picture":
      return pictureStatements(member, other, detail as { private: 0 | 1; hidden: number } | null);
    case "action":
      return detail === null
        ? liftStatements(member, other, act.ts, now)
        : actionStatements(member, other, detail as Row, now);
    case "mark":
      return detail === null ? [] : markStatements(detail as Row);
    case "known":
      return detail === null ? [] : knownStatements(detail as Row);
    case "health":
      return healthStatements(member, detail as Health);
    case "voice":
      return voiceStatements(member, other, detail as Voice | null);
    case "words":
      return wordsStatements(member, (detail as { hash: string | null }).hash);
    case "signal":
      return [
        `DELETE FROM lockdown_signal WHERE account_id = ${member} AND token_hash = x'${(detail as Signal).token}'`,
      ];
    case "met":
      return [`DELETE FROM met WHERE author_id = ${member} AND about_id = ${other} AND ts_said <= ${id(act.ts)}`];
    case "tonight":
      return tonightStatements(member, detail as Tonight);
    case "unsent":
      return unsendStatements(act);
    default:
      return [];
  }
}

type Row = Readonly<Record<string, string | number | null>>;

function insertStatement(table: string, row: Row, condition: string): string {
  const columns = Object.keys(row);
  if (!columns.every((column) => /^\w+$/.test(column))) throw new Error(`a row of ${table} has an impossible column`);
  const values = Object.values(row).map(literal);
  return `INSERT OR IGNORE INTO ${table} (${columns.join(", ")}) SELECT ${values.join(", ")} WHERE ${condition}`;
}

/** The password of that time may be why it was changed; the owner logs in by a link. */
function loginStatements(member: number, { email, mailbox, password }: Login): string[] {
  const free = (column: string, value: string) =>
    `NOT EXISTS (SELECT 1 FROM account o WHERE o.${column} = ${literal(value)} AND o.id <> ${member})`;
  return [
    ...(password ? [`UPDATE account SET password_hash = NULL WHERE id = ${member}`] : []),
    ...(email === null
      ? []
      : [
          `UPDATE account SET email = ${literal(email)}, mailbox = ${literal(mailbox)} WHERE id = ${member} AND ${free("email", email)}`,
        ]),
  ];
}

/** Nobody is made an admin of what they were not at that time. */
function adminStatements(member: number, brand: string | null): string[] {
  if (brand === "*") return [];
  return brand === null
    ? [`UPDATE account SET admin_brand = NULL WHERE id = ${member}`]
    : [
        `UPDATE account SET admin_brand = iif(admin_brand = '*', ${literal(brand)}, NULL) WHERE id = ${member} AND admin_brand <> ${literal(brand)}`,
      ];
}

interface Sight {
  readonly hides: 0 | 1;
  readonly restricted: 0 | 1;
  readonly brands: number;
  readonly discreet: 0 | 1;
}

/** Nobody is shown who was not at that time. */
function sightStatements(member: number, { hides, restricted, brands, discreet }: Sight): string[] {
  const where = `WHERE id = ${member}`;
  const kept = id(brands);
  return [
    `UPDATE profile SET shared_on = shared_on & ${kept}, discreet_on = discreet_on & ${kept} ${where}`,
    ...(discreet
      ? [`UPDATE profile SET discreet_on = shared_on, shared_on = 0 ${where} AND discreet_on = 0 AND shared_on <> 0`]
      : []),
    ...(hides
      ? [
          `UPDATE profile SET hidden = 1, own_hidden = iif(own_hidden IS NULL, NULL, 1) ${where} AND ifnull(own_hidden, hidden) = 0`,
        ]
      : []),
    ...(restricted
      ? [`UPDATE profile SET own_hidden = ifnull(own_hidden, hidden), hidden = 1 ${where} AND own_hidden IS NULL`]
      : []),
  ];
}

function blockStatements(member: number, other: number, ts: number): string[] {
  const exist = `(SELECT count(*) FROM profile WHERE id IN (${member}, ${other})) = 2`;
  const row = (one: number, two: number, by: "profile" | "other") =>
    `INSERT INTO block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created)
      SELECT ${one}, ${two}, ${by === "profile" ? "1, 0" : "0, 1"}, ${id(ts)} WHERE ${exist}
      ON CONFLICT DO UPDATE SET blocked_by_${by} = 1 WHERE blocked_by_${by} = 0`;
  return [
    row(member, other, "profile"),
    row(other, member, "other"),
    `DELETE FROM album_grant WHERE owner_id = ${member} AND member_id = ${other}`,
    `DELETE FROM notification WHERE profile_id = ${member} AND about_id = ${other}`,
  ];
}

/** Like a member who takes the like back; one that was given again before that time stays. */
function likeStatements(member: number, other: number, ts: number, now: number): string[] {
  const like = `liker_id = ${member} AND liked_id = ${other}`;
  const ended = `EXISTS (SELECT 1 FROM profile_like WHERE ${like} AND like_type = 'LIKE' AND ts_created <= ${id(ts)})`;
  return [
    `DELETE FROM notification WHERE profile_id = ${other} AND about_id = ${member} AND kind IN ('like', 'match') AND ${ended}`,
    `DELETE FROM notification WHERE profile_id = ${member} AND about_id = ${other} AND kind = 'match' AND ${ended}`,
    `UPDATE profile_like SET like_type = 'UNDETERMINED', ts_created = ${id(ts)} WHERE ${like} AND like_type = 'LIKE' AND ts_created <= ${id(ts)}`,
    ...toStatements((db) => [endShownQuery(db, member, other, now)]),
  ];
}

function tripStatements(member: number, { cell, day_from, day_to, state }: Trip): string[] {
  const where = `WHERE profile_id = ${member} AND cell = ${id(cell)} AND day_from = ${id(day_from)} AND day_to = ${id(day_to)}`;
  if (state === "shown") return [];
  return [state === "removed" ? `DELETE FROM trip ${where}` : `UPDATE trip SET shown = 0 ${where} AND shown = 1`];
}

/** A device without a lock cannot show the secret of an earlier one, so that its session ends. */
function lockStatements(member: number, session: number, hash: string | null): string[] {
  const where = `WHERE id = ${session} AND account_id = ${member}`;
  return hash === null
    ? [`DELETE FROM session ${where} AND lock_hash IS NOT NULL`]
    : [`UPDATE session SET lock_hash = ${literal(hash)} ${where}`];
}

interface Stay {
  readonly country: string;
  readonly shown: string;
  readonly hid: 0 | 1;
  readonly withdrawn: 0 | 1;
  readonly muted: 0 | 1;
  readonly seen: number;
  readonly left: number | null;
}

/** Of two states of a stay in a country that punishes, what shows and tells less. One that ended lasts until the device reports again. */
function stayStatements(member: number, { country, shown, hid, withdrawn, muted, seen, left }: Stay): string[] {
  if (left !== null) return [];
  const closer = (column: string, kept: string) =>
    `${column} = iif(travel_stay.ts_left IS NULL, ${kept}, excluded.${column})`;
  const most = (column: string) => closer(column, `max(travel_stay.${column}, excluded.${column})`);
  const least =
    "iif('hidden' IN (travel_stay.shown, excluded.shown), 'hidden', iif('city' IN (travel_stay.shown, excluded.shown), 'city', 'usual'))";
  return [
    `INSERT INTO travel_stay (profile_id, country, shown, hid_member, pictures_withdrawn, muted, ts_seen)
      SELECT id, ${literal(country)}, ${literal(shown)}, ${id(hid)}, ${id(withdrawn)}, ${id(muted)}, ${id(seen)} FROM profile WHERE id = ${member}
      ON CONFLICT DO UPDATE SET country = excluded.country, ${closer("shown", least)}, ${most("pictures_withdrawn")}, ${most("muted")},
        ts_seen = excluded.ts_seen, ts_left = NULL, seen_by_device = 1, ts_elsewhere = NULL`,
  ];
}

/** Without its id, which another mark may have had at that time. */
function markStatements({ sealed_print: print = "", ...row }: Row): string[] {
  const same = `kind = ${literal(row.kind)} AND mark = ${literal(row.mark)} AND case_ref = ${literal(row.case_ref)}`;
  return [
    insertStatement("ban_mark", row, `NOT EXISTS (SELECT 1 FROM ban_mark WHERE ${same})`),
    ...(isHex(print) ? [`UPDATE ban_mark SET sealed_print = x'${print}' WHERE ${same}`] : []),
  ];
}

/** Known again, so that stored and new pictures are compared with it. */
function knownStatements({ sealed_print: print = "", ...row }: Row): string[] {
  const same = `source = ${literal(row.source)} AND hash = ${literal(row.hash)}`;
  return [
    insertStatement("known_picture", row, "true"),
    ...(isHex(print) ? [`UPDATE known_picture SET sealed_print = x'${print}' WHERE ${same}`] : []),
  ];
}

interface Health {
  readonly audiences: Readonly<Partial<Record<HealthField, (typeof AUDIENCES)[number]>>>;
  readonly filled: Readonly<Record<HealthField, 0 | 1>>;
}

const HEALTH_COLUMNS: Readonly<Record<HealthField, string>> = {
  hivStatus: "hiv_status = NULL",
  prep: "prep = NULL",
  doxyPep: "doxy_pep = NULL",
  vaccines: "vaccines = '[]'",
  lastTest: "last_test = NULL",
};

/** Of two audiences of a field the smaller one. */
function healthStatements(member: number, { audiences, filled }: Health): string[] {
  const where = `WHERE profile_id = ${member}`;
  const closed = HEALTH_FIELDS.filter((field) => (audiences[field] ?? "nobody") === "nobody");
  const narrowed = HEALTH_FIELDS.filter((field) => audiences[field] === "matches");
  const emptied = HEALTH_FIELDS.filter((field) => filled[field] === 0);
  const paths = closed.map((field) => `'$.${field}'`);
  return [
    ...(closed.length > 0
      ? [`UPDATE health_panel SET audiences = json_remove(audiences, ${paths.join(", ")}) ${where}`]
      : []),
    ...narrowed.map(
      (field) =>
        `UPDATE health_panel SET audiences = json_set(audiences, '$.${field}', 'matches') ${where} AND audiences ->> '$.${field}' = 'members'`,
    ),
    ...(emptied.length > 0
      ? [`UPDATE health_panel SET ${emptied.map((field) => HEALTH_COLUMNS[field]).join(", ")} ${where}`]
      : []),
  ];
}

interface Voice {
  readonly private: 0 | 1;
  readonly removed: 0 | 1;
}

function voiceStatements(member: number, voice: number, state: Voice | null): string[] {
  const where = `WHERE profile_id = ${member} AND id = ${voice}`;
  if (state === null) return [`DELETE FROM profile_voice ${where}`];
  return [
    ...(state.private ? [`UPDATE profile_voice SET audience = 'private' ${where}`] : []),
    ...(state.removed ? [`UPDATE profile_voice SET removed = 1 ${where} AND removed = 0`] : []),
  ];
}

/** A member without recovery words at that time gets none. */
function wordsStatements(member: number, hash: string | null): string[] {
  const ts = hash === null ? ", ts_words = NULL" : "";
  return [
    `UPDATE lockdown SET words_hash = ${literal(hash)}${ts} WHERE account_id = ${member} AND words_hash IS NOT NULL`,
  ];
}

interface Tonight {
  readonly until: number;
  readonly wishes: number;
}

/** Of two plans the shorter one, for what both were for. */
function tonightStatements(member: number, { until, wishes }: Tonight): string[] {
  const where = `WHERE profile_id = ${member}`;
  return [
    `DELETE FROM tonight ${where} AND wishes & ${id(wishes)} = 0`,
    `UPDATE tonight SET ts_until = min(ts_until, ${id(until)}), wishes = wishes & ${id(wishes)} ${where}`,
  ];
}

const LISTS = ["pics_public", "pics_private", "own_pics_public", "own_pics_private"] as const;

function pictureStatements(member: number, picture: number, state: { private: 0 | 1; hidden: number } | null) {
  const isOwn = `id = ${picture} AND profile_id = ${member}`;
  const without = (list: string) =>
    `${list} = (SELECT json_group_array(value ORDER BY key) FROM json_each(profile.${list}) WHERE value <> ${picture})`;
  const takeFrom = (lists: readonly string[], and = "true") =>
    lists.map((list) => `UPDATE profile SET ${without(list)} WHERE id = ${member} AND ${list} IS NOT NULL AND ${and}`);
  if (state === null) return [...takeFrom(LISTS), `DELETE FROM picture WHERE ${isOwn}`];
  const wasPublic = `EXISTS (SELECT 1 FROM picture WHERE ${isOwn} AND audience = 'public')`;
  const narrowed = [
    ...takeFrom(["pics_public", "own_pics_public"], wasPublic),
    `UPDATE profile SET pics_private = json_insert(pics_private, '$[#]', ${picture}) WHERE id = ${member} AND ${wasPublic}`,
    `UPDATE picture SET audience = 'private' WHERE ${isOwn} AND audience = 'public'`,
  ];
  const hidden = [
    ...takeFrom(LISTS, `EXISTS (SELECT 1 FROM picture WHERE ${isOwn})`),
    `UPDATE picture SET hidden_by_staff = ${id(state.hidden)} WHERE ${isOwn} AND hidden_by_staff IN (0, 3)`,
  ];
  return [...(state.private ? narrowed : []), ...(state.hidden ? hidden : [])];
}

/** Without its report, which may be gone. */
function actionStatements(member: number, action: number, row: Row, now: number): string[] {
  const picture =
    row.picture_id === null ? "NULL" : `(SELECT id FROM picture WHERE id = ${id(Number(row.picture_id))})`;
  const { picture_id: _, ...rest } = row;
  return [
    insertStatement(
      "moderation_action",
      { id: action, profile_id: member, ...rest },
      `EXISTS (SELECT 1 FROM profile WHERE id = ${member})`,
    ),
    `UPDATE moderation_action SET picture_id = ${picture} WHERE id = ${action} AND profile_id = ${member}`,
    ...toStatements((db) => [refreshStatusQuery(db, member, now)]),
  ];
}

/** A ban that was found wrong must not come back unnoticed. A picture stays hidden until staff look at it again. */
function liftStatements(member: number, action: number, ts: number, now: number): string[] {
  const which = `WHERE id = ${action} AND profile_id = ${member} AND kind <> 'hide_picture'`;
  return [
    `DELETE FROM ban_mark WHERE case_ref IN (SELECT case_ref FROM moderation_action ${which} AND kind = 'ban')`,
    `UPDATE moderation_action SET ts_lifted = ${id(ts)}, lifted_by = 'staff' ${which} AND ts_lifted IS NULL`,
    ...toStatements((db) => [refreshStatusQuery(db, member, now)]),
  ];
}

/** As `eraseQuery` of the worker; what its recipient cannot see yet stays due. */
function unsendStatements({ other, detail, ts }: ProtectiveAct): string[] {
  const where = `WHERE id = ${id(other)} AND ts_unsent IS NULL`;
  const sender = `(SELECT sender_id FROM message WHERE id = ${id(other)})`;
  return [
    detail === "1"
      ? `UPDATE message SET unsend_due = 1, ts_sender_deleted = ${id(ts)}, picture_ids = '[]', attachment = NULL ${where}`
      : `UPDATE message SET ts_unsent = ${id(ts)}, body_text = '', picture_ids = '[]', attachment = NULL, reply_to = NULL,
          reaction = NULL, unsend_due = 0 ${where}`,
    // Nothing may be left that shows a discreet member.
    `UPDATE message_pair SET unsent_by = unsent_by | iif(low_id = ${sender}, 1, 2)
      WHERE (low_id, high_id) = (SELECT low_id, high_id FROM message WHERE id = ${id(other)})
      AND NOT EXISTS (SELECT 1 FROM message k WHERE k.low_id = message_pair.low_id AND k.high_id = message_pair.high_id
        AND k.sender_id = ${sender} AND k.ts_unsent IS NULL AND k.unsend_due = 0)`,
  ];
}

/**
 * Whoever deleted the account, or was erased since, is deleted as of that time, whatever address the account has now. Whoever took a
 * deletion back since stays deleted, but as of now: otherwise they could not log in any more, and would be erased.
 */
async function deleteAgain(latest: readonly ProtectiveAct[], run: RunStatement, now: number): Promise<void> {
  const due = new Map<number, number>();
  const back = new Set<number>();
  for (const { kind, member, detail, ts } of latest) {
    if (kind === "deleted" && detail !== null) due.set(id(member), Number(detail));
    if (kind === "deleted" && detail === null) back.add(id(member));
    if (kind === "purged") due.set(id(member), detail === null ? ts - ACCOUNT_DELETION_GRACE_MS : Number(detail));
  }
  const restarted = [...back].filter((member) => !due.has(member));
  for (let from = 0; from < restarted.length; from += IDS_PER_QUERY)
    await run(
      `UPDATE account SET ts_deleted = ${now} WHERE id IN (${restarted.slice(from, from + IDS_PER_QUERY).join(", ")}) AND ts_deleted IS NOT NULL`,
    );
  const ids = [...due.keys()];
  for (let from = 0; from < ids.length; from += IDS_PER_QUERY) {
    const some = ids.slice(from, from + IDS_PER_QUERY).join(", ");
    const alive = await run(`SELECT id FROM account WHERE id IN (${some}) AND ts_deleted IS NULL`);
    const statements = alive.map((row) => deleteStatements(Number(row.id), due.get(Number(row.id)) ?? 0).join(";\n"));
    for (const part of inParts(statements)) await run(part.join(";\n"));
  }
}

function* inParts(texts: readonly string[]): Generator<readonly string[]> {
  let [part, bytes]: [string[], number] = [[], 0];
  for (const text of texts) {
    const more = Buffer.byteLength(text);
    if (part.length > 0 && bytes + more > SQL_BYTES_MAX) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(text);
    bytes += more;
  }
  if (part.length > 0) yield part;
}

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => value === 0 || value === 1;
const isHex: Check = (value) => typeof value === "string" && /^(?:[0-9A-F]{2})+$/.test(value);
const allFields = (check: Check) => Object.fromEntries(HEALTH_FIELDS.map((field) => [field, check]));
const isNull: Check = (value) => value === null;
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const hasFields =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(fields).every(([name, check]) => check((value as Record<string, unknown>)[name]));
const isRowWith =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    hasFields(fields)(value) &&
    Object.entries(value as object).every(
      ([column, of]) => /^\w+$/.test(column) && (of === null || isText(of) || Number.isSafeInteger(of)),
    );

const DETAILS: Readonly<Record<ProtectiveAct["kind"], Check>> = {
  deleted: orNull(Number.isSafeInteger),
  purged: orNull(Number.isSafeInteger),
  login: hasFields({ email: orNull(isText), mailbox: orNull(isText), password: isFlag }),
  admin: hasFields({ brand: orNull(isText) }),
  session: isNull,
  lock: hasFields({ hash: orNull(isText) }),
  passkey: orNull(hasFields({ credential_id: isText })),
  lockdown: Number.isSafeInteger,
  sight: hasFields({ hides: isFlag, restricted: isFlag, brands: Number.isSafeInteger, discreet: isFlag }),
  block: isFlag,
  like: isNull,
  album: Number.isSafeInteger,
  trip: hasFields({
    cell: Number.isSafeInteger,
    day_from: Number.isSafeInteger,
    day_to: Number.isSafeInteger,
    state: (value) => value === "shown" || value === "unshown" || value === "removed",
  }),
  stay: hasFields({
    country: isText,
    shown: isText,
    hid: isFlag,
    withdrawn: isFlag,
    muted: isFlag,
    seen: Number.isSafeInteger,
    left: orNull(Number.isSafeInteger),
  }),
  picture: orNull(hasFields({ private: isFlag, hidden: Number.isSafeInteger })),
  action: orNull(isRowWith({ kind: isText, case_ref: isText })),
  mark: orNull(isRowWith({ kind: isText, case_ref: isText })),
  known: orNull(isRowWith({ hash: isText, source: isText })),
  health: hasFields({
    audiences: hasFields(
      allFields((audience) => audience === undefined || AUDIENCES.includes(audience as (typeof AUDIENCES)[number])),
    ),
    filled: hasFields(allFields(isFlag)),
  }),
  voice: orNull(hasFields({ private: isFlag, removed: isFlag })),
  words: hasFields({ hash: orNull(isText) }),
  signal: hasFields({ token: isHex }),
  met: isNull,
  tonight: hasFields({ until: Number.isSafeInteger, wishes: Number.isSafeInteger }),
  unsent: isFlag,
};

/** The acts of a stored file that can be done again, and in words what is wrong with the others. */
export function parseActs(text: string): {
  readonly acts: readonly ProtectiveAct[];
  readonly faults: readonly string[];
} {
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch (error) {
    return { acts: [], faults: [`it is no JSON (${(error as Error).message})`] };
  }
  if (!Array.isArray(rows)) return { acts: [], faults: ["it is no list"] };
  const acts = rows.filter(isAct);
  const first = rows.findIndex((row) => !isAct(row));
  const faults =
    first < 0
      ? []
      : [`${rows.length - acts.length} of ${rows.length} acts make no sense, the first is number ${first + 1}`];
  return { acts, faults };
}

function isAct(row: unknown): row is ProtectiveAct {
  const isWhole = hasFields({
    kind: (kind) => PROTECTIVE_ACTS.includes(kind as ProtectiveAct["kind"]),
    member: Number.isSafeInteger,
    other: Number.isSafeInteger,
    detail: orNull(isText),
    ts: Number.isSafeInteger,
  })(row);
  try {
    return isWhole && DETAILS[(row as ProtectiveAct).kind](detailOf(row as ProtectiveAct));
  } catch {
    return false;
  }
}

const detailOf = <Value>({ detail }: ProtectiveAct) => JSON.parse(detail ?? "null") as Value;

/** Of a file that could have been damaged. */
function id(value: number): number {
  if (!Number.isSafeInteger(value)) throw new Error(`a protective act names ${JSON.stringify(value)}`);
  return value;
}
