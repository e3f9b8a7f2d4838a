/**
 * Message databases, shards for short: 0 is the main database, the others are bound as MESSAGES_1, MESSAGES_2 and so on. A message's id
 * contains its shard, and `message_pair.shard` in the main database is the shard of a pair's messages.
 */
import { type RawBuilder, sql } from "kysely";
import { type Env, messageDatabases, SHARDS_MAX } from "../env.ts";
import { type Database, openDatabase } from "./database.ts";

export { messageDatabases } from "../env.ts";
export { chooseShard } from "./choose-shard.ts";

/** Ids per shard and millisecond; a shard with more messages runs ahead of the clock. */
const IDS_PER_MS = 64;
const EPOCH_MS = Date.UTC(2020, 0);
/** Concurrent subrequests that the platform allows; further ones wait for an earlier one to finish. */
const CONCURRENT_QUERIES_MAX = 6;
/** Smaller ids were assigned by SQLite; their messages are all in the main database. */
const FIRST_TIMESTAMP_ID = 2 ** 40;

export interface MessageDatabase {
  readonly d1: D1Database;
  readonly db: Database;
}

export interface Shards {
  /** The message databases, without the main one, in ascending order. */
  readonly numbers: readonly number[];
  /** Throws for a shard that is not bound. */
  open(shard: number): MessageDatabase;
}

/** @param main the database to use as shard 0 */
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
      const existing = opened.get(shard);
      if (existing) return existing;
      const binding = bound.get(shard);
      if (!binding) throw new Error(`no message database ${shard}`);
      const d1 = wrap(binding, shard);
      const database = { d1, db: openDatabase(d1) };
      opened.set(shard, database);
      return database;
    },
  };
}

/**
 * All message databases if they are few enough to query concurrently with the main one, which saves the round trip to find out which to
 * query; undefined otherwise.
 */
export const allShardsIfFew = ({ numbers }: Shards): readonly number[] | undefined =>
  numbers.length < CONCURRENT_QUERIES_MAX ? numbers : undefined;

export const shardOf = (messageId: number) => (messageId < FIRST_TIMESTAMP_ID ? 0 : messageId % SHARDS_MAX);

/** Whether an id in a statement belongs to a message database instead of the main one. */
export const isInMessageDatabase = (messageId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${messageId} >= ${sql.lit(FIRST_TIMESTAMP_ID)} and ${messageId} % ${sql.lit(SHARDS_MAX)} <> 0)`;

/** The shard of a client-supplied message id. Ids of unbound shards map to the main database, which does not contain them. */
export function openShardOf(shards: Shards, messageId: number): MessageDatabase & { readonly shard: number } {
  const shard = shardOf(messageId);
  const bound = shards.numbers.includes(shard) ? shard : 0;
  return { ...shards.open(bound), shard: bound };
}

export function groupByShard(shards: Shards, messageIds: Iterable<number>): Map<number, number[]> {
  const grouped = new Map<number, number[]>();
  for (const id of messageIds) {
    const { shard } = openShardOf(shards, id);
    grouped.set(shard, [...(grouped.get(shard) ?? []), id]);
  }
  return grouped;
}

/** The first id of a millisecond in shard 0: later ids of all shards are greater, so ids sort by time. */
export const firstIdAt = (ms: number) => (ms - EPOCH_MS) * IDS_PER_MS * SHARDS_MAX;

/** Whether an id contains the time of its message. */
export const isTimestampId = (messageId: number) => messageId >= FIRST_TIMESTAMP_ID;

/** The next id of this shard's `message` table, for an insert: derived from the time, and greater than the last id. */
export function nextMessageId(shard: number, now: number): RawBuilder<number> {
  const max = sql.lit(SHARDS_MAX);
  return sql<number>`max(${firstIdAt(now) + shard}, (select (ifnull(max(id), 0) / ${max} + 1) * ${max} from message) + ${sql.lit(shard)})`;
}
