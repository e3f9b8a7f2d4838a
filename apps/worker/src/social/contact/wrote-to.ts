import { UNANSWERED_MESSAGES_MAX } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";

/**
 * Whether a member wrote to the other at any time. The beginning of a conversation tells: nobody can write more than
 * UNANSWERED_MESSAGES_MAX messages before the other side answers.
 */
export function wroteTo(me: number, other: number | RawBuilder<unknown>): RawBuilder<0 | 1> {
  return sql<0 | 1>`exists (select 1 from (select sender_id from message indexed by message_pair
    where low_id = min(${me}, ${other}) and high_id = max(${me}, ${other}) order by id
    limit ${sql.lit(UNANSWERED_MESSAGES_MAX + 1)}) where sender_id = ${me})`;
}
