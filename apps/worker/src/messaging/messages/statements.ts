/**
 * Raw statements with nested unions and recursion. Their exact form decides how many rows D1 reads, and Kysely cannot keep it;
 * docs/SQL.md lists the rows that each one saves.
 */
import { BRANDS } from "@lambda/brands";
import { MESSAGES_PAGE_SIZE, SEARCH_SCAN_MAX } from "@lambda/contract/limits";
import type { CurveKey } from "@lambda/geo/curve";
import { type RawBuilder, sql } from "kysely";
import { isCurrentlyActive } from "../../accounts/sessions/viewer.ts";
import { ownFirstPicture } from "../../pictures/album-order.ts";
import { containsText } from "../../platform/db/contains-text.ts";
import { type Database, openDatabase, rawQuery } from "../../platform/db/database.ts";
import type { RecipientSession } from "../../platform/objects.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { firstPictureOf, notBlocked, notBlockedBy, presentOn, seenBy, visibleTo } from "../../visibility/visibility.ts";
import type { MessageColumns, PartnerRow, SenderColumns } from "./mappers.ts";
import { isInHistoryOf, MESSAGE_COLUMNS, type Slice } from "./queries.ts";
import type { SocketOwner } from "./sockets.ts";

const COLUMNS = sql.join(MESSAGE_COLUMNS.map((column) => sql.ref(column)));

/** Messages examined for one page of missed ones. All of them are to or from the reader. */
const EXAMINED_MAX = 200;

/** The rows of a page, and if it ended short where no more may be examined, the id to continue from; undefined after the last message. */
export interface ExaminedPage<Row> {
  readonly rows: Row[];
  readonly stoppedAt: number | undefined;
}

interface ExaminedRow {
  /** JSON: how many messages were examined, and the last id of them. null if the page is full. */
  readonly examined: string | null;
}

/** What `examined` returned, in the order of ids that it was asked for. */
export function toExaminedPage<Row extends { readonly id: number }>(
  found: readonly (ExaminedRow & (Row | { readonly id: null }))[],
): ExaminedPage<Row> {
  const [count, last] = JSON.parse(found[0]?.examined ?? "[0, 0]") as [number, number];
  const rows = found.filter((row): row is ExaminedRow & Row => row.id !== null);
  return { rows, stoppedAt: count < EXAMINED_MAX ? undefined : last };
}

/**
 * A page of `found`, which selects from the messages with these ids, oldest first. Counts the ids only if the page is not full: its reader then
 * has to know whether there are more.
 */
function examined<Row>(
  ids: RawBuilder<unknown>,
  found: RawBuilder<unknown>,
  size: number,
): RawBuilder<ExaminedRow & Row> {
  return sql`with page as materialized (${found} limit ${sql.lit(size)})
    select * from (select iif((select count(*) from page) < ${sql.lit(size)},
        (select json_array(count(*), max(id)) from (${ids})), null) as examined) stop left join page`;
}

/**
 * A page of broadcasts in the given sectors from the viewer and members whom the viewer may see. Merges one index range per sector as far as
 * the page needs; an `in` over the sectors would sort all their messages first. Passes over all invisible posts, of which a trigger leaves
 * 50 of each member: if the page or its cursor ended at one, they would tell a blocked reader when somebody posts.
 */
export async function listBroadcasts(ctx: MemberContext, sectors: readonly number[], { since, before, size }: Slice) {
  const me = ctx.viewer.profileId;
  const order = sql.raw(since !== undefined ? "asc" : "desc");
  const ranges = sectors.map(
    (sector) => sql`select ${COLUMNS} from message m indexed by message_sector
      where m.brand = ${ctx.brand.id} and m.sector = ${sector} and m.ts_unsent is null
      ${since !== undefined ? sql`and m.id > ${since}` : sql``} ${before !== undefined ? sql`and m.id < ${before}` : sql``}`,
  );
  const { rows } = await sql<MessageColumns & SenderColumns>`
    select m.*, p.profile_name, iif(m.sender_id = ${me}, ${ownFirstPicture("p")}, ${firstPictureOf("p")}) as pic
    from (${unionAll(ranges)} order by 1 ${order} limit ${sql.lit(Number.MAX_SAFE_INTEGER)}) m
    cross join profile p on p.id = m.sender_id
    where m.sender_id = ${me} or ${visibleTo(ctx)}
    limit ${sql.lit(size)}`.execute(ctx.db);
  return rows;
}

