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
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { bundleWorker } from "./bundle-worker.ts";
import { withMessageDatabases } from "./message-databases.ts";
import { ROOT } from "./site.ts";
import type { Row, RunSql } from "./sql.ts";

/** Environment variable: folder of a bundle to use. Without it each start bundles the worker, which takes two seconds. */
export const BUILT_WORKER = "LAMBDA_BUILT_WORKER";
const MEMORY_NEEDED_BYTES = 4 * 2 ** 30;

// Otherwise Miniflare fetches the location of this machine from a server on the internet.
process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
// Otherwise each start warns that the test environment lacks the secrets of production.
process.env.WRANGLER_LOG ??= "error";
// Databases sync to disk at each write, which costs nothing in memory.
if (hasMemoryForFiles()) process.env.TMPDIR = "/dev/shm";

declare global {
  interface RequestInit {
    /** Tests only: closes the connection once this much of the answer has arrived. */
    readonly hangUpAfterBytes?: number;
  }
}

/** A worker to start: its wrangler configuration, and what differs from it. */
export interface WorkerInput {
  readonly configPath: string;
  /** Name of an environment in the configuration. */
  readonly env?: string;
  readonly vars?: Readonly<Record<string, string>>;
  /** Folder of its bundle; without one it is bundled at the start. */
  readonly bundle?: string;
  /** Another version of the first worker: on its data and objects, with its own files. */
  readonly behind?: { readonly assets: string };
}

export interface HarnessOptions {
  /** A free port by default. */
  readonly port?: number;
  /** Directory of D1, R2 and Durable Objects that outlives the harness; by default a temporary one. */
  readonly state?: string;
  /** Answers what the workers request of other servers. */
  readonly outbound?: (request: { readonly url: string; arrayBuffer(): Promise<ArrayBuffer> }) => Promise<Response>;
}

/** A worker under Miniflare with its own D1, R2 and Durable Objects. */
export interface RunningHarness {
  readonly miniflare: Miniflare;
  readonly port: number;
  /** Requests a path of the first brand, or an absolute URL such as `http://harbor.localhost/...`. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Runs statements as one transaction in each database, through the worker's /dev/sql endpoint. */
  readonly run: RunSql;
  /** Returns the lines that the worker logged since the last call. */
  takeLogs(): string[];
  /** Returns what Miniflare printed since the last call. The local mail binding prints every mail. */
  takePrinted(): string[];
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts workers. The first one receives the requests; the others are reached through bindings. */
export async function startHarness(
  inputs: readonly WorkerInput[] = [workerWith(0)],
  { port: wantedPort = 0, state, outbound }: HarnessOptions = {},
): Promise<RunningHarness> {
  ensurePage();
  const [logs, printed] = [[] as string[], [] as string[]];
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: wantedPort,
      ...(state !== undefined && { resourcePersistencePath: join(state, "v3") }),
      log: new MemoryLog(printed),
      unsafeTriggerHandlers: true,
      handleStructuredLogs: ({ message }) => logs.push(message),
      workers: inputs.map((input, index) => ({
        ...workerOptions(input, index),
        ...(outbound && { outboundService: outbound as unknown as NonNullable<V4Worker["outboundService"]> }),
      })) as [V4Worker, ...V4Worker[]],
    }),
  );
  const { port } = await miniflare.ready;
  const fetchWorker: RunningHarness["fetch"] = (address, init) =>
    sendRequest(miniflare, Number(port), new URL(address, `http://localhost:${port}`), init);
  return {
    miniflare,
    port: Number(port),
    fetch: fetchWorker,
    run: async (...batch) => {
      const response = await fetchWorker("/dev/sql", { method: "POST", body: JSON.stringify({ batch }) });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as Row[][];
    },
    takeLogs: () => logs.splice(0),
    takePrinted: () => printed.splice(0),
    close: () => miniflare.dispose(),
    [Symbol.asyncDispose]: () => miniflare.dispose(),
  };
}

