/** A pair's state: how much each member wrote, and both members' conversation rows. The main database has a copy if another holds the messages. */
import { type RawBuilder, sql } from "kysely";
import { type Database, indexedBy, type Query } from "../../platform/db/database.ts";
import type { ConversationRow, MessagePairRow, MessageRow } from "../../platform/db/tables.ts";
import { isOfPair } from "./mappers.ts";

export type MessagePairState = Pick<MessagePairRow, "low_count" | "high_count" | "version" | "unsent_by">;

/** Two members, lower id first, and the database of their messages. */
export interface Pair {
  readonly low: number;
  readonly high: number;
  readonly database: number;
}

type PairIds = Pick<Pair, "low" | "high">;

/** The version that the pair will have after the current transaction. */
export const nextVersion = ({ low, high }: PairIds): RawBuilder<number> =>
  sql<number>`(select ifnull(max(t.version), 0) + 1 from message_pair t where t.low_id = ${low} and t.high_id = ${high})`;

/** The pair's row, both conversations, and the messages with content that the main database has not copied yet. */
export function pairStateQueries(
  db: Database,
  { low, high }: PairIds,
): [Query<MessagePairState>, Query<ConversationRow>, Query<MessageRow>] {
  return [
    db
      .selectFrom("message_pair")
      .select(["low_count", "high_count", "version", "unsent_by"])
      .where(isOfPair({ low, high })),
    db
      .selectFrom("conversation")
      .selectAll()
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple("profile_id", "other_id"), "in", [tuple(low, high), tuple(high, low)]),
      ),
    db
      .selectFrom(indexedBy("message", "m", "message_unsynced"))
      .selectAll("m")
      .where(isOfPair({ low, high }, "m"))
      .where("m.unsynced_version", "is not", null),
  ];
}

export function markSyncedQueries(db: Database, pair: PairIds, version: number, hasContent: boolean): Query[] {
  const markPair = db
    .updateTable("message_pair")
    .set({ synced_version: version })
    .where(isOfPair(pair))
    .where("synced_version", "<", version);
  if (!hasContent) return [markPair];
  const markMessages = db
    .updateTable("message")
    .set({ unsynced_version: null })
    .where(isOfPair(pair, "message"))
    .where("unsynced_version", "<=", version);
  return [markPair, markMessages];
}