/**
 * Messages of the main database after an id that a member received or sent, oldest first. Merges two index ranges, as only a few of his
 * conversations have any of them.
 */
export function missedInMainQuery(ctx: MemberContext, after: number, size: number) {
  const me = ctx.viewer.profileId;
  const merge = (columns: RawBuilder<unknown>) => sql`
    select ${columns} from message m indexed by message_recipient where m.recipient_id = ${me} and m.id > ${after}
    union all
    select ${columns} from message m indexed by message_sender where m.sender_id = ${me} and m.recipient_id is not null and m.id > ${after}
    order by 1 limit ${sql.lit(EXAMINED_MAX)}`;
  const found = sql`
    select m.*, p.id as other_id, ${visibleTo(ctx)} as visible
    from (${merge(COLUMNS)}) m
    cross join profile p on p.id = iif(m.sender_id = ${me}, m.recipient_id, m.sender_id)
    where ${isInHistoryOf(me)} and ${notBlockedBy(me, sql.ref("p.id"))}
      and exists (select 1 from conversation c where c.profile_id = ${me} and c.other_id = p.id)`;
  return rawQuery(ctx.db, examined<MissedRow>(merge(sql.ref("m.id")), found, size));
}

export type MissedRow = MessageColumns & Pick<PartnerRow, "visible">;

/** D1 allows five selects in one union. Nested unions are merged just as well. */
const UNION_TERMS_MAX = 5;

function unionAll(selects: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  if (selects.length <= UNION_TERMS_MAX) return sql.join(selects, sql` union all `);
  const parts = Array.from({ length: Math.ceil(selects.length / UNION_TERMS_MAX) }, (_, index) =>
    selects.slice(index * UNION_TERMS_MAX, (index + 1) * UNION_TERMS_MAX),
  );
  return sql.join(
    parts.map((part) => sql`select * from (${unionAll(part)})`),
    sql` union all `,
  );
}

/** A pair with messages that are waiting to be unsent. */
export interface UnsendPair {
  readonly sender_id: number;
  readonly recipient_id: number;
}

/**
 * The next pairs of a database with messages that were unsent while the recipient could not see the sender, by sender and recipient. The
 * recursion steps from pair to pair, so that the many messages of a member who hides for years cost as much as one.
 */
export async function listUnsendPairs(db: Database, after: UnsendPair, limit: number): Promise<UnsendPair[]> {
  const waiting = sql`from message o indexed by message_unsend_due where o.unsend_due = 1`;
  // Two seeks: SQLite compares a row of both columns by the first alone, and would read all pairs of the sender for each.
  const next = (sender: RawBuilder<unknown>, recipient: RawBuilder<unknown>) => sql`coalesce(
    (select o.id ${waiting} and o.sender_id = ${sender} and o.recipient_id > ${recipient} order by o.recipient_id limit 1),
    (select o.id ${waiting} and o.sender_id > ${sender} order by o.sender_id, o.recipient_id limit 1))`;
  const { rows } = await sql<UnsendPair>`
    with recursive pair(sender_id, recipient_id) as (
      select sender_id, recipient_id from message where id = ${next(sql`${after.sender_id}`, sql`${after.recipient_id}`)}
      union all
      select n.sender_id, n.recipient_id from pair
      cross join message n on n.id = ${next(sql.ref("pair.sender_id"), sql.ref("pair.recipient_id"))}
      limit ${sql.lit(limit)})
    select sender_id, recipient_id from pair`.execute(db);
  return rows;
}

/** The ids of the latest messages that a search scans: two index ranges, merged up to SEARCH_SCAN_MAX. */
const scannedIds = (me: number, below: number) => sql`
  select id from (
    select * from (select id from message indexed by message_recipient where recipient_id = ${me} and id < ${below}
                   order by id desc limit ${sql.lit(SEARCH_SCAN_MAX)})
    union all
    select * from (select id from message indexed by message_sender where sender_id = ${me} and id < ${below}
                   and recipient_id is not null order by id desc limit ${sql.lit(SEARCH_SCAN_MAX)}))
  order by id desc limit ${sql.lit(SEARCH_SCAN_MAX)}`;

/**
 * A row for each hit, or one row without a message when there is none, so that the same round trip always returns how many messages were
 * scanned, and the last id of them.
 */
export type SearchRow<Row> = { readonly scanned: number; readonly last: number | null } & (
  | Row
  | { readonly [Column in keyof Row]: null }
);

