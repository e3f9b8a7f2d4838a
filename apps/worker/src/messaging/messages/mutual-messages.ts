import {
  EXPOSURE_MESSAGES_EACH_MIN,
  EXPOSURE_MESSAGES_READ_MAX,
  MET_CONVERSATION_MIN_MS,
  MET_MESSAGES_EACH_MIN,
} from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { rowsOf } from "../../platform/db/database.ts";
import type { Shards } from "../../platform/db/shards.ts";

/** Whether both members sent each other at least EXPOSURE_MESSAGES_EACH_MIN messages since a time: more than a message and a rejection. */
export function wroteToEachOther(one: RawBuilder<unknown>, other: RawBuilder<unknown>, since: number) {
  const enough = sql.lit(EXPOSURE_MESSAGES_EACH_MIN);
  return sql<boolean>`(select sum(m.sender_id = ${one}) >= ${enough} and sum(m.sender_id = ${other}) >= ${enough} from (
    select sender_id, ts_created from message where low_id = min(${one}, ${other}) and high_id = max(${one}, ${other})
    order by id desc limit ${sql.lit(EXPOSURE_MESSAGES_READ_MAX)}) m where m.ts_created >= ${since})`;
}

/**
 * Whether the two got to know each other, as the first of them sees it: by the first and the last messages, without those that were
 * unsent and those of the other that a filter withheld.
 */
export function gotToKnow(me: number, other: number): RawBuilder<boolean> {
  const enough = sql.lit(MET_MESSAGES_EACH_MIN);
  const end = (order: "asc" | "desc") => sql`(select id, sender_id, ts_created from message
    where low_id = ${Math.min(me, other)} and high_id = ${Math.max(me, other)}
      and ts_unsent is null and (filtered = 0 or sender_id = ${me})
    order by id ${sql.raw(order)} limit ${sql.lit(EXPOSURE_MESSAGES_READ_MAX)})`;
  return sql<boolean>`(select ifnull(sum(m.sender_id = ${me}) >= ${enough} and sum(m.sender_id = ${other}) >= ${enough}
    and max(m.ts_created) - min(m.ts_created) >= ${sql.lit(MET_CONVERSATION_MIN_MS)}, 0)
    from (select * from ${end("asc")} union select * from ${end("desc")}) m)`;
}

export interface MemberPair {
  readonly profile_id: number;
  readonly other_id: number;
  readonly shard: number;
}

/** The pairs, from any database, in which both members wrote to each other since a time. */
export async function listMutualPairs<Pair extends MemberPair>(
  shards: Shards,
  pairs: readonly Pair[],
  since: number,
): Promise<Pair[]> {
  const lists = [...new Set(pairs.map(({ shard }) => shard))].map(async (shard) => {
    const inShard = pairs.filter((pair) => pair.shard === shard);
    const rows = await shards
      .open(shard)
      .db.selectFrom(rowsOf<MemberPair, "profile_id" | "other_id", "pair">(inShard, ["profile_id", "other_id"], "pair"))
      .select("pair.other_id")
      .where(wroteToEachOther(sql.ref("pair.profile_id"), sql.ref("pair.other_id"), since))
      .execute();
    const mutual = new Set(rows.map(({ other_id }) => other_id));
    return inShard.filter(({ other_id }) => mutual.has(other_id));
  });
  return (await Promise.all(lists)).flat();
}

export function isWrittenSince(messageId: RawBuilder<unknown>, since: number): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from message last where last.id = ${messageId} and last.ts_created >= ${since})`;
}