class MemoryLog extends Log {
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

/** Name of the first worker. The others have their number after it. */
export const WORKER_NAME = "lambda";

function workerOptions({ configPath, env, vars, bundle, behind }: WorkerInput, index: number): V4Worker {
  const { workerOptions: options } = unstable_getMiniflareWorkerOptions(configPath, env);
  const { bindings = {} } = options as { bindings?: object };
  return {
    ...options,
    name: index === 0 ? WORKER_NAME : `${WORKER_NAME}-${index}`,
    bindings: { ...bindings, ...vars },
    ...(behind && shareWithFirst(options as SharedOptions, behind.assets)),
    modules: [{ type: "ESModule", path: "index.js", contents: readBundle({ configPath, env, bundle }) }],
  } as V4Worker;
}

interface SharedOptions {
  readonly durableObjects?: Readonly<Record<string, string | { readonly className: string }>>;
  readonly assets?: object;
}

/** The first worker has the objects' classes, and consumes the queues. */
function shareWithFirst({ durableObjects = {}, assets }: SharedOptions, directory: string): object {
  const objects = Object.entries(durableObjects).map(([name, object]) => {
    const className = typeof object === "string" ? object : object.className;
    return [name, { className, scriptName: WORKER_NAME, useSQLite: true }];
  });
  return { durableObjects: Object.fromEntries(objects), queueConsumers: {}, assets: { ...assets, directory } };
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

/** The server closes idle connections after some seconds, so this side closes them earlier. */
const agent = new Agent({ keepAlive: true, timeout: 1000 });

/**
 * Sends a request to the worker itself, bypassing the router of static files. Plain HTTP takes a third of the time of Miniflare's
 * `dispatchFetch`, which only WebSocket upgrades need.
 */
async function sendRequest(miniflare: Miniflare, port: number, url: URL, init: RequestInit = {}): Promise<Response> {
  const fetchRequest = new Request(url, init);
  if (!fetchRequest.headers.has("MF-Route-Override")) fetchRequest.headers.set("MF-Route-Override", WORKER_NAME);
  if (fetchRequest.headers.has("upgrade")) {
    return (await miniflare.dispatchFetch(url.href, { headers: [...fetchRequest.headers] })) as unknown as Response;
  }
  fetchRequest.headers.set("MF-Original-URL", url.href);
  const body = fetchRequest.body ? Buffer.from(await fetchRequest.arrayBuffer()) : undefined;
  const { hangUpAfterBytes } = init;
  const response = await sendOverHttp(port, fetchRequest, url.pathname + url.search, body, hangUpAfterBytes);
  return Object.defineProperty(response, "url", { value: url.href });
}

function sendOverHttp(
  port: number,
  { method, headers }: Pick<Request, "method" | "headers">,
  path: string,
  body: Buffer | undefined,
  hangUpAfterBytes?: number,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: "127.0.0.1",
      port,
      agent,
      method,
      path,
      headers: { ...Object.fromEntries(headers), ...(body && { "content-length": body.length }) },
    });
    sent.once("response", (message) => toResponse(message, hangUpAfterBytes).then(resolve, reject));
    sent.once("error", (error: NodeJS.ErrnoException) => {
      // The server closed the idle connection just as it was reused, as node:http documents.
      if (sent.reusedSocket && error.code === "ECONNRESET" && hangUpAfterBytes === undefined)
        sendOverHttp(port, { method, headers }, path, body, hangUpAfterBytes).then(resolve, reject);
      else reject(error);
    });
    sent.end(body);
  });
}

async function toResponse(message: IncomingMessage, hangUpAfterBytes = Number.POSITIVE_INFINITY): Promise<Response> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    // Leaving the loop closes the connection.
    if (bytes >= hangUpAfterBytes) break;
  }
  const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = message;
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) headers.append(rawHeaders[index]!, rawHeaders[index + 1]!);
  return new Response(chunks.length > 0 ? Buffer.concat(chunks) : null, { status, statusText, headers });
}

/** The worker of wrangler.toml, with another number of message databases. */
export function workerWith(messageDatabases: number): WorkerInput {
  const configPath = join(ROOT, ".wrangler", `messages-${messageDatabases}`, "worker.toml");
  const text = withMessageDatabases(readFileSync(`${ROOT}wrangler.toml`, "utf8"), messageDatabases)
    .replace(/^main = "/m, 'main = "../../')
    .replace(/^directory = "/gm, 'directory = "../../');
  if (!existsSync(configPath) || readFileSync(configPath, "utf8") !== text) {
    mkdirSync(dirname(configPath), { recursive: true });
    // Other processes may be reading the file.
    const temporary = `${configPath}.${process.pid}`;
    writeFileSync(temporary, text);
    renameSync(temporary, configPath);
  }
  return { configPath, ...sharedBundle() };
}

/** The worker of wrangler.toml as it is. */
export const configuredWorker = (): WorkerInput => ({ configPath: join(ROOT, "wrangler.toml"), ...sharedBundle() });

function sharedBundle(): Pick<WorkerInput, "bundle"> {
  const bundle = process.env[BUILT_WORKER];
  return bundle === undefined ? {} : { bundle };
}

/** Writes an empty page if the application is not built: the assets binding needs one, most tests do not. */
export function ensurePage(): void {
  const page = `${ROOT}apps/web/dist/index.html`;
  if (existsSync(page)) return;
  mkdirSync(`${ROOT}apps/web/dist`, { recursive: true });
  writeFileSync(page, "<!doctype html><html><head><title></title></head><body></body></html>");
}

function hasMemoryForFiles(): boolean {
  if (process.platform !== "linux" || !existsSync("/dev/shm")) return false;
  const { bavail, bsize } = statfsSync("/dev/shm");
  return bavail * bsize > MEMORY_NEEDED_BYTES;
}