/** Messages below an id that contain this text. */
export async function listHitsInMain(ctx: MemberContext, text: string, below: number) {
  const me = ctx.viewer.profileId;
  const hits = sql`
    select ${COLUMNS}, p.id as other_id, ${visibleTo(ctx)} as visible, p.profile_name, p.ts_seen, ${firstPictureOf("p")} as pic
    from mine
    cross join message m on m.id = mine.id
    cross join profile p on p.id = case when m.sender_id = ${me} then m.recipient_id else m.sender_id end
    where ${containsText(sql.ref("m.body_text"), text)} and ${isInHistoryOf(me)} and ${notBlockedBy(me, sql.ref("p.id"))}`;
  return listHits<MessageColumns & PartnerRow>(ctx.db, me, below, hits);
}

/** The same in a message database. Includes messages of blocked members, whom that database does not know. */
export async function listHitsInOther(db: Database, me: number, text: string, below: number) {
  const hits = sql`
    select ${COLUMNS} from mine cross join message m on m.id = mine.id
    where ${containsText(sql.ref("m.body_text"), text)} and ${isInHistoryOf(me)}`;
  return listHits<MessageColumns>(db, me, below, hits);
}

/** `mine` is read in its order, the latest first: to sort the hits themselves, SQLite would look for all of them. */
async function listHits<Row>(db: Database, me: number, below: number, hits: RawBuilder<unknown>) {
  const { rows } = await sql<SearchRow<Row>>`
    with mine as materialized (${scannedIds(me, below)})
    select hit.*, scan.scanned, scan.last
    from (select count(*) as scanned, min(id) as last from mine) scan
    left join (${hits} limit ${sql.lit(MESSAGES_PAGE_SIZE)}) hit
    order by hit.id desc`.execute(db);
  return rows;
}

const BITS = JSON.stringify(Object.fromEntries(BRANDS.map((brand) => [brand.id, brand.bit])));

/**
 * Whether each session in `from` may see a member: the visibility rule with many viewers and one subject. A subquery, so that the
 * thousands of sessions of an area can be returned in one row.
 */
function selectSessions(from: RawBuilder<unknown>, aboutId: number | null, now: number): RawBuilder<RecipientSession> {
  const brand = { bit: sql<number>`(${BITS} ->> s.brand)` };
  return sql<RecipientSession>`
    select s.id,
      (${aboutId} is null or s.account_id = ${aboutId} or (
        ${presentOn(brand, "me")} and ${seenBy(brand, sql.ref("s.account_id"), "p", now)}
        and ${notBlocked(sql.ref("s.account_id"), aboutId)})) is true as maySee,
      at.key as key, s.lock_hash as lock
    from ${from}
    join profile me on me.id = s.account_id
    left join profile p on p.id = ${aboutId}
    left join position at on at.profile_id = s.account_id and at.ts_effective_until > ${now}
    where s.ts_expires > ${now} and ${isCurrentlyActive("me", now)}`;
}

/**
 * The sessions of `owners` that are still open, and whether each may see the member `aboutId`. A hidden member may see nobody and be
 * seen by nobody. All as JSON in one row.
 */
export async function listOpenSessions(
  d1: D1Database,
  owners: readonly SocketOwner[],
  aboutId: number | null,
  now: number,
): Promise<Map<number, RecipientSession>> {
  const ids = JSON.stringify(owners.map((owner) => owner.sessionId));
  const named = sql`json_each(${ids}) o cross join session s on s.id = o.value`;
  const all = sql<{ sessions: string }>`
    select json_group_array(json_array(id, maySee, key, lock)) as sessions from (${selectSessions(named, aboutId, now)})`;
  const { rows } = await all.execute(openDatabase(d1));
  const sessions = JSON.parse(rows[0]?.sessions ?? "[]") as [number, 0 | 1, CurveKey | null, string | null][];
  return new Map(sessions.map(([id, maySee, key, lock]) => [id, { id, maySee, key, lock }]));
}

/** The same for all sessions of some members. Part of the batch that stores a message, so that its delivery needs no further query. */
export function openSessionsQuery(db: Database, profileIds: readonly number[], aboutId: number, now: number) {
  const sessions = sql`json_each(${JSON.stringify(profileIds)}) o cross join session s on s.account_id = o.value`;
  return rawQuery(db, selectSessions(sessions, aboutId, now));
}
