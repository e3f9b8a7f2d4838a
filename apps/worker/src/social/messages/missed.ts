/** Messages that a device missed: received, or sent from another device, after an id. */
import { sql } from "kysely";
import { notBlockedBy } from "../../members/visibility/visibility.ts";
import { batch, type Query } from "../../platform/db/batch.ts";
import { indexedBy, rowsOf } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import { firstIdAt, isTimestampId } from "../../platform/db/shards.ts";
import type { MessagePairRow } from "../../platform/db/tables.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { type MessageColumns, otherIdOf, type PartnerRow } from "./mappers.ts";
import { isInHistoryOf, MESSAGE_COLUMNS, visibleColumn } from "./queries.ts";

/** Ten seconds of ids. Ids from several databases are ordered by clock, so a message may become visible after one with a higher id. */
const OVERLAP_IDS = firstIdAt(Date.UTC(2020, 0) + 10_000);

export type MissedRow = MessageColumns & Pick<PartnerRow, "visible">;

type ShardPair = Pick<MessagePairRow, "low_id" | "high_id" | "shard"> &
  Pick<PartnerRow, "other_id" | "visible"> & { readonly last_message_id: number };

/**
 * Oldest first, from all conversations and databases. `overlap` are messages just before the id, which a device may lack when there are
 * several databases.
 */
export async function listMissed(ctx: MemberContext, since: number, size: number) {
  const inMain = missedInMainQuery(ctx, since, null, size);
  if (ctx.shards.numbers.length === 0) return { overlap: [], after: (await batch(ctx.d1, [inMain]))[0] };
  const from = isTimestampId(since) ? since - OVERLAP_IDS : since;
  const [rows, before, pairs] = await batch(ctx.d1, [
    inMain,
    missedInMainQuery(ctx, from, since, size),
    shardPairsQuery(ctx, from),
  ]);
  const visible = new Map(pairs.map(({ other_id, visible }) => [other_id, visible]));
  const me = ctx.viewer.profileId;
  const withVisibility = (row: MessageColumns): MissedRow => ({
    ...row,
    visible: visible.get(otherIdOf(row, me) ?? 0) ?? 0,
  });
  const inShards = await Promise.all(
    [...new Set(pairs.map(({ shard }) => shard))].map((shard) => {
      const shardPairs = pairs.filter((pair) => pair.shard === shard);
      return listMissedInShard(ctx, shard, shardPairs, { from, since, size });
    }),
  );
  const merged = (lists: readonly MessageColumns[][]) => lists.flat().map(withVisibility).sort(byId);
  return {
    overlap: [...before, ...merged(inShards.map(([overlap]) => overlap))].sort(byId).slice(-size),
    after: [...rows, ...merged(inShards.map(([, after]) => after))].sort(byId).slice(0, size),
  };
}

interface MissedRange {
  /** The id at which the overlap begins. */
  readonly from: number;
  readonly since: number;
  readonly size: number;
}

/**
 * Reads from the primary when the replica lacks a message that the main database lists as a pair's latest: the device would otherwise
 * skip it for good.
 */
async function listMissedInShard(
  ctx: MemberContext,
  shard: number,
  pairs: readonly ShardPair[],
  { from, since, size }: MissedRange,
): Promise<[overlap: MessageColumns[], after: MessageColumns[]]> {
  const me = ctx.viewer.profileId;
  const { d1, db } = ctx.shards.open(shard);
  const lists = await batch(d1, [
    missedInShardQuery(db, me, pairs, from, since, size),
    missedInShardQuery(db, me, pairs, since, null, size),
  ]);
  const ids = new Set(lists.flat().map(({ id }) => id));
  const isComplete = lists.every((list) => list.length < size);
  const isStale = isComplete && pairs.some((pair) => !ids.has(pair.last_message_id));
  if (!isStale || !ctx.database.switchShardToPrimary(shard)) return lists;
  return listMissedInShard(ctx, shard, pairs, { from, since, size });
}

const byId = (one: MissedRow, other: MissedRow) => one.id - other.id;

/** Messages of the main database after an id: the latest ones up to `upTo`, or without it the earliest. */
function missedInMainQuery(ctx: MemberContext, after: number, upTo: number | null, size: number): Query<MissedRow> {
  const me = ctx.viewer.profileId;
  return ctx.db
    .selectFrom("conversation as c")
    .crossJoin("profile as p")
    .crossJoin(indexedBy("message", "m", "message_by_pair"))
    .select(MESSAGE_COLUMNS)
    .select(["c.other_id", visibleColumn(ctx)])
    .whereRef("p.id", "=", "c.other_id")
    .where("m.low_id", "=", sql<number>`min(c.profile_id, c.other_id)`)
    .where("m.high_id", "=", sql<number>`max(c.profile_id, c.other_id)`)
    .where("m.id", ">", after)
    .where("m.id", "<=", upTo ?? Number.MAX_SAFE_INTEGER)
    .where("c.profile_id", "=", me)
    .where("c.last_message_id", ">", after)
    .where(notBlockedBy(me, sql.ref("c.other_id")))
    .where(isInHistoryOf(me))
    .orderBy("m.id", upTo === null ? "asc" : "desc")
    .limit(size);
}

/** Pairs in message databases that have a message after an id. */
function shardPairsQuery(ctx: MemberContext, since: number): Query<ShardPair> {
  const me = ctx.viewer.profileId;
  return ctx.db
    .selectFrom("conversation as c")
    .crossJoin("profile as p")
    .crossJoin("message_pair as t")
    .select(["t.low_id", "t.high_id", "t.shard", "c.other_id", "c.last_message_id", visibleColumn(ctx)])
    .whereRef("p.id", "=", "c.other_id")
    .where("t.low_id", "=", sql<number>`min(c.profile_id, c.other_id)`)
    .where("t.high_id", "=", sql<number>`max(c.profile_id, c.other_id)`)
    .where("t.shard", ">", 0)
    .where("c.profile_id", "=", me)
    .where("c.last_message_id", ">", since)
    .where(notBlockedBy(me, sql.ref("c.other_id")));
}

/** The same for some pairs of a message database. */
function missedInShardQuery(
  db: Database,
  readerId: number,
  pairs: readonly Pick<MessagePairRow, "low_id" | "high_id">[],
  after: number,
  upTo: number | null,
  size: number,
): Query<MessageColumns> {
  return db
    .selectFrom(rowsOf(pairs, ["low_id", "high_id"], "pair"))
    .crossJoin(indexedBy("message", "m", "message_by_pair"))
    .select(MESSAGE_COLUMNS)
    .whereRef("m.low_id", "=", "pair.low_id")
    .whereRef("m.high_id", "=", "pair.high_id")
    .where("m.id", ">", after)
    .where("m.id", "<=", upTo ?? Number.MAX_SAFE_INTEGER)
    .where(isInHistoryOf(readerId))
    .orderBy("m.id", upTo === null ? "asc" : "desc")
    .limit(size);
}
