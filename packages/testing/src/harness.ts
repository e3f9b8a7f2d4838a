import { existsSync, mkdirSync, readFileSync, renameSync, statfsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createTestHarness, unstable_splitSqlQuery } from "wrangler";
import { messageSchema, withMessageDatabases } from "./message-databases.ts";
import { ROOT } from "./site.ts";
import type { Row, RunSql } from "./sql.ts";

/** The variable that names the folder of a worker that was bundled before; without it each start bundles its own. */
export const BUILT_WORKER = "LAMBDA_BUILT_WORKER";
const ROOM_IN_MEMORY_BYTES = 4 * 2 ** 30;

// Miniflare would ask a server outside for the place of each request.
process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
// Wrangler's traces of each request and statement, and its page to look at them, cost a third of a call.
process.env.X_LOCAL_OBSERVABILITY = "false";
process.env.X_LOCAL_EXPLORER = "false";
// Databases wait for the disk at each write: in memory, where a system has room there, they do not.
if (hasRoomInMemory()) process.env.TMPDIR = "/dev/shm";

export type Harness = ReturnType<typeof createTestHarness>;
export type WorkerInput = NonNullable<Parameters<typeof createTestHarness>[0]>["workers"][number];

/** A worker under miniflare with empty D1, R2 and Durable Objects of its own, and the schema in its database. */
export interface RunningHarness {
  readonly harness: Harness;
  /** Where it answers on this machine. */
  readonly port: number;
  /** Any path or absolute URL; a path goes to the first brand. `http://harbor.localhost/...` reaches the second. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Runs statements as one transaction in each database, through the worker's development door. */
  readonly run: RunSql;
}

export async function startHarness(workers: WorkerInput[] = [workerWith(0)]): Promise<RunningHarness> {
  ensurePage();
  const harness = createTestHarness({ root: ROOT, workers });
  const { url } = await harness.listen();
  // Straight to the worker: the server in front of it costs a third of a call.
  const handle = harness.getWorker();
  const ask = async (path: string, init?: RequestInit) => {
    const target = path.startsWith("http") ? path : new URL(path, `http://localhost:${url.port}`).href;
    return readAtOnce((await handle.fetch(target, (await encodeForm(init)) as never)) as unknown as Response);
  };
  return {
    harness,
    port: Number(url.port),
    fetch: ask,
    run: async (...batch) => {
      const answer = await ask("/dev/sql", { method: "POST", body: JSON.stringify({ batch }) });
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()) as Row[][];
    },
  };
}

/** The worker of wrangler.toml with so many databases for messages. */
export function workerWith(messageDatabases: number): WorkerInput {
  const configPath = join(ROOT, ".wrangler", `messages-${messageDatabases}`, "worker.toml");
  const text = withMessageDatabases(readFileSync(`${ROOT}wrangler.toml`, "utf8"), messageDatabases)
    .replace(/^main = "/m, 'main = "../../')
    .replace(/^directory = "/gm, 'directory = "../../');
  if (!existsSync(configPath) || readFileSync(configPath, "utf8") !== text) {
    mkdirSync(dirname(configPath), { recursive: true });
    // Other processes may be reading it.
    const written = `${configPath}.${process.pid}`;
    writeFileSync(written, text);
    renameSync(written, configPath);
  }
  return { configPath, ...builtWorker() };
}

function builtWorker(): { readonly prebuiltWorkerDir?: string } {
  const directory = process.env[BUILT_WORKER];
  return directory === undefined ? {} : { prebuiltWorkerDir: directory };
}

/** The assets binding wants a page; tests without a browser do not need the built application. */
export function ensurePage(): void {
  const page = `${ROOT}apps/web/dist/index.html`;
  if (existsSync(page)) return;
  mkdirSync(`${ROOT}apps/web/dist`, { recursive: true });
  writeFileSync(page, "<!doctype html><html><head><title></title></head><body></body></html>");
}

function hasRoomInMemory(): boolean {
  if (process.platform !== "linux" || !existsSync("/dev/shm")) return false;
  const { bavail, bsize } = statfsSync("/dev/shm");
  return bavail * bsize > ROOM_IN_MEMORY_BYTES;
}

/**
 * The answer with its body in memory. Miniflare hands over the body of an answer that nothing holds any more: where it is
 * collected before the body is read, the body is cut off.
 */
export async function readAtOnce(answer: Response & { webSocket?: unknown }): Promise<Response> {
  if (answer.webSocket) return answer;
  const bytes = await answer.arrayBuffer();
  const { status, statusText, headers, url } = answer;
  const read = new Response(bytes.byteLength > 0 ? bytes : null, {
    ...{ status, statusText },
    headers: [...headers],
  });
  return Object.defineProperty(read, "url", { value: url });
}

/** The statements of schema.sql, each on one line. */
export function schemaStatements(): string[] {
  return unstable_splitSqlQuery(readFileSync(`${ROOT}schema.sql`, "utf8")).map(oneLine);
}

/** The same of a database for messages. */
export function messageStatements(): string[] {
  return unstable_splitSqlQuery(messageSchema(readFileSync(`${ROOT}schema.sql`, "utf8"))).map(oneLine);
}

export const oneLine = (statement: string) => statement.replace(/--.*$/gm, "").replace(/\s+/g, " ");

/** The harness brings a fetch of its own that does not know the global FormData: encode it here. */
export async function encodeForm(init: RequestInit | undefined): Promise<RequestInit | undefined> {
  if (!(init?.body instanceof FormData)) return init;
  const encoded = new Response(init.body);
  const headers = new Headers(init.headers);
  headers.set("content-type", encoded.headers.get("content-type") ?? "");
  return { ...init, headers, body: await encoded.arrayBuffer() };
}
