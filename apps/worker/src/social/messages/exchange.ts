import { EXPOSURE_MESSAGES_EACH_MIN, EXPOSURE_MESSAGES_READ_MAX } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { rowsOf } from "../../platform/db/d1.ts";
import type { Shards } from "../../platform/db/shards.ts";

/** Whether two members both wrote to each other, and more than a refusal, since a time: a notice goes to partners alone. */
export function wroteToEachOther(
  one: RawBuilder<unknown>,
  other: RawBuilder<unknown>,
  since: number,
): RawBuilder<boolean> {
  const enough = sql.lit(EXPOSURE_MESSAGES_EACH_MIN);
  return sql<boolean>`(select sum(m.sender_id = ${one}) >= ${enough} and sum(m.sender_id = ${other}) >= ${enough} from (
    select sender_id, ts_created from message where low_id = min(${one}, ${other}) and high_id = max(${one}, ${other})
    order by id desc limit ${sql.lit(EXPOSURE_MESSAGES_READ_MAX)}) m where m.ts_created >= ${since})`;
}

export interface Acquaintance {
  readonly profile_id: number;
  readonly other_id: number;
  readonly shard: number;
}

/** Of pairs of whatever databases, those who wrote to each other since a time. */
export async function listExchanging<Pair extends Acquaintance>(
  shards: Shards,
  pairs: readonly Pair[],
  since: number,
): Promise<Pair[]> {
  const asked = [...new Set(pairs.map(({ shard }) => shard))].map(async (shard) => {
    const theirs = pairs.filter((pair) => pair.shard === shard);
    const rows = await shards
      .open(shard)
      .db.selectFrom(
        rowsOf<Acquaintance, "profile_id" | "other_id", "pair">(theirs, ["profile_id", "other_id"], "pair"),
      )
      .select("pair.other_id")
      .where(wroteToEachOther(sql.ref("pair.profile_id"), sql.ref("pair.other_id"), since))
      .execute();
    const found = new Set(rows.map(({ other_id }) => other_id));
    return theirs.filter(({ other_id }) => found.has(other_id));
  });
  return (await Promise.all(asked)).flat();
}

/** Whether a message was written since a time. */
export function isSince(messageId: RawBuilder<unknown>, since: number): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from message last where last.id = ${messageId} and last.ts_created >= ${since})`;
}
