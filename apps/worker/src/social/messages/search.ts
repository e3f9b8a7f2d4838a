/** Searching one's own messages: looks at a bounded number of them for each request, and says where to go on. */
import { SEARCH_SCAN_MAX } from "@lambda/contract/limits";
import type { Conversation } from "@lambda/contract/messages";
import { batch } from "../../platform/db/batch.ts";
import { allIfFew } from "../../platform/db/shards.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { type MessageColumns, type PartnerRow, toMessage, toPartner } from "./mappers.ts";
import { listShardsOf, PARTNERS_AT_ONCE, partnersOf } from "./queries.ts";
import { type Found, listFound, listFoundElsewhere } from "./statements.ts";

type Hit = Omit<Conversation, "unread">;

/**
 * Newest first over all conversations (received and sent), text compared without case. The cursor is the id below which
 * the next request goes on; absent when everything was looked at.
 */
export async function searchMessages(
  ctx: MemberContext,
  query: string,
  before: number | undefined,
): Promise<{ items: Hit[]; nextCursor: number | null }> {
  const me = ctx.viewer.profileId;
  const below = before ?? Number.MAX_SAFE_INTEGER;
  const [here, elsewhere] = await Promise.all([
    listFound(ctx, query, below).then(searchedOf<MessageColumns & PartnerRow>),
    searchElsewhere(ctx, query, below),
  ]);
  // Below where one of them stopped another one may have looked, but not all of them.
  const stopped = Math.max(here.stopped, ...elsewhere.map((searched) => searched.stopped));
  const partners = await getPartners(
    ctx,
    elsewhere.flatMap(({ rows }) => rows.map((row) => otherOf(row, me))),
  );
  const found = elsewhere.flatMap(({ rows }) =>
    rows.flatMap((row) => {
      const partner = partners.get(otherOf(row, me));
      return partner ? [{ row, partner }] : [];
    }),
  );
  const items = [...here.rows.map((row) => ({ row, partner: row as PartnerRow })), ...found]
    .filter(({ row }) => row.id >= stopped)
    .sort((one, other) => other.row.id - one.row.id)
    .map(({ row, partner }) => {
      const other = toPartner(partner, ctx.now);
      return { other, message: toMessage(row, me, other !== null) };
    });
  return { items, nextCursor: stopped === 0 ? null : stopped };
}

const otherOf = (row: MessageColumns, me: number) => (row.sender_id === me ? (row.recipient_id ?? 0) : row.sender_id);

interface Searched<Row> {
  readonly rows: readonly Row[];
  /** The id below which it did not look; 0 when it looked at everything. */
  readonly stopped: number;
}

async function searchElsewhere(ctx: MemberContext, query: string, below: number): Promise<Searched<MessageColumns>[]> {
  const me = ctx.viewer.profileId;
  const search = (shard: number) => listFoundElsewhere(ctx.shards.open(shard).db, me, query, below);
  const all = allIfFew(ctx.shards);
  const found = all
    ? await searchAll(ctx, all, search)
    : (await listShardsOf(ctx.db, ctx.shards.numbers, me)).map(search);
  return (await Promise.all(found)).map(searchedOf<MessageColumns>);
}

type SearchIn = (shard: number) => Promise<Found<MessageColumns>[]>;

/** One that does not answer fails the search of those alone who have messages in it. */
async function searchAll(ctx: MemberContext, shards: readonly number[], search: SearchIn) {
  const results = await Promise.allSettled(shards.map(search));
  const silent = shards.filter((_, at) => results[at]?.status === "rejected");
  const again = silent.length === 0 ? [] : await listShardsOf(ctx.db, silent, ctx.viewer.profileId);
  return [...results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])), ...again.map(search)];
}

function searchedOf<Row extends MessageColumns>(found: readonly Found<Row>[]): Searched<Row> {
  const { scanned, last } = found[0] ?? { scanned: 0, last: null };
  const rows = found.filter((row): row is Row & typeof row => row.id !== null);
  return { rows, stopped: scanned < SEARCH_SCAN_MAX ? 0 : (last ?? 0) };
}

/** Those whom the member did not block, as the member may know them. */
async function getPartners(ctx: MemberContext, ids: readonly number[]): Promise<Map<number, PartnerRow>> {
  const others = [...new Set(ids)];
  const queries = Array.from({ length: Math.ceil(others.length / PARTNERS_AT_ONCE) }, (_, at) =>
    partnersOf(ctx, others.slice(at * PARTNERS_AT_ONCE, (at + 1) * PARTNERS_AT_ONCE)).compile(),
  );
  const rows = (await batch<PartnerRow[][]>(ctx.d1, queries)).flat();
  return new Map(rows.map((row) => [row.other_id, row]));
}
