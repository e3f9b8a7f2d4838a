/** The main database's copy of a pair whose messages are in another one: how much each member wrote, and both members' conversation rows. */
import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Compiled } from "../../platform/db/batch.ts";
import { indexedBy } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import { guardQuery } from "../../platform/db/guard.ts";
import type { ConversationRow, MessageRow, TalkRow } from "../../platform/db/tables.ts";

export type TalkState = Pick<TalkRow, "low_wrote" | "high_wrote" | "version">;
export type ConversationState = ConversationRow;

/** Two members, lower id first, and the database of their messages. */
export interface Pair {
  readonly low: number;
  readonly high: number;
  readonly shard: number;
}

type PairIds = Pick<Pair, "low" | "high">;

export function incrementVersionQuery(db: Database, { low, high }: PairIds): Compiled {
  return db
    .updateTable("talk")
    .set((old) => ({ version: old("version", "+", 1) }))
    .where("low_id", "=", low)
    .where("high_id", "=", high)
    .compile();
}

/** The version that the pair will have after the current transaction. */
export const nextVersion = ({ low, high }: PairIds): RawBuilder<number> =>
  sql<number>`(select ifnull(max(t.version), 0) + 1 from talk t where t.low_id = ${low} and t.high_id = ${high})`;

/** The pair's row, both conversations, and the messages with content that the main database has not copied yet. */
export function pairStateQueries(
  db: Database,
  { low, high }: PairIds,
): [CompiledQuery<TalkState>, CompiledQuery<ConversationState>, CompiledQuery<MessageRow>] {
  return [
    db
      .selectFrom("talk")
      .select(["low_wrote", "high_wrote", "version"])
      .where("low_id", "=", low)
      .where("high_id", "=", high)
      .compile(),
    db
      .selectFrom("conversation")
      .selectAll()
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple("profile_id", "other_id"), "in", [tuple(low, high), tuple(high, low)]),
      )
      .compile(),
    db
      .selectFrom(indexedBy("message", "m", "message_untold"))
      .selectAll("m")
      .where("m.low_id", "=", low)
      .where("m.high_id", "=", high)
      .where("m.untold", "is not", null)
      .compile(),
  ];
}

/** A guard that aborts the batch unless the main database's copy of the pair is older than this version. */
export function requireOlderCopyQuery(db: Database, { low, high }: PairIds, version: number): Compiled {
  return guardQuery(
    db,
    sql<boolean>`not exists (select 1 from talk t where t.low_id = ${low} and t.high_id = ${high} and t.version >= ${version})`,
  );
}

/** Brings the main database to this state, unless its copy is newer or a member's account is gone. */
export function copyPairStateQueries(
  db: Database,
  pair: Pair,
  talk: TalkState,
  conversations: readonly ConversationState[],
): Compiled[] {
  const { low, high } = pair;
  return [
    copyTalkQuery(db, pair, talk),
    copyConversationQuery(db, pair, talk.version, low, high, conversations),
    copyConversationQuery(db, pair, talk.version, high, low, conversations),
  ];
}

function copyTalkQuery(
  db: Database,
  { low, high, shard }: Pair,
  { low_wrote, high_wrote, version }: TalkState,
): Compiled {
  return db
    .insertInto("talk")
    .columns(["low_id", "high_id", "low_wrote", "high_wrote", "shard", "version", "told"])
    .expression((select) =>
      select
        .selectFrom("profile as l")
        .innerJoin("profile as h", (join) => join.on("h.id", "=", high))
        .select(["l.id as low_id", "h.id as high_id"])
        .select([sql.val(low_wrote).as("low_wrote"), sql.val(high_wrote).as("high_wrote")])
        .select([sql.val(shard).as("shard"), sql.val(version).as("version"), sql.val(version).as("told")])
        .where("l.id", "=", low),
    )
    .onConflict((conflict) =>
      conflict
        .columns(["low_id", "high_id"])
        .doUpdateSet({ low_wrote, high_wrote, version, told: version })
        .where("talk.shard", "=", shard)
        .where("talk.version", "<", version),
    )
    .compile();
}

function copyConversationQuery(
  db: Database,
  { low, high, shard }: Pair,
  version: number,
  ownerId: number,
  otherId: number,
  conversations: readonly ConversationState[],
): Compiled {
  const conversation = conversations.find(({ profile_id }) => profile_id === ownerId);
  if (!conversation)
    return db
      .deleteFrom("conversation")
      .where("profile_id", "=", ownerId)
      .where("other_id", "=", otherId)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom("talk")
            .select("version")
            .where("low_id", "=", low)
            .where("high_id", "=", high)
            .where("shard", "=", shard)
            .where("version", "=", version),
        ),
      )
      .compile();
  const { last_message_id, unread } = conversation;
  return db
    .insertInto("conversation")
    .columns(["profile_id", "other_id", "last_message_id", "unread"])
    .expression((select) =>
      select
        .selectFrom("talk")
        .select([sql.val(ownerId).as("profile_id"), sql.val(otherId).as("other_id")])
        .select([sql.val(last_message_id).as("last_message_id"), sql.val(unread).as("unread")])
        .where("low_id", "=", low)
        .where("high_id", "=", high)
        .where("shard", "=", shard)
        .where("version", "=", version),
    )
    .onConflict((conflict) => conflict.columns(["profile_id", "other_id"]).doUpdateSet({ last_message_id, unread }))
    .compile();
}

/** Records in the message database which version the main one has copied. */
export function markSyncedQueries(
  db: Database,
  { low, high }: PairIds,
  version: number,
  hasContent: boolean,
): Compiled[] {
  const talk = db
    .updateTable("talk")
    .set({ told: version })
    .where("low_id", "=", low)
    .where("high_id", "=", high)
    .where("told", "<", version)
    .compile();
  if (!hasContent) return [talk];
  const messages = db
    .updateTable("message")
    .set({ untold: null })
    .where("low_id", "=", low)
    .where("high_id", "=", high)
    .where("untold", "<=", version)
    .compile();
  return [talk, messages];
}

/** Pairs in a message database whose copy in the main one is out of date. */
export function listOutdatedPairs(db: Database, limit: number): Promise<Pick<TalkRow, "low_id" | "high_id">[]> {
  return db
    .selectFrom(indexedBy("talk", "t", "talk_untold"))
    .select(["t.low_id", "t.high_id"])
    .whereRef("t.version", ">", "t.told")
    .limit(limit)
    .execute();
}
