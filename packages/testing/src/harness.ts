import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from "wrangler";
import { bundleWorker } from "./bundle-worker.ts";
import { messageSchema, withMessageDatabases } from "./message-databases.ts";
import { ROOT } from "./site.ts";
import type { Row, RunSql } from "./sql.ts";

/** The variable that names the folder of a worker that was bundled before; without it each start bundles its own. */
export const BUILT_WORKER = "LAMBDA_BUILT_WORKER";
const ROOM_IN_MEMORY_BYTES = 4 * 2 ** 30;

// Miniflare would ask a server outside for the place of each request.
process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
// It is said again at each start that a test's environment lacks the deployed one's secrets.
process.env.WRANGLER_LOG ??= "error";
// Databases wait for the disk at each write: in memory, where a system has room there, they do not.
if (hasRoomInMemory()) process.env.TMPDIR = "/dev/shm";

/** A worker to start: a configuration of wrangler's, and what differs from it. */
export interface WorkerInput {
  readonly configPath: string;
  /** One of the configuration's environments. */
  readonly env?: string;
  readonly vars?: Readonly<Record<string, string>>;
  /** Folder of a bundle of it; without one it is bundled at the start, which takes some seconds. */
  readonly bundle?: string;
}

/** A worker under miniflare with empty D1, R2 and Durable Objects of its own, and the schema in its database. */
export interface RunningHarness {
  readonly miniflare: Miniflare;
  /** Where it answers on this machine. */
  readonly port: number;
  /** Any path or absolute URL; a path goes to the first brand. `http://harbor.localhost/...` reaches the second. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Runs statements as one transaction in each database, through the worker's development door. */
  readonly run: RunSql;
  /** The lines that the worker printed since the last call. */
  takeLogs(): string[];
  /** What miniflare printed since the last call: each mail, by its local binding. */
  takePrinted(): string[];
  close(): Promise<void>;
}

/** The first worker answers requests; others take part by their bindings. */
export async function startHarness(inputs: readonly WorkerInput[] = [workerWith(0)]): Promise<RunningHarness> {
  ensurePage();
  const [logs, printed] = [[] as string[], [] as string[]];
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      log: new KeptLog(printed),
      unsafeTriggerHandlers: true,
      handleStructuredLogs: ({ message }) => logs.push(message),
      workers: inputs.map(workerOptions) as [V4Worker, ...V4Worker[]],
    }),
  );
  const { port } = await miniflare.ready;
  const ask: RunningHarness["fetch"] = (address, init) =>
    askOver(miniflare, Number(port), new URL(address, `http://localhost:${port}`), init);
  return {
    miniflare,
    port: Number(port),
    fetch: ask,
    run: async (...batch) => {
      const answer = await ask("/dev/sql", { method: "POST", body: JSON.stringify({ batch }) });
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()) as Row[][];
    },
    takeLogs: () => logs.splice(0),
    takePrinted: () => printed.splice(0),
    close: () => miniflare.dispose(),
  };
}

class KeptLog extends Log {
  readonly #lines: string[];

  constructor(lines: string[]) {
    super(LogLevel.INFO);
    this.#lines = lines;
  }

  protected override log(line: string): void {
    this.#lines.push(line);
  }
}

type V4Worker = NonNullable<
  Extract<Parameters<typeof convertV4MiniflareOptions>[0], { workers: unknown }>["workers"]
>[0];

/** The name of a harness's worker; that of the others has their number behind it. */
export const WORKER_NAME = "lambda";

function workerOptions({ configPath, env, vars, bundle }: WorkerInput, at: number): V4Worker {
  const { workerOptions: options } = unstable_getMiniflareWorkerOptions(configPath, env);
  const { bindings = {} } = options as { bindings?: object };
  return {
    ...options,
    name: at === 0 ? WORKER_NAME : `${WORKER_NAME}-${at}`,
    bindings: { ...bindings, ...vars },
    modules: [{ type: "ESModule", path: "index.js", contents: readBundle({ configPath, env, bundle }) }],
  } as V4Worker;
}

function readBundle({ configPath, env, bundle }: WorkerInput): string {
  if (bundle) return readFileSync(join(bundle, "index.js"), "utf8");
  const folder = mkdtempSync(join(tmpdir(), "worker-bundle-"));
  try {
    return readFileSync(bundleWorker(configPath, folder, env), "utf8");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The server closes a connection that nobody used for some seconds. */
const agent = new Agent({ keepAlive: true, timeout: 1000 });

/**
 * A request to the worker itself, without the router of static files before it. Plain HTTP takes a third of the time that
 * miniflare's own call does, which upgrades alone need.
 */
async function askOver(miniflare: Miniflare, port: number, url: URL, init: RequestInit = {}): Promise<Response> {
  const encoded = new Request(url, init);
  encoded.headers.set("MF-Route-Override", WORKER_NAME);
  if (encoded.headers.has("upgrade")) {
    return (await miniflare.dispatchFetch(url.href, { headers: [...encoded.headers] })) as unknown as Response;
  }
  encoded.headers.set("MF-Original-URL", url.href);
  const body = encoded.body ? Buffer.from(await encoded.arrayBuffer()) : undefined;
  const answer = await send(port, encoded, url.pathname + url.search, body);
  return Object.defineProperty(answer, "url", { value: url.href });
}

type Head = Pick<Request, "method" | "headers">;

function send(port: number, { method, headers }: Head, path: string, body: Buffer | undefined): Promise<Response> {
  return new Promise((resolve, reject) => {
    const asked = request({
      ...{ host: "127.0.0.1", port, agent, method, path },
      headers: { ...Object.fromEntries(headers), ...(body && { "content-length": body.length }) },
    });
    asked.once("response", (answer) => readAnswer(answer).then(resolve, reject));
    asked.once("error", (error: NodeJS.ErrnoException) => {
      // Closed by the server at the very moment at which it was used again, as node:http documents.
      if (asked.reusedSocket && error.code === "ECONNRESET")
        send(port, { method, headers }, path, body).then(resolve, reject);
      else reject(error);
    });
    asked.end(body);
  });
}

async function readAnswer(answer: IncomingMessage): Promise<Response> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = answer;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  return new Response(parts.length > 0 ? Buffer.concat(parts) : null, { status, statusText, headers });
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
  const bundle = process.env[BUILT_WORKER];
  return { configPath, ...(bundle !== undefined && { bundle }) };
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

/** The statements of schema.sql, each on one line. */
export function schemaStatements(): string[] {
  return unstable_splitSqlQuery(readFileSync(`${ROOT}schema.sql`, "utf8")).map(oneLine);
}

/** The same of a database for messages. */
export function messageStatements(): string[] {
  return unstable_splitSqlQuery(messageSchema(readFileSync(`${ROOT}schema.sql`, "utf8"))).map(oneLine);
}

export const oneLine = (statement: string) => statement.replace(/--.*$/gm, "").replace(/\s+/g, " ");
