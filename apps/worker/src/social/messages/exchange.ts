import { EXPOSURE_MESSAGES_EACH_MIN, EXPOSURE_MESSAGES_READ_MAX } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";

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

/** Whether a message was written since a time. */
export function isSince(messageId: RawBuilder<unknown>, since: number): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from message last where last.id = ${messageId} and last.ts_created >= ${since})`;
}
