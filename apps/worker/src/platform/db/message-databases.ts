/**
 * Message databases: 0 is the main database, the others are bound as MESSAGES_1, MESSAGES_2 and so on. A message's id contains the number
 * of its database, and the column `message_pair.shard` of the main database is the number of that of a pair's messages.
 */
import { type RawBuilder, sql } from "kysely";
import { type Env, MESSAGE_DATABASES_MAX, messageDatabases } from "../env.ts";
import { type Database, openDatabase } from "./database.ts";

export { messageDatabases } from "../env.ts";
export { chooseMessageDatabase } from "./choose-message-database.ts";

/** Ids per database and millisecond; a database with more messages runs ahead of the clock. */
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

export interface MessageDatabases {
  /** The message databases, without the main one, in ascending order. */
  readonly numbers: readonly number[];
  /** Throws for a number that is not bound. */
  open(number: number): MessageDatabase;
}

/** @param main the database to use as database 0 */
export function openMessageDatabases(
  env: Env,
  main: MessageDatabase = { d1: env.DB, db: openDatabase(env.DB) },
  wrap: (d1: D1Database, number: number) => D1Database = (d1) => d1,
): MessageDatabases {
  const bound = messageDatabases(env);
  const opened = new Map<number, MessageDatabase>([[0, main]]);
  return {
    numbers: [...bound.keys()],
    open(number) {
      const existing = opened.get(number);
      if (existing) return existing;
      const binding = bound.get(number);
      if (!binding) throw new Error(`no message database ${number}`);
      const d1 = wrap(binding, number);
      const database = { d1, db: openDatabase(d1) };
      opened.set(number, database);
      return database;
    },
  };
}

/**
 * All message databases if they are few enough to query concurrently with the main one, which saves the round trip to find out which to
 * query; undefined otherwise.
 */
export const allNumbersIfFew = ({ numbers }: MessageDatabases): readonly number[] | undefined =>
  numbers.length < CONCURRENT_QUERIES_MAX ? numbers : undefined;

export const databaseNumberOf = (messageId: number) =>
  messageId < FIRST_TIMESTAMP_ID ? 0 : messageId % MESSAGE_DATABASES_MAX;

/** Whether an id in a statement belongs to a message database instead of the main one. */
export const isInMessageDatabase = (messageId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${messageId} >= ${sql.lit(FIRST_TIMESTAMP_ID)} and ${messageId} % ${sql.lit(MESSAGE_DATABASES_MAX)} <> 0)`;

/** The database of a client-supplied message id. Ids of unbound databases map to the main database, which does not contain them. */
export function openDatabaseOf(
  messageDatabases: MessageDatabases,
  messageId: number,
): MessageDatabase & { readonly number: number } {
  const number = databaseNumberOf(messageId);
  const bound = messageDatabases.numbers.includes(number) ? number : 0;
  return { ...messageDatabases.open(bound), number: bound };
}

/** The number of the database of the messages of `message_pair t`. */
export const heldIn: RawBuilder<number> = sql<number>`t.shard`;

export function groupByDatabase(
  messageDatabases: MessageDatabases,
  messageIds: Iterable<number>,
): Map<number, number[]> {
  const grouped = new Map<number, number[]>();
  for (const id of messageIds) {
    const { number } = openDatabaseOf(messageDatabases, id);
    grouped.set(number, [...(grouped.get(number) ?? []), id]);
  }
  return grouped;
}

/** The first id of a millisecond in database 0: later ids of all databases are greater, so ids sort by time. */
export const firstIdAt = (ms: number) => (ms - EPOCH_MS) * IDS_PER_MS * MESSAGE_DATABASES_MAX;

/** Whether an id contains the time of its message. */
export const isTimestampId = (messageId: number) => messageId >= FIRST_TIMESTAMP_ID;

/** The next id of this database's `message` table, for an insert: derived from the time, and greater than the last id. */
export function nextMessageId(number: number, now: number): RawBuilder<number> {
  const max = sql.lit(MESSAGE_DATABASES_MAX);
  return sql<number>`max(${firstIdAt(now) + number}, (select (ifnull(max(id), 0) / ${max} + 1) * ${max} from message) + ${sql.lit(number)})`;
}
