import { UNANSWERED_MESSAGES_MAX } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { heldIn } from "../platform/db/message-databases.ts";

type Id = number | RawBuilder<unknown>;

/** Whether a member ever wrote to the other. Deleted messages count. */
export function wroteTo(me: Id, other: Id): RawBuilder<0 | 1> {
  return sql<
    0 | 1
  >`exists (select 1 from message_pair t where t.low_id = min(${me}, ${other}) and t.high_id = max(${me}, ${other})
    and iif(t.low_id = ${me}, t.low_count, t.high_count) > 0)`;
}

/** The number of messages a member wrote without a reply, counted up to the cap; null once the other replied. */
export function unansweredCount(me: number, other: number): RawBuilder<number | null> {
  const [mine, theirs] = wroteColumns(me, other);
  return sql<
    number | null
  >`nullif(ifnull((select iif(${theirs} > 0, -1, ${mine}) from message_pair t where ${isPair(me, other)}), 0), -1)`;
}

/** Whether the other has replied, or the member may send at least one more message without a reply. */
export function hasUnansweredLeft(me: number, other: number): RawBuilder<boolean> {
  const [mine, theirs] = wroteColumns(me, other);
  return sql<boolean>`not exists (select 1 from message_pair t where ${isPair(me, other)}
    and ${theirs} = 0 and ${mine} >= ${sql.lit(UNANSWERED_MESSAGES_MAX)})`;
}

/** Whether both members wrote, and the main database holds their messages. */
export function bothWroteInMain(one: number, other: number): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from message_pair t where ${isPair(one, other)}
    and t.low_count > 0 and t.high_count > 0 and ${heldIn} = 0)`;
}

/** The database of two members' messages; null before their first one. */
export function pairDatabase(me: Id, other: Id): RawBuilder<number | null> {
  return sql<number | null>`(select ${heldIn} from message_pair t
    where t.low_id = min(${me}, ${other}) and t.high_id = max(${me}, ${other}))`;
}

const isPair = (one: number, other: number) =>
  sql`t.low_id = ${Math.min(one, other)} and t.high_id = ${Math.max(one, other)}`;

/** The columns with the number of messages that this member and the other wrote. */
function wroteColumns(me: number, other: number): readonly [mine: RawBuilder<number>, theirs: RawBuilder<number>] {
  const low = sql.ref<number>("t.low_count");
  const high = sql.ref<number>("t.high_count");
  return me < other ? [low, high] : [high, low];
}
