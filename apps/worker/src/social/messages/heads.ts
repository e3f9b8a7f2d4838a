/** What the main database has of a pair whose messages are elsewhere: who wrote how much, and both sides' conversation. */
import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Compiled } from "../../platform/db/batch.ts";
import { indexedBy } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import { guardQuery } from "../../platform/db/guard.ts";
import type { ConversationRow, MessageRow, TalkRow } from "../../platform/db/tables.ts";

export type TalkHead = Pick<TalkRow, "low_wrote" | "high_wrote" | "version">;
export type HeadRow = ConversationRow;

/** Two members, lower id first, and where their messages are. */
export interface Pair {
  readonly low: number;
  readonly high: number;
  readonly shard: number;
}

type Names = Pick<Pair, "low" | "high">;

export function raiseVersionQuery(db: Database, { low, high }: Names): Compiled {
  return db
    .updateTable("talk")
    .set((old) => ({ version: old("version", "+", 1) }))
    .where("low_id", "=", low)
    .where("high_id", "=", high)
    .compile();
}

/** The version that a change has which is made now, as part of its transaction. */
export const versionOfChange = ({ low, high }: Names): RawBuilder<number> =>
  sql<number>`(select ifnull(max(t.version), 0) + 1 from talk t where t.low_id = ${low} and t.high_id = ${high})`;

/** Both conversations, the pair's row, and messages that carry what the main database does not know yet. */
export function headsQueries(
  db: Database,
  { low, high }: Names,
): [CompiledQuery<TalkHead>, CompiledQuery<HeadRow>, CompiledQuery<MessageRow>] {
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

/** Holds while the main database's copy of a pair is older than this version. */
export function isOlderQuery(db: Database, { low, high }: Names, version: number): Compiled {
  return guardQuery(
    db,
    sql<boolean>`not exists (select 1 from talk t where t.low_id = ${low} and t.high_id = ${high} and t.version >= ${version})`,
  );
}

/** Brings the main database to this state, unless it has a later one or a member is gone. */
export function copyHeadsQueries(db: Database, pair: Pair, talk: TalkHead, heads: readonly HeadRow[]): Compiled[] {
  const { low, high } = pair;
  return [
    copyTalkQuery(db, pair, talk),
    copySideQuery(db, pair, talk.version, low, high, heads),
    copySideQuery(db, pair, talk.version, high, low, heads),
  ];
}

function copyTalkQuery(
  db: Database,
  { low, high, shard }: Pair,
  { low_wrote, high_wrote, version }: TalkHead,
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

function copySideQuery(
  db: Database,
  { low, high, shard }: Pair,
  version: number,
  ownerId: number,
  otherId: number,
  heads: readonly HeadRow[],
): Compiled {
  const head = heads.find(({ profile_id }) => profile_id === ownerId);
  if (!head)
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
  const { last_message_id, unread } = head;
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

/** Notes in the message database which version the main one has. */
export function toldQueries(db: Database, { low, high }: Names, version: number, carried: boolean): Compiled[] {
  const talk = db
    .updateTable("talk")
    .set({ told: version })
    .where("low_id", "=", low)
    .where("high_id", "=", high)
    .where("told", "<", version)
    .compile();
  if (!carried) return [talk];
  const messages = db
    .updateTable("message")
    .set({ untold: null })
    .where("low_id", "=", low)
    .where("high_id", "=", high)
    .where("untold", "<=", version)
    .compile();
  return [talk, messages];
}

/** Pairs of a message database that the main one has an older copy of. */
export function listUntold(db: Database, limit: number): Promise<Pick<TalkRow, "low_id" | "high_id">[]> {
  return db
    .selectFrom(indexedBy("talk", "t", "talk_untold"))
    .select(["t.low_id", "t.high_id"])
    .whereRef("t.version", ">", "t.told")
    .limit(limit)
    .execute();
}
