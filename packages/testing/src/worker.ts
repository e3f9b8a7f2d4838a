import type { Env } from "@lambda/worker/env";
import { messageDatabases } from "@lambda/worker/message-databases";
import { type BoundStatement, createD1, createRunSqlForDatabases } from "./d1.ts";
import {
  type HarnessOptions,
  type RunningHarness,
  startHarness,
  WORKER_NAME,
  type WorkerInput,
  workerWith,
} from "./harness.ts";
import { limiterOf } from "./rate-limits.ts";
import { messageStatements, oneLine, schemaStatements } from "./schema.ts";
import type { Row, Statement } from "./sql.ts";

/**
 * The worker of wrangler.toml under Miniflare, with real D1, R2, queues and Durable Objects, all empty at the start.
 */
export interface TestWorker extends RunningHarness {
  /**
   * The worker's bindings. D1 goes through the worker's /dev/sql endpoint, which takes a third of the time of
   * Miniflare's proxy.
   */
  readonly env: Env;
  /** Requests an absolute URL as given. The `fetch` of production-worker.ts replaces local hosts by deployed ones. */
  fetchDirectly(url: string, init?: RequestInit): Promise<Response>;
  /** Runs the scheduled jobs of a cron expression of wrangler.toml, at a time in milliseconds. */
  runCron(cron: string, time?: number): Promise<void>;
  /** Evicts a Durable Object from memory, as the platform may at any time. Its sockets hibernate and stay open, or end as in a crash. */
  evict(className: string, name: string, sockets?: "hibernate" | "close"): Promise<void>;
}

interface StartedWorker {
  readonly worker: TestWorker;
  readonly tables: readonly string[];
  /** SQL of the triggers that forbid deleting from the audit log. They are dropped while the tables are emptied. */
  readonly auditTriggers: readonly string[];
  readonly messageD1s: readonly D1Database[];
}

const shared = globalThis as { lambdaTestWorkers?: Map<number, Promise<StartedWorker>> };

/** The default number of message databases. A vitest project sets it. */
const MESSAGE_DATABASES = Number(process.env.MESSAGE_DATABASES ?? 0);

/**
 * Starts the worker, once per process (0.9 s), and empties its databases and buckets. Call it in `beforeAll`, or in
 * `beforeEach` if the tests of a file must not see each other's data.
 *
 * @param messageDatabases how many, in addition to the main database
 */
export async function startWorker({ messageDatabases = MESSAGE_DATABASES } = {}): Promise<TestWorker> {
  shared.lambdaTestWorkers ??= new Map();
  const started = shared.lambdaTestWorkers.get(messageDatabases) ?? start([workerWith(messageDatabases)]);
  shared.lambdaTestWorkers.set(messageDatabases, started);
  const running = await started;
  await emptyStorage(running);
  return running.worker;
}

/** Starts a worker with its own storage next to the shared one. The caller must close it. */
export async function startSeparateWorker(workers: WorkerInput[], options?: HarnessOptions): Promise<TestWorker> {
  return (await start(workers, options)).worker;
}

async function start(workers: WorkerInput[], options?: HarnessOptions): Promise<StartedWorker> {
  const harness = await startHarness(workers, options);
  const { miniflare } = harness;
  const env = await miniflare.getBindings<Env>(WORKER_NAME);
  await env.DB.exec(schemaStatements().join("\n"));
  const messageD1s = [...messageDatabases(env)];
  for (const [, d1] of messageD1s) await d1.exec(messageStatements().join("\n"));
  const { results } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%'",
  ).all<{ name: string }>();
  const hasSqlEndpoint = await harness.run({ query: "select 1" }).then(
    () => true,
    () => false,
  );
  const toFastD1 = (d1: D1Database, number: number) => (hasSqlEndpoint ? throughSqlEndpoint(harness, d1, number) : d1);
  const DB = toFastD1(env.DB, 0);
  const messages = messageD1s.map(([number, d1]) => [number, toFastD1(d1, number)] as const);
  const worker: TestWorker = {
    ...harness,
    env: Object.assign(
      Object.create(env) as Env,
      { DB },
      Object.fromEntries(messages.map(([number, d1]) => [`MESSAGES_${number}`, d1])),
    ),
    run: createRunSqlForDatabases(new Map([[0, DB], ...messages])),
    fetchDirectly: harness.fetch,
    evict: (className, name, webSockets = "hibernate") =>
      miniflare.unsafeEvictDurableObject(WORKER_NAME, className, { name, webSockets }),
    runCron: async (cron, time) => {
      const { scheduled } = await miniflare.getWorker(WORKER_NAME);
      await scheduled({ cron, scheduledTime: new Date(time ?? Date.now()) });
    },
  };
  const triggers = await env.DB.prepare("select sql from sqlite_master where name like '%_entry_undeletable'").all<{
    sql: string;
  }>();
  return {
    worker,
    tables: results.map((row) => row.name),
    auditTriggers: triggers.results.map((row) => row.sql),
    messageD1s: messageD1s.map(([, d1]) => d1),
  };
}

/** A D1 that uses the worker's /dev/sql endpoint, or Miniflare's proxy for values that JSON cannot carry. */
function throughSqlEndpoint({ run }: RunningHarness, proxied: D1Database, database: number): D1Database {
  const isJsonValue = (value: unknown) => value === null || ["string", "number"].includes(typeof value);
  const runOnEndpoint = async (statements: readonly BoundStatement[]) =>
    (await run(...statements.map((statement) => ({ ...(statement as Statement), database })))).map((results) => ({
      results,
    }));
  const runOnProxy = async (statements: readonly BoundStatement[]) => {
    const prepared = statements.map(({ query, values }) => proxied.prepare(query).bind(...values));
    return proxied.batch<Row>(prepared);
  };
  const d1 = createD1((statements) =>
    statements.every(({ values }) => values.every(isJsonValue)) ? runOnEndpoint(statements) : runOnProxy(statements),
  );
  return Object.assign(d1, { exec: (query: string) => proxied.exec(query) });
}

async function emptyStorage({ worker, tables, auditTriggers, messageD1s }: StartedWorker): Promise<void> {
  const { DB, PICTURES, TILES, BACKUPS } = worker.env;
  await retryOnce(() =>
    DB.exec(
      [
        "pragma defer_foreign_keys = on",
        "drop trigger if exists audit_entry_undeletable",
        "drop trigger if exists public_entry_undeletable",
        ...tables.map((table) => `delete from "${table}"`),
        ...auditTriggers.map(oneLine),
      ].join("\n"),
    ),
  );
  for (const d1 of messageD1s)
    await retryOnce(() => d1.exec("delete from message\ndelete from conversation\ndelete from message_pair"));
  for (const bucket of [PICTURES, TILES, BACKUPS]) {
    const { objects } = await retryOnce(() => bucket.list());
    if (objects.length > 0) await retryOnce(() => bucket.delete(objects.map((object) => object.key)));
  }
  // Test files that share a worker would together use up what the site allows in an hour.
  await Promise.all([0, 1, 2].map((step) => retryOnce(() => limiterOf(worker, `links-${step}`).clear())));
}

/**
 * Repeats a call once if its connection was lost: workerd may close the idle connection to Miniflare's proxy, and the
 * next call then fails. Only for idempotent calls.
 */
export async function retryOnce<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!/fetch failed|connection lost/i.test(String(error))) throw error;
    return call();
  }
}
