/**
 * Changes a pair's messages in whichever database holds them: outside the main one, first in the message database, then as a copy in
 * the main one, from which conversation lists and counts are read. The pair's version tells which is newer; a copy lost in a crash is
 * made by the pair's next change, the next read of its history, or the schedule.
 */
import { sql } from "kysely";
import type { Context } from "../../platform/context.ts";
import {
  batch,
  type Database,
  guardQuery,
  indexedBy,
  insertIf,
  isGuardFailure,
  type Query,
} from "../../platform/db/database.ts";
import {
  chooseMessageDatabase,
  type MessageDatabase,
  openMessageDatabases,
} from "../../platform/db/message-databases.ts";
import type { ConversationRow, MessageRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDespiteErrors, forEachDue } from "../../platform/for-each.ts";
import { isOfPair } from "./mappers.ts";
import { type MessagePairState, markSyncedQueries, type Pair, pairStateQueries } from "./pair-state.ts";
import { pairDatabaseQuery } from "./queries.ts";
import { syncContentQueries } from "./sync-content.ts";

/** What a change needs from a request or a scheduled job. */
export type ChangeContext = Pick<Context, "d1" | "db" | "messageDatabases" | "waitUntil">;

/** Chooses and records the database for a new pair's messages. If both members write at once, the first choice wins. */
export async function assignDatabase(
  { db, messageDatabases }: ChangeContext,
  low: number,
  high: number,
): Promise<number> {
  const { numbers } = messageDatabases;
  if (numbers.length === 0) return 0;
  const { shard } = await db
    .insertInto("message_pair")
    .values({ low_id: low, high_id: high, shard: await chooseMessageDatabase(db, numbers) })
    .onConflict((conflict) =>
      conflict.columns(["low_id", "high_id"]).doUpdateSet((old) => ({ shard: old.ref("message_pair.shard") })),
    )
    .returning("shard")
    .executeTakeFirstOrThrow();
  return shard;
}

type PairState = [MessagePairState[], ConversationRow[], MessageRow[]];

/**
 * Runs `queries` in one transaction where the messages are, and then `mainQueries`, with the copy, in the main database. Both run in one
 * transaction when the main database holds the messages.
 *
 * @param queries may use only the tables `message`, `message_pair` and `conversation`: message databases have no others
 */
export async function changeMessages<Rows extends readonly unknown[][], MainRows extends readonly unknown[][] = []>(
  context: ChangeContext,
  pair: Pair,
  queries: readonly Query[],
  mainQueries: readonly Query[] = [],
): Promise<{ readonly rows: Rows; readonly main: MainRows }> {
  const queryCount = queries.length;
  if (pair.database === 0) {
    const results = await batch(context.d1, [...queries, ...mainQueries]);
    return {
      rows: results.slice(0, queryCount) as unknown as Rows,
      main: results.slice(queryCount) as unknown as MainRows,
    };
  }
  const messages = context.messageDatabases.open(pair.database);
  const results = await batch(messages.d1, [
    ...queries,
    messages.db
      .updateTable("message_pair")
      .set((old) => ({ version: old("version", "+", 1) }))
      .where(isOfPair(pair)),
    ...pairStateQueries(messages.db, pair),
  ]);
  const state = results.slice(queryCount + 1) as unknown as PairState;
  const main = await syncToMain(context, messages, pair, state, mainQueries);
  return { rows: results.slice(0, queryCount) as unknown as Rows, main: main as unknown as MainRows };
}

/** Copies the changes of a pair that the main database does not have yet. */
export async function syncPair(context: ChangeContext, pair: Pair): Promise<void> {
  if (pair.database === 0) return;
  const messages = context.messageDatabases.open(pair.database);
  const state = await batch(messages.d1, pairStateQueries(messages.db, pair));
  await syncToMain(context, messages, pair, state, []);
}

