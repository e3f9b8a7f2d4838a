/**
 * Message databases, shards for short. Shard 0 is the main database; the others are bound as MESSAGES_1, MESSAGES_2 and so on. A message's
 * id says which of them it is in, and `talk.shard` in the main database which of them a pair's messages are in.
 */
import { type RawBuilder, sql } from "kysely";
import { type Env, messageDatabases, SHARDS_MAX } from "../env.ts";
import { type Database, openDatabase } from "./database.ts";

export { messageDatabases } from "../env.ts";
export { chooseShard } from "./message-choice.ts";

/** Ids of a database within one millisecond; beyond that they run ahead of the clock. */
const IDS_PER_MS = 64;
const EPOCH_MS = Date.UTC(2020, 0);
/** So many questions of a request wait for their answers at the same time; the platform lets another one wait for the first. */
const ASKED_AT_ONCE_MAX = 6;
/** SQLite numbered the messages below, which are all in the main database. */
const FIRST_TIMED_ID = 2 ** 40;

/** A database with messages. */
export interface MessageDatabase {
  readonly d1: D1Database;
  readonly db: Database;
}

export interface Shards {
  /** Of the message databases beside the main one, in ascending order. */
  readonly numbers: readonly number[];
  /** Throws for one that is not bound. */
  open(shard: number): MessageDatabase;
}

/** @param main what shard 0 stands for */
export function openShards(
  env: Env,
  main: MessageDatabase = { d1: env.DB, db: openDatabase(env.DB) },
  wrap: (d1: D1Database, shard: number) => D1Database = (d1) => d1,
): Shards {
  const bound = messageDatabases(env);
  const opened = new Map<number, MessageDatabase>([[0, main]]);
  return {
    numbers: [...bound.keys()],
    open(shard) {
      const known = opened.get(shard);
      if (known) return known;
      const found = bound.get(shard);
      if (!found) throw new Error(`no message database ${shard}`);
      const d1 = wrap(found, shard);
      const database = { d1, db: openDatabase(d1) };
      opened.set(shard, database);
      return database;
    },
  };
}

/**
 * All message databases, while they are few enough to be asked together with the main one; undefined beyond. Which of them to ask would take a
 * round trip before.
 */
export const allIfFew = ({ numbers }: Shards): readonly number[] | undefined =>
  numbers.length < ASKED_AT_ONCE_MAX ? numbers : undefined;

/** The same in one after the other. One that fails keeps none of the others from its turn; its error is thrown in the end. */
export async function inEachShard<Result>(
  shards: readonly number[],
  act: (shard: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const errors: unknown[] = [];
  for (const shard of shards)
    await act(shard).then(
      (result) => results.push(result),
      (error: unknown) => errors.push(error),
    );
  if (errors.length > 0) throw errors[0];
  return results;
}

/** The shard that a message is in. */
export const shardOf = (messageId: number) => (messageId < FIRST_TIMED_ID ? 0 : messageId % SHARDS_MAX);

/** The same of an id in a statement: not in the main database. */
export const isElsewhere = (messageId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${messageId} >= ${sql.lit(FIRST_TIMED_ID)} and ${messageId} % ${sql.lit(SHARDS_MAX)} <> 0)`;

/** Where a message is that a member names: the main database, which does not have it, for an id that no database gives. */
export function openFor(shards: Shards, messageId: number): MessageDatabase & { readonly shard: number } {
  const shard = shardOf(messageId);
  const known = shards.numbers.includes(shard) ? shard : 0;
  return { ...shards.open(known), shard: known };
}

/** Ids by the shard that they are in. */
export function byShard(shards: Shards, messageIds: Iterable<number>): Map<number, number[]> {
  const grouped = new Map<number, number[]>();
  for (const id of messageIds) {
    const { shard } = openFor(shards, id);
    grouped.set(shard, [...(grouped.get(shard) ?? []), id]);
  }
  return grouped;
}

/** The first id of a moment in shard 0: ids of all shards are above it from then on, and sort by their time. */
export const firstIdAt = (ms: number) => (ms - EPOCH_MS) * IDS_PER_MS * SHARDS_MAX;

/** Whether an id says when its message was written. */
export const isTimed = (messageId: number) => messageId >= FIRST_TIMED_ID;

/** The next id of `message` in this shard, for the statement that inserts: made of time, and above the last one. */
export function nextMessageId(shard: number, now: number): RawBuilder<number> {
  const max = sql.lit(SHARDS_MAX);
  return sql<number>`max(${firstIdAt(now) + shard}, (select (ifnull(max(id), 0) / ${max} + 1) * ${max} from message) + ${sql.lit(shard)})`;
}
