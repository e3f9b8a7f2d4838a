import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Env } from "@lambda/worker/env";
import { createTestHarness, unstable_splitSqlQuery, type WorkerHandle } from "wrangler";

const ROOT = fileURLToPath(import.meta.resolve("../../../"));

type Harness = ReturnType<typeof createTestHarness>;
type Handle = WorkerHandle<Record<string, unknown>>;

/** The real worker of wrangler.toml under miniflare, with empty D1, R2 and Durable Objects. */
export interface TestWorker {
  readonly env: Env;
  /** Any path or absolute URL; a path goes to the first brand. `http://harbor.localhost/...` reaches the second. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** An absolute URL past the harness's server, which speaks plain http whatever the URL says, and rewrites `Origin`. */
  fetchDirectly(url: string, init?: RequestInit): Promise<Response>;
  /** Runs a cron expression of wrangler.toml. */
  schedule(cron: string, time?: number): Promise<void>;
  readonly handle: Handle;
  readonly harness: Harness;
}

interface Running {
  readonly worker: TestWorker;
  readonly tables: readonly string[];
  /** The triggers that keep the audit log from being emptied, which only these tests may do. */
  readonly auditGuards: readonly string[];
}

const shared = globalThis as { lambdaTestWorker?: Promise<Running> };

/**
 * Starts the worker once a process (0.9 s) and empties its database and buckets, so that each test file starts fresh. Call
 * it in `beforeAll`, or in `beforeEach` where tests of one file must not see each other.
 */
export async function startWorker(): Promise<TestWorker> {
  shared.lambdaTestWorker ??= start();
  const running = await shared.lambdaTestWorker;
  await empty(running);
  return running.worker;
}

type WorkerInput = NonNullable<Parameters<typeof createTestHarness>[0]>["workers"][number];

/** A worker beside the shared one, for what needs another configuration. Whoever starts it closes its harness. */
export async function startSeparateWorker(workers: WorkerInput[]): Promise<TestWorker> {
  return (await start(workers)).worker;
}

async function start(workers: WorkerInput[] = [{ configPath: "wrangler.toml" }]): Promise<Running> {
  const page = `${ROOT}apps/web/dist/index.html`;
  if (!existsSync(page)) {
    // The assets binding wants a page; worker tests do not need the built application.
    mkdirSync(`${ROOT}apps/web/dist`, { recursive: true });
    writeFileSync(page, "<!doctype html><html><head><title></title></head><body></body></html>");
  }
  const harness = createTestHarness({ root: ROOT, workers });
  const { url } = await harness.listen();
  const handle = harness.getWorker<Record<string, unknown>>();
  const env = (await handle.getEnv()) as unknown as Env;
  const schema = unstable_splitSqlQuery(readFileSync(`${ROOT}schema.sql`, "utf8"));
  await env.DB.exec(schema.map(oneLine).join("\n"));
  const { results } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%'",
  ).all<{ name: string }>();
  const worker: TestWorker = {
    env,
    harness,
    handle,
    fetch: async (path, init) => {
      const target = path.startsWith("http") ? path : new URL(path, `http://localhost:${url.port}`).href;
      return harness.fetch(target, (await encodeForm(init)) as never) as unknown as Promise<Response>;
    },
    fetchDirectly: async (address, init) =>
      handle.fetch(address, (await encodeForm(init)) as never) as unknown as Promise<Response>,
    schedule: async (cron, time) => {
      await handle.scheduled({ cron, scheduledTime: new Date(time ?? Date.now()) });
    },
  };
  const guards = await env.DB.prepare("select sql from sqlite_master where name like '%_entry_undeletable'").all<{
    sql: string;
  }>();
  return { worker, tables: results.map((row) => row.name), auditGuards: guards.results.map((row) => row.sql) };
}

/** The harness brings a fetch of its own that does not know the global FormData: encode it here. */
async function encodeForm(init: RequestInit | undefined): Promise<RequestInit | undefined> {
  if (!(init?.body instanceof FormData)) return init;
  const encoded = new Response(init.body);
  const headers = new Headers(init.headers);
  headers.set("content-type", encoded.headers.get("content-type") ?? "");
  return { ...init, headers, body: await encoded.arrayBuffer() };
}

/**
 * A statement as `exec` wants it. Not `batch`: each `prepare` from outside holds up this process, and while a busy machine does
 * dozens of them the worker closes the connection on which the batch then goes out.
 */
const oneLine = (statement: string) => statement.replace(/--.*$/gm, "").replace(/\s+/g, " ");

async function empty({ worker, tables, auditGuards }: Running): Promise<void> {
  const { DB, PICTURES, TILES } = worker.env;
  await DB.exec(
    [
      "pragma defer_foreign_keys = on",
      "drop trigger if exists audit_entry_undeletable",
      "drop trigger if exists public_entry_undeletable",
      ...tables.map((table) => `delete from "${table}"`),
      ...auditGuards.map(oneLine),
    ].join("\n"),
  );
  for (const bucket of [PICTURES, TILES]) {
    const { objects } = await bucket.list();
    if (objects.length > 0) await bucket.delete(objects.map((object) => object.key));
  }
}
