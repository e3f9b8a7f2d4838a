/** Searches the viewer's messages. Each request scans a bounded number of them and returns a cursor to continue from. */
import { MESSAGES_PAGE_SIZE, SEARCH_SCAN_MAX } from "@lambda/contract/limits";
import type { Conversation } from "@lambda/contract/messages";
import { batch } from "../../platform/db/database.ts";
import { allNumbersIfFew } from "../../platform/db/message-databases.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { type MessageColumns, otherIdOf, type PartnerRow, toMessage, toPartner } from "./mappers.ts";
import { listDatabasesOf, PARTNERS_PER_QUERY_MAX, selectPartners } from "./queries.ts";
import { listHitsInMain, listHitsInOther, type SearchRow } from "./statements.ts";

/**
 * A page, newest first, from all conversations, received and sent, ignoring case and accents. The cursor is the id below which the next request continues;
 * null when everything was scanned.
 */
export async function searchMessages(
  ctx: MemberContext,
  query: string,
  before: number | undefined,
): Promise<{ items: Omit<Conversation, "unread">[]; nextCursor: number | null }> {
  const me = ctx.viewer.profileId;
  const below = before ?? Number.MAX_SAFE_INTEGER;
  const [inMain, inOthers] = await Promise.all([
    listHitsInMain(ctx, query, below).then(toSearched<MessageColumns & PartnerRow>),
    searchOthers(ctx, query, below),
  ]);
  // Only ids above the highest stop were scanned in every database.
  const stoppedAt = Math.max(inMain.stoppedAt, ...inOthers.map((searched) => searched.stoppedAt));
  const otherIds = inOthers.flatMap(({ rows }) => rows.map((row) => otherIdOf(row, me) ?? 0));
  const partners = await listPartners(ctx, otherIds);
  const otherHits = inOthers.flatMap(({ rows }) =>
    rows.flatMap((row) => {
      const partner = partners.get(otherIdOf(row, me) ?? 0);
      return partner ? [{ row, partner }] : [];
    }),
  );
  const items = [...inMain.rows.map((row) => ({ row, partner: row as PartnerRow })), ...otherHits]
    .filter(({ row }) => row.id >= stoppedAt)
    .sort((one, other) => other.row.id - one.row.id)
    .map(({ row, partner }) => {
      const other = toPartner(partner, ctx.now);
      return { other, message: toMessage(row, me, other !== null) };
    });
  const page = items.slice(0, MESSAGES_PAGE_SIZE);
  const end = page.length < items.length ? page.at(-1)?.message.id : stoppedAt;
  return { items: page, nextCursor: end || null };
}

interface SearchedDatabase<Row> {
  readonly rows: readonly Row[];
  /** The id below which nothing was scanned, or no more hits were returned; 0 when everything was. */
  readonly stoppedAt: number;
}

async function searchOthers(ctx: MemberContext, query: string, below: number) {
  const me = ctx.viewer.profileId;
  const search = (database: number) => listHitsInOther(ctx.messageDatabases.open(database).db, me, query, below);
  const all = allNumbersIfFew(ctx.messageDatabases);
  const searches = all
    ? await searchAll(ctx, all, search)
    : (await listDatabasesOf(ctx.db, ctx.messageDatabases.numbers, me)).map(search);
  return (await Promise.all(searches)).map(toSearched<MessageColumns>);
}

type SearchOne = (database: number) => Promise<SearchRow<MessageColumns>[]>;

/** Searches all databases. One that is down fails the search only if it holds messages of the viewer. */
async function searchAll(ctx: MemberContext, messageDatabases: readonly number[], search: SearchOne) {
  const results = await Promise.allSettled(messageDatabases.map(search));
  const failed = messageDatabases.filter((_, index) => results[index]?.status === "rejected");
  const needed = failed.length === 0 ? [] : await listDatabasesOf(ctx.db, failed, ctx.viewer.profileId);
  return [...results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])), ...needed.map(search)];
}

function toSearched<Row extends MessageColumns>(found: readonly SearchRow<Row>[]): SearchedDatabase<Row> {
  const { scanned, last } = found[0] ?? { scanned: 0, last: null };
  const rows = found.filter((row): row is Row & typeof row => row.id !== null);
  if (rows.length === MESSAGES_PAGE_SIZE) return { rows, stoppedAt: rows.at(-1)?.id ?? 0 };
  return { rows, stoppedAt: scanned < SEARCH_SCAN_MAX ? 0 : (last ?? 0) };
}

/** The members whom the viewer did not block, as the viewer may know them. */
async function listPartners(ctx: MemberContext, ids: readonly number[]): Promise<Map<number, PartnerRow>> {
  const others = [...new Set(ids)];
  const queries = Array.from({ length: Math.ceil(others.length / PARTNERS_PER_QUERY_MAX) }, (_, at) =>
    selectPartners(ctx, others.slice(at * PARTNERS_PER_QUERY_MAX, (at + 1) * PARTNERS_PER_QUERY_MAX)),
  );
  const rows = (await batch(ctx.d1, queries)).flat();
  return new Map(rows.map((row) => [row.other_id, row]));
}
