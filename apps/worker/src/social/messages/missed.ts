/** What came, or was sent from another device, after an id. */
import { type CompiledQuery, sql } from "kysely";
import { notBlockedBy } from "../../members/visibility/visibility.ts";
import { batch } from "../../platform/db/batch.ts";
import { indexedBy, rowsOf } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import { firstIdAt, isTimed } from "../../platform/db/shards.ts";
import type { TalkRow } from "../../platform/db/tables.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import type { MessageColumns, PartnerRow } from "./mappers.ts";
import { keptFor, MESSAGE, visibleNow } from "./queries.ts";

/** Ids of several databases follow each other by the clock, and a message is told of some time after it got its own. */
const OVERLAP_IDS = firstIdAt(Date.UTC(2020, 0) + 10_000);

export type Missed = MessageColumns & Pick<PartnerRow, "visible">;

interface MissedList {
  /** Just before the id, where there are several databases: a device may not have them all. */
  readonly overlap: readonly Missed[];
  readonly after: readonly Missed[];
}

type TalkingPair = Pick<TalkRow, "low_id" | "high_id" | "shard"> &
  Pick<PartnerRow, "other_id" | "visible"> & { readonly last_message_id: number };

/** Oldest first, over all conversations and databases. */
export async function listMissed(ctx: MemberContext, since: number, size: number): Promise<MissedList> {
  const here = missedHereQuery(ctx, since, null, size);
  if (ctx.shards.numbers.length === 0) return { overlap: [], after: (await batch<[Missed[]]>(ctx.d1, [here]))[0] };
  const from = isTimed(since) ? since - OVERLAP_IDS : since;
  const [rows, before, pairs] = await batch<[Missed[], Missed[], TalkingPair[]]>(ctx.d1, [
    here,
    missedHereQuery(ctx, from, since, size),
    talkingPairsQuery(ctx, from),
  ]);
  const visible = new Map(pairs.map(({ other_id, visible }) => [other_id, visible]));
  const me = ctx.viewer.profileId;
  const seen = (row: MessageColumns): Missed => {
    const otherId = row.sender_id === me ? row.recipient_id : row.sender_id;
    return { ...row, visible: visible.get(otherId ?? 0) ?? 0 };
  };
  const elsewhere = await Promise.all(
    [...new Set(pairs.map(({ shard }) => shard))].map((shard) => {
      const theirs = pairs.filter((pair) => pair.shard === shard);
      return listElsewhere(ctx, shard, theirs, { from, since, size });
    }),
  );
  const merged = (lists: readonly MessageColumns[][]) => lists.flat().map(seen).sort(byId);
  return {
    overlap: [...before, ...merged(elsewhere.map(([overlap]) => overlap))].sort(byId).slice(-size),
    after: [...rows, ...merged(elsewhere.map(([, after]) => after))].sort(byId).slice(0, size),
  };
}

interface Span {
  /** Where the overlap begins. */
  readonly from: number;
  readonly since: number;
  readonly size: number;
}

/** A copy near the member that lacks what the main database calls a pair's latest is passed over: it would be skipped for good. */
async function listElsewhere(
  ctx: MemberContext,
  shard: number,
  pairs: readonly TalkingPair[],
  { from, since, size }: Span,
): Promise<[overlap: MessageColumns[], after: MessageColumns[]]> {
  const me = ctx.viewer.profileId;
  const { d1, db } = ctx.shards.open(shard);
  const lists = await batch<[MessageColumns[], MessageColumns[]]>(d1, [
    betweenQuery(db, me, pairs, from, since, size),
    betweenQuery(db, me, pairs, since, null, size),
  ]);
  const ids = new Set(lists.flat().map(({ id }) => id));
  const isWhole = lists.every((list) => list.length < size);
  const isOlder = isWhole && pairs.some((pair) => !ids.has(pair.last_message_id));
  if (!isOlder || !ctx.database.leaveReplicaOf(shard)) return lists;
  return listElsewhere(ctx, shard, pairs, { from, since, size });
}

const byId = (one: Missed, other: Missed) => one.id - other.id;

/** In the main database, behind an id: up to another one the latest, else the earliest. */
function missedHereQuery(ctx: MemberContext, after: number, upTo: number | null, size: number): CompiledQuery<Missed> {
  const me = ctx.viewer.profileId;
  return ctx.db
    .selectFrom("conversation as c")
    .crossJoin("profile as p")
    .crossJoin(indexedBy("message", "m", "message_pair"))
    .select(MESSAGE)
    .select(["c.other_id", visibleNow(ctx)])
    .whereRef("p.id", "=", "c.other_id")
    .where("m.low_id", "=", sql<number>`min(c.profile_id, c.other_id)`)
    .where("m.high_id", "=", sql<number>`max(c.profile_id, c.other_id)`)
    .where("m.id", ">", after)
    .where("m.id", "<=", upTo ?? Number.MAX_SAFE_INTEGER)
    .where("c.profile_id", "=", me)
    .where("c.last_message_id", ">", after)
    .where(notBlockedBy(me, sql.ref("c.other_id")))
    .where(keptFor(me))
    .orderBy("m.id", upTo === null ? "asc" : "desc")
    .limit(size)
    .compile();
}

/** Pairs of other databases with something newer than an id. */
function talkingPairsQuery(ctx: MemberContext, since: number): CompiledQuery<TalkingPair> {
  const me = ctx.viewer.profileId;
  return ctx.db
    .selectFrom("conversation as c")
    .crossJoin("profile as p")
    .crossJoin("talk as t")
    .select(["t.low_id", "t.high_id", "t.shard", "c.other_id", "c.last_message_id", visibleNow(ctx)])
    .whereRef("p.id", "=", "c.other_id")
    .where("t.low_id", "=", sql<number>`min(c.profile_id, c.other_id)`)
    .where("t.high_id", "=", sql<number>`max(c.profile_id, c.other_id)`)
    .where("t.shard", ">", 0)
    .where("c.profile_id", "=", me)
    .where("c.last_message_id", ">", since)
    .where(notBlockedBy(me, sql.ref("c.other_id")))
    .compile();
}

/** Messages of some pairs behind an id; up to another one the latest of them, else the earliest. */
function betweenQuery(
  db: Database,
  readerId: number,
  pairs: readonly Pick<TalkRow, "low_id" | "high_id">[],
  after: number,
  upTo: number | null,
  size: number,
): CompiledQuery<MessageColumns> {
  return db
    .selectFrom(rowsOf(pairs, ["low_id", "high_id"], "pair"))
    .crossJoin(indexedBy("message", "m", "message_pair"))
    .select(MESSAGE)
    .whereRef("m.low_id", "=", "pair.low_id")
    .whereRef("m.high_id", "=", "pair.high_id")
    .where("m.id", ">", after)
    .where("m.id", "<=", upTo ?? Number.MAX_SAFE_INTEGER)
    .where(keptFor(readerId))
    .orderBy("m.id", upTo === null ? "asc" : "desc")
    .limit(size)
    .compile();
}
