/** The main database's copy of a pair whose messages are in another one: how much each member wrote, and both members' conversation rows. */
import { type RawBuilder, sql } from "kysely";
import { type Database, indexedBy, insertIf, type Query } from "../../platform/db/database.ts";
import type { ConversationRow, MessagePairRow, MessageRow } from "../../platform/db/tables.ts";
import { isOfPair } from "./mappers.ts";

export type MessagePairState = Pick<MessagePairRow, "low_count" | "high_count" | "version" | "unsent_by">;

/** Two members, lower id first, and the database of their messages. */
export interface Pair {
  readonly low: number;
  readonly high: number;
  readonly shard: number;
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

/** Brings the main database to this state, unless its copy is newer or a member's account is gone. */
export function copyPairStateQueries(
  db: Database,
  pair: Pair,
  messagePair: MessagePairState,
  conversations: readonly ConversationRow[],
): Query[] {
  const { low, high } = pair;
  return [
    copyMessagePairQuery(db, pair, messagePair),
    copyConversationQuery(db, pair, messagePair.version, low, high, conversations),
    copyConversationQuery(db, pair, messagePair.version, high, low, conversations),
  ];
}

function copyMessagePairQuery(db: Database, { low, high, shard }: Pair, state: MessagePairState): Query {
  const copied = { ...state, synced_version: state.version };
  const row = { low_id: low, high_id: high, shard, ...copied };
  const exists = (id: number) => db.selectFrom("profile").select("id").where("id", "=", id);
  return insertIf(db, "message_pair", row, (eb) =>
    eb.and([eb.exists(exists(low)), eb.exists(exists(high))]),
  ).onConflict((conflict) =>
    conflict
      .columns(["low_id", "high_id"])
      .doUpdateSet(copied)
      .where("message_pair.shard", "=", shard)
      .where("message_pair.version", "<", state.version),
  );
}

function copyConversationQuery(
  db: Database,
  pair: Pair,
  version: number,
  ownerId: number,
  otherId: number,
  conversations: readonly ConversationRow[],
): Query {
  const isCopied = db
    .selectFrom("message_pair")
    .select("version")
    .where(isOfPair(pair))
    .where("shard", "=", pair.shard)
    .where("version", "=", version);
  const conversation = conversations.find(({ profile_id }) => profile_id === ownerId);
  if (!conversation)
    return db
      .deleteFrom("conversation")
      .where("profile_id", "=", ownerId)
      .where("other_id", "=", otherId)
      .where(({ exists }) => exists(isCopied));
  const { last_message_id, unread } = conversation;
  const row = { profile_id: ownerId, other_id: otherId, last_message_id, unread };
  return insertIf(db, "conversation", row, ({ exists }) => exists(isCopied)).onConflict((conflict) =>
    conflict.columns(["profile_id", "other_id"]).doUpdateSet({ last_message_id, unread }),
  );
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
