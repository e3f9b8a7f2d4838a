/**
 * Changing messages of a pair, in whichever database they are. Beside the main one a change is two transactions: the message database's,
 * which decides, and the main one's, which copies what lists and counts of members are made of. The pair's version says which copy is
 * newer; what a crash leaves between the two is copied with the pair's next change, when its history is read, or by the schedule.
 */
import type { Context } from "../../platform/context.ts";
import { batch, type Compiled } from "../../platform/db/batch.ts";
import { failedGuard } from "../../platform/db/guard.ts";
import { inEachShard, type MessageDatabase, openShards } from "../../platform/db/shards.ts";
import type { MessageRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { carriedQueries } from "./carried.ts";
import {
  copyHeadsQueries,
  type HeadRow,
  headsQueries,
  isOlderQuery,
  listUntold,
  type Pair,
  raiseVersionQuery,
  type TalkHead,
  toldQueries,
} from "./heads.ts";
import { shardQuery } from "./queries.ts";

/** What a change needs of a request, or of the schedule. */
export type Ground = Pick<Context, "d1" | "db" | "shards" | "waitUntil">;

type Heads = [TalkHead[], HeadRow[], MessageRow[]];

interface Changed<Rows, MainRows> {
  /** Of the queries where the messages are. */
  readonly rows: Rows;
  /** Of the queries of the main database. */
  readonly main: MainRows;
}

/**
 * Runs queries where the messages are, all or none, and then those of the main database with the copy. Where both are the same database,
 * in one transaction.
 *
 * @param queries in another database than the main one they may ask for `message`, `talk` and `conversation` alone
 */
export async function changeMessages<Rows extends readonly unknown[][], MainRows extends readonly unknown[][] = []>(
  ground: Ground,
  pair: Pair,
  queries: readonly Compiled[],
  mainQueries: readonly Compiled[] = [],
): Promise<Changed<Rows, MainRows>> {
  const both = queries.length;
  if (pair.shard === 0) {
    const results = await batch<unknown[][]>(ground.d1, [...queries, ...mainQueries]);
    return { rows: results.slice(0, both) as unknown as Rows, main: results.slice(both) as unknown as MainRows };
  }
  const messages = ground.shards.open(pair.shard);
  const results = await batch<unknown[][]>(messages.d1, [
    ...queries,
    raiseVersionQuery(messages.db, pair),
    ...headsQueries(messages.db, pair),
  ]);
  const heads = results.slice(both + 1) as unknown as Heads;
  const main = await copyToMain(ground, messages, pair, heads, mainQueries);
  return { rows: results.slice(0, both) as unknown as Rows, main: main as unknown as MainRows };
}

/** Copies what the main database does not know of a pair yet. */
export async function copyPair(ground: Ground, pair: Pair): Promise<void> {
  if (pair.shard === 0) return;
  const messages = ground.shards.open(pair.shard);
  const heads = await batch<Heads>(messages.d1, headsQueries(messages.db, pair));
  await copyToMain(ground, messages, pair, heads, []);
}

async function copyToMain(
  ground: Ground,
  messages: MessageDatabase,
  pair: Pair,
  [[talk], conversations, carrying]: Heads,
  mainQueries: readonly Compiled[],
): Promise<unknown[][]> {
  if (!talk) return batch<unknown[][]>(ground.d1, mainQueries);
  const copies = [
    // What a later change closed stays closed when this copy comes late.
    isOlderQuery(ground.db, pair, talk.version),
    // Before the copy: some ask which version the main database has.
    ...carrying.flatMap((message) => carriedQueries(ground.db, message)),
    ...copyHeadsQueries(ground.db, pair, talk, conversations),
  ];
  const results = await batch<unknown[][]>(ground.d1, [...copies, ...mainQueries]).then(
    (all) => all.slice(copies.length),
    (error: unknown) => withoutCopy(ground, pair, talk.version, mainQueries, error),
  );
  const told = toldQueries(messages.db, pair, talk.version, carrying.length > 0);
  ground.waitUntil(batch(messages.d1, told));
  return results;
}

/** Where the main database knows this state of the pair or a later one already. */
async function withoutCopy(
  { d1, db }: Ground,
  { low, high }: Pair,
  version: number,
  mainQueries: readonly Compiled[],
  error: unknown,
): Promise<unknown[][]> {
  if (!failedGuard(error)) throw error;
  const [[talk], ...results] = await batch<[{ version: number }[], ...unknown[][]]>(d1, [
    shardQuery(db, low, high),
    ...mainQueries,
  ]);
  if (!talk || talk.version < version) throw error;
  return results;
}

/** For the schedule, whose work ends with what it would leave behind an answer. */
export async function onGround<Result>(
  env: Env,
  act: (ground: Ground & { env: Env }) => Promise<Result>,
): Promise<Result> {
  const left: Promise<unknown>[] = [];
  const shards = openShards(env);
  const result = await act({ env, ...shards.open(0), shards, waitUntil: (work) => void left.push(work) });
  await Promise.all(left);
  return result;
}

/** Pairs of one message database that one run of the schedule copies. */
const PAIRS_PER_RUN_MAX = 50;

/** Run by schedule: what a crash left between two databases. Answers whether there may be more. */
export function copyUntold(env: Env): Promise<boolean> {
  return onGround(env, async (ground) => {
    const portions = await inEachShard(ground.shards.numbers, async (shard) => {
      const pairs = await listUntold(ground.shards.open(shard).db, PAIRS_PER_RUN_MAX);
      for (const { low_id: low, high_id: high } of pairs) await copyPair(ground, { low, high, shard });
      return pairs.length === PAIRS_PER_RUN_MAX;
    });
    return portions.includes(true);
  });
}
