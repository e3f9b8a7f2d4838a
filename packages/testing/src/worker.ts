import type { Env } from "@lambda/worker/env";
import { messageDatabases } from "@lambda/worker/message-databases";
import { type BoundStatement, d1Over, runOnEach } from "./d1.ts";
import {
  messageStatements,
  oneLine,
  type RunningHarness,
  schemaStatements,
  startHarness,
  WORKER_NAME,
  type WorkerInput,
  workerWith,
} from "./harness.ts";
import type { Row, Statement } from "./sql.ts";

/** The real worker of wrangler.toml under miniflare, with empty D1, R2 and Durable Objects. */
export interface TestWorker extends RunningHarness {
  /** The bindings. Statements go through the worker's development door, which costs a third of a call by the harness's own proxy. */
  readonly env: Env;
  /** An absolute URL as it stands: the deployed worker's `fetch` makes a deployed address of a local one. */
  fetchDirectly(url: string, init?: RequestInit): Promise<Response>;
  /** Runs a cron expression of wrangler.toml. */
  schedule(cron: string, time?: number): Promise<void>;
  /** Takes an object out of memory, as the platform may at any time; its sockets sleep on. */
  evict(className: string, name: string): Promise<void>;
}

interface Running {
  readonly worker: TestWorker;
  readonly tables: readonly string[];
  /** The triggers that keep the audit log from being emptied, which only these tests may do. */
  readonly auditGuards: readonly string[];
  readonly messages: readonly D1Database[];
}

const shared = globalThis as { lambdaTestWorkers?: Map<number, Promise<Running>> };

/** Databases for messages of a worker that is started without a number, as a project of vitest says. */
const MESSAGE_DATABASES = Number(process.env["MESSAGE_DATABASES"] ?? 0);

/**
 * Starts the worker once a process (0.9 s) and empties its databases and buckets, so that each test file starts fresh. Call
 * it in `beforeAll`, or in `beforeEach` where tests of one file must not see each other.
 *
 * @param messageDatabases beside the main one
 */
export async function startWorker({ messageDatabases = MESSAGE_DATABASES } = {}): Promise<TestWorker> {
  shared.lambdaTestWorkers ??= new Map();
  const started = shared.lambdaTestWorkers.get(messageDatabases) ?? start([workerWith(messageDatabases)]);
  shared.lambdaTestWorkers.set(messageDatabases, started);
  const running = await started;
  await empty(running);
  return running.worker;
}

/** A worker beside the shared one, with storage of its own. Whoever starts it closes its harness. */
export async function startSeparateWorker(workers: WorkerInput[]): Promise<TestWorker> {
  return (await start(workers)).worker;
}

async function start(workers: WorkerInput[]): Promise<Running> {
  const running = await startHarness(workers);
  const { miniflare } = running;
  const env = await miniflare.getBindings<Env>(WORKER_NAME);
  await env.DB.exec(schemaStatements().join("\n"));
  const bound = [...messageDatabases(env)];
  for (const [, d1] of bound) await d1.exec(messageStatements().join("\n"));
  const { results } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%'",
  ).all<{ name: string }>();
  const hasDoor = await running.run({ query: "select 1" }).then(
    () => true,
    () => false,
  );
  const behind = (d1: D1Database, number: number) => (hasDoor ? databaseBehind(running, d1, number) : d1);
  const DB = behind(env.DB, 0);
  const messages = bound.map(([number, d1]) => [number, behind(d1, number)] as const);
  const worker: TestWorker = {
    ...running,
    env: Object.assign(
      Object.create(env) as Env,
      { DB },
      Object.fromEntries(messages.map(([number, d1]) => [`MESSAGES_${number}`, d1])),
    ),
    run: runOnEach(new Map([[0, DB], ...messages])),
    fetchDirectly: running.fetch,
    evict: (className, name) =>
      miniflare.unsafeEvictDurableObject(WORKER_NAME, className, { name, webSockets: "hibernate" }),
    schedule: async (cron, time) => {
      const { scheduled } = await miniflare.getWorker(WORKER_NAME);
      await scheduled({ cron, scheduledTime: new Date(time ?? Date.now()) });
    },
  };
  const guards = await env.DB.prepare("select sql from sqlite_master where name like '%_entry_undeletable'").all<{
    sql: string;
  }>();
  return {
    worker,
    tables: results.map((row) => row.name),
    auditGuards: guards.results.map((row) => row.sql),
    messages: bound.map(([, d1]) => d1),
  };
}

/** The database through the worker's own door; what JSON cannot carry goes by the harness's proxy. */
function databaseBehind({ run }: RunningHarness, proxied: D1Database, database: number): D1Database {
  const isPlain = (value: unknown) => value === null || ["string", "number"].includes(typeof value);
  const throughDoor = async (statements: readonly BoundStatement[]) =>
    (await run(...statements.map((statement) => ({ ...(statement as Statement), database })))).map((results) => ({
      results,
    }));
  const byProxy = async (statements: readonly BoundStatement[]) => {
    const prepared = statements.map(({ query, values }) => proxied.prepare(query).bind(...values));
    return proxied.batch<Row>(prepared);
  };
  const d1 = d1Over((statements) =>
    statements.every(({ values }) => values.every(isPlain)) ? throughDoor(statements) : byProxy(statements),
  );
  return Object.assign(d1, { exec: (query: string) => proxied.exec(query) });
}

async function empty({ worker, tables, auditGuards, messages }: Running): Promise<void> {
  const { DB, PICTURES, TILES, BACKUPS } = worker.env;
  await twice(() =>
    DB.exec(
      [
        "pragma defer_foreign_keys = on",
        "drop trigger if exists audit_entry_undeletable",
        "drop trigger if exists public_entry_undeletable",
        ...tables.map((table) => `delete from "${table}"`),
        ...auditGuards.map(oneLine),
      ].join("\n"),
    ),
  );
  for (const d1 of messages)
    await twice(() => d1.exec("delete from message\ndelete from conversation\ndelete from message_pair"));
  for (const bucket of [PICTURES, TILES, BACKUPS]) {
    const { objects } = await twice(() => bucket.list());
    if (objects.length > 0) await twice(() => bucket.delete(objects.map((object) => object.key)));
  }
}

/**
 * The harness keeps a connection to its proxy, which the worker may close while a test file did not use it; the first call
 * after that fails. Emptying twice is emptying.
 */
export async function twice<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!/fetch failed|connection lost/i.test(String(error))) throw error;
    return act();
  }
}