async function syncToMain(
  context: ChangeContext,
  messages: MessageDatabase,
  pair: Pair,
  [[messagePair], conversations, withContent]: PairState,
  mainQueries: readonly Query[],
): Promise<unknown[][]> {
  if (!messagePair) return batch(context.d1, mainQueries);
  const copies = [
    // Aborts a copy that arrives late, which would otherwise undo a newer one.
    guardQuery(
      context.db,
      sql<boolean>`not exists (select 1 from message_pair t where t.low_id = ${pair.low} and t.high_id = ${pair.high} and t.version >= ${messagePair.version})`,
    ),
    // These come before the copy because some of them compare the version that the main database has.
    ...withContent.flatMap((message) => syncContentQueries(context.db, message)),
    ...copyPairStateQueries(context.db, pair, messagePair, conversations),
  ];
  const results = await batch(context.d1, [...copies, ...mainQueries]).then(
    (all) => all.slice(copies.length),
    (error: unknown) => runMainQueries(context, pair, messagePair.version, mainQueries, error),
  );
  const markSynced = markSyncedQueries(messages.db, pair, messagePair.version, withContent.length > 0);
  context.waitUntil(batch(messages.d1, markSynced));
  return results;
}

/** Brings the main database to this state, unless its copy is newer or a member's account is gone. */
function copyPairStateQueries(
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

function copyMessagePairQuery(db: Database, { low, high, database }: Pair, state: MessagePairState): Query {
  const copied = { ...state, synced_version: state.version };
  const row = { low_id: low, high_id: high, shard: database, ...copied };
  const exists = (id: number) => db.selectFrom("profile").select("id").where("id", "=", id);
  return insertIf(db, "message_pair", row, (eb) =>
    eb.and([eb.exists(exists(low)), eb.exists(exists(high))]),
  ).onConflict((conflict) =>
    conflict
      .columns(["low_id", "high_id"])
      .doUpdateSet(copied)
      .where("message_pair.shard", "=", database)
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
    .where("shard", "=", pair.database)
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

/** Runs the queries without the copy when the main database already has this version of the pair or a later one. Rethrows any other error. */
async function runMainQueries(
  { d1, db }: ChangeContext,
  { low, high }: Pair,
  version: number,
  mainQueries: readonly Query[],
  error: unknown,
): Promise<unknown[][]> {
  if (!isGuardFailure(error)) throw error;
  const [[messagePair], ...results] = await batch(d1, [pairDatabaseQuery(db, low, high), ...mainQueries]);
  if (!messagePair || messagePair.version < version) throw error;
  return results;
}

/** Runs `act` for a scheduled job, and waits for the work that a request would finish after its response. */
export async function withChangeContext<Result>(
  env: Env,
  act: (context: ChangeContext & { env: Env }) => Promise<Result>,
): Promise<Result> {
  const pending: Promise<unknown>[] = [];
  const messageDatabases = openMessageDatabases(env);
  const result = await act({
    env,
    ...messageDatabases.open(0),
    messageDatabases,
    waitUntil: (work) => void pending.push(work),
  });
  await Promise.all(pending);
  return result;
}

const PAIRS_PER_RUN_MAX = 50;

/** Scheduled: copies pairs whose copy was lost in a crash. Returns whether there may be more. */
export function syncOutdatedPairs(env: Env): Promise<boolean> {
  return withChangeContext(env, async (context) => {
    const hasMore = await forEachDespiteErrors(context.messageDatabases.numbers, async (database) => {
      const pairs = await context.messageDatabases
        .open(database)
        .db.selectFrom(indexedBy("message_pair", "t", "message_pair_outdated"))
        .select(["t.low_id", "t.high_id"])
        .whereRef("t.version", ">", "t.synced_version")
        .limit(PAIRS_PER_RUN_MAX)
        .execute();
      await forEachDue(pairs, ({ low_id: low, high_id: high }) => syncPair(context, { low, high, database }));
      return pairs.length === PAIRS_PER_RUN_MAX;
    });
    return hasMore.includes(true);
  });
}
