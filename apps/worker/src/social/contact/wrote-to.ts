import { UNANSWERED_MESSAGES_MAX } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";

type Id = number | RawBuilder<unknown>;

/** Whether a member wrote to the other at any time; what is gone since counts. */
export function wroteTo(me: Id, other: Id): RawBuilder<0 | 1> {
  return sql<
    0 | 1
  >`exists (select 1 from talk t where t.low_id = min(${me}, ${other}) and t.high_id = max(${me}, ${other})
    and iif(t.low_id = ${me}, t.low_wrote, t.high_wrote) > 0)`;
}

/** How much a member wrote to the other without an answer, counted up to the cap; null once the other wrote too. */
export function unansweredBy(me: number, other: number): RawBuilder<number | null> {
  const [mine, theirs] = columnsOf(me, other);
  return sql<
    number | null
  >`nullif(ifnull((select iif(${theirs} > 0, -1, ${mine}) from talk t where ${isPair(me, other)}), 0), -1)`;
}

/** The other answered, or there is room for one more message. */
export function mayStillWrite(me: number, other: number): RawBuilder<boolean> {
  const [mine, theirs] = columnsOf(me, other);
  return sql<boolean>`not exists (select 1 from talk t where ${isPair(me, other)}
    and ${theirs} = 0 and ${mine} >= ${sql.lit(UNANSWERED_MESSAGES_MAX)})`;
}

/** Where two members' messages are; null before their first one. */
export function shardBetween(me: Id, other: Id): RawBuilder<number | null> {
  return sql<number | null>`(select t.shard from talk t
    where t.low_id = min(${me}, ${other}) and t.high_id = max(${me}, ${other}))`;
}

const isPair = (one: number, other: number) =>
  sql`t.low_id = ${Math.min(one, other)} and t.high_id = ${Math.max(one, other)}`;

/** What this member wrote, and what the other did. */
function columnsOf(me: number, other: number): readonly [mine: RawBuilder<number>, theirs: RawBuilder<number>] {
  const low = sql.ref<number>("t.low_wrote");
  const high = sql.ref<number>("t.high_wrote");
  return me < other ? [low, high] : [high, low];
}
