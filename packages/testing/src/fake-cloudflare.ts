/**
 * A fake of Cloudflare's REST API: one account with databases, buckets, queues, worker versions and zones, as far as
 * wrangler and the project's commands use them. Answers have the types of the platform's SDK, except to the calls that only wrangler makes
 * and the SDK does not have.
 */
import { createHash, randomUUID } from "node:crypto";
import { copyFileSync, mkdtempDisposableSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Account } from "cloudflare/resources/accounts/accounts";
import type { D1Resource } from "cloudflare/resources/d1/d1";
import type { DNS } from "cloudflare/resources/dns/dns";
import type { EmailRouting } from "cloudflare/resources/email-routing/email-routing";
import type { EmailSending } from "cloudflare/resources/email-sending/email-sending";
import type { Membership } from "cloudflare/resources/memberships/memberships";
import type { Queues } from "cloudflare/resources/queues/queues";
import type { R2 } from "cloudflare/resources/r2/r2";
import type { User } from "cloudflare/resources/user/user";
import type { Workers } from "cloudflare/resources/workers/workers";
import type { Zones } from "cloudflare/resources/zones/zones";
import { unstable_splitSqlQuery } from "wrangler";
import { type ImportFile, ImportJobs } from "./fake-cloudflare-import.ts";

export const FAKE_API_TOKEN = "fake-token";

type Level = "Read" | "Edit";

/**
 * What each call needs, as the page of each call says under "Accepted Permissions" (developers.cloudflare.com/api); the names are those of
 * developers.cloudflare.com/fundamentals/api/reference/permissions. The first row that matches decides. Null: any token may.
 */
const NEEDED_PERMISSIONS: readonly (readonly [call: RegExp, name: string | null])[] = [
  // Which accounts a token sees follows from its other permissions; wrangler asks for the other three, and goes on without.
  [/^GET \/(accounts|user|memberships|user\/tokens\/verify)$/, null],
  [/^\w+ \/accounts\/\w+\/workers\//, "Workers Scripts"],
  [/^\w+ \/accounts\/\w+\/d1\//, "D1"],
  [/^\w+ \/accounts\/\w+\/r2\//, "Workers R2 Storage"],
  [/^\w+ \/accounts\/\w+\/queues/, "Queues"],
  [/^\w+ \/accounts\/\w+\/email\/routing\/addresses/, "Email Routing Addresses"],
  [/^GET \/zones$/, "Zone"],
  [/^\w+ \/zones\/[\w.-]+\/dns_records/, "DNS"],
  [/^\w+ \/zones\/[\w.-]+\/email\/routing\/rules/, "Email Routing Rules"],
  [/^\w+ \/zones\/[\w.-]+\/email\/routing/, "Zone Settings"],
  [/^\w+ \/zones\/[\w.-]+\/email\/sending/, "Email Sending"],
  [/^\w+ \/zones\/[\w.-]+\/workers\//, "Workers Routes"],
];

/** The token that docs/OPERATIONS.md, First day, has made. */
const TOKEN_OF_THE_GUIDE: readonly (readonly [string, Level])[] = [
  ...["Workers Scripts", "D1", "Workers R2 Storage", "Queues", "Email Routing Addresses"].map(
    (name) => [name, "Edit"] as const,
  ),
  ["Account Analytics", "Read"],
  ["Zone", "Read"],
  ...["DNS", "Zone Settings", "Email Routing Rules", "Email Sending", "Workers Routes"].map(
    (name) => [name, "Edit"] as const,
  ),
];

interface Version {
  readonly id: string;
  /** The checksum of the uploaded code, which versions made by a change of a secret share. */
  readonly etag: string;
  readonly secrets: Map<string, string>;
  /** All others than secrets. */
  readonly bindings: readonly Binding[];
  /** The text of its main module. */
  readonly code: string;
}

interface Binding {
  readonly name: string;
  readonly type: string;
  readonly id?: string;
  readonly text?: string;
  readonly class_name?: string;
}

/** The parts of an upload's metadata that decide something here. */
interface UploadMetadata {
  readonly main_module: string;
  readonly bindings: readonly Binding[];
  readonly migrations?: { readonly new_tag?: string; readonly steps?: readonly object[] };
}

interface Script {
  /** The secrets of the newest version. */
  readonly secrets: Map<string, string>;
  /** Newest first. */
  versions: Version[];
  /** Newest first. */
  deployments: Workers.Scripts.Deployment[];
  migrationTag: string | undefined;
  crons: readonly string[];
  domains: readonly string[];
}

interface Zone {
  readonly id: string;
  records: DnsRecord[];
  sending: EmailSending.SubdomainListResponse[];
  routing: boolean;
  rules: EmailRouting.EmailRoutingRule[];
}

export interface FakeDatabase {
  readonly name: string;
  readonly location: string;
  /** Another one after a restore by Time Travel. */
  sqlite: DatabaseSync;
  /** The mode of read replication, such as `auto`. */
  replication: D1Resource.D1.ReadReplication["mode"];
}

export interface FakeCloudflare {
  /** The value for CLOUDFLARE_API_BASE_URL. */
  readonly base: string;
  readonly account: string;
  /** All requests so far, as `METHOD /path`. */
  readonly requests: string[];
  readonly databases: Map<string, FakeDatabase>;
  /** By `jurisdiction/name`. */
  readonly buckets: Map<string, Map<string, Uint8Array>>;
  /** The media types of uploaded objects, by `jurisdiction/name/key`. */
  readonly mediaTypes: Map<string, string>;
  /** What the token may do. A call that needs more gets 403, like one that the stand-in knows no permission of. */
  readonly permissions: Map<string, Level>;
  /** The SQL dump that an export returns, by database id. */
  readonly dumps: Map<string, Uint8Array>;
  /** Jurisdictions by name; "default" without one. */
  readonly queues: Map<string, string>;
  readonly scripts: Map<string, Script>;
  readonly zones: Map<string, Zone>;
  /** Destination addresses of email routing, and whether each is verified. */
  readonly mailboxes: Map<string, boolean>;
  /**
   * Makes the next requests whose `METHOD /path` matches fail with this status, without any effect, at most so often and until the
   * returned function is called.
   */
  failNext(pattern: RegExp, status: number, times?: number, code?: number): () => void;
  /** Adds a version as an upload by wrangler does, and returns its id. */
  addVersion(script: string, deployed: boolean, migrationTag?: string, etag?: string): string;
  addZone(name: string): void;
  /** Remembers what a database has now as what it had at a time, to which Time Travel then goes back. */
  keepState(database: string, ts: number): void;
  /**
   * How many calls the account's token has in how many milliseconds; beyond, each gets 429 for as long
   * (developers.cloudflare.com/fundamentals/api/reference/limits).
   */
  readonly rate: { calls: number; withinMs: number };
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export type DnsRecord = Pick<DNS.RecordResponse, "type" | "name" | "content">;

class ApiError extends Error {
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

interface Call {
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
  readonly raw: Buffer;
  readonly headers: IncomingMessage["headers"];
}

type Handler = (call: Call, ...parts: string[]) => unknown;

/** Replaces the in-memory databases, for benches. */
export interface DatabaseEngine {
  /** Returns the rows of each statement; undefined leaves them to the in-memory database. */
  readonly query?: (sql: string, id: string) => Promise<readonly object[][] | undefined>;
  readonly importFile?: ImportFile;
}

type FakeState = Omit<FakeCloudflare, "base" | "close" | "keepState" | typeof Symbol.asyncDispose>;
/** By `METHOD /path`, in which `~` stands for the account's path, `:id` for one segment of what follows, and `*` for all of it. */
type Routes = Readonly<Record<string, Handler>>;

interface Failure {
  readonly pattern: RegExp;
  readonly status: number;
  readonly code: number;
  times: number;
}

export async function startFakeCloudflare(engine: DatabaseEngine = {}): Promise<FakeCloudflare> {
  const failures: Failure[] = [];
  const state: FakeState = {
    account: "0123456789abcdef0123456789abcdef",
    requests: [],
    databases: new Map(),
    buckets: new Map(),
    mediaTypes: new Map(),
    permissions: new Map(TOKEN_OF_THE_GUIDE),
    dumps: new Map(),
    queues: new Map(),
    scripts: new Map(),
    zones: new Map(),
    mailboxes: new Map(),
    rate: { calls: 1_200, withinMs: 5 * 60_000 },
    failNext: (pattern, status, times = 1, code = 10001) => {
      const failure = { pattern, status, times, code };
      failures.push(failure);
      return () => {
        failure.times = 0;
      };
    },
    addVersion: (...parameters) => addVersion(state.scripts, ...parameters),
    addZone: (name) =>
      state.zones.set(name, { id: `zone-${name}`, records: [], sending: [], routing: false, rules: [] }),
  };
  const importFile: ImportFile = async (file, id) => state.databases.get(id)?.sqlite.exec(readFileSync(file, "utf8"));
  const imports = new ImportJobs(engine.importFile ?? importFile);
  const folder = mkdtempDisposableSync(join(tmpdir(), "fake-cloudflare-"));
  const times = new TimeTravel(state.databases, folder.path);
  const countCall = rateLimit(state.rate);
  const routes = Object.entries(listRoutes(state, engine, imports, times)).map(([endpoint, handler]) => {
    const path = endpoint.replace("~", `/accounts/${state.account}`).replaceAll(":id", "([\\w.-]+)");
    return [new RegExp(`^${path.replace("*", "(.+)")}$`), handler] as const;
  });

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://fake-cloudflare");
    if (pathname.startsWith("/upload/")) {
      const etag = await imports.receiveUpload(pathname.slice("/upload/".length), request);
      response.setHeader("etag", `"${etag}"`).end();
      return;
    }
    const raw = await readBody(request);
    if (pathname.startsWith("/signed/")) {
      response.end(state.dumps.get(pathname.slice("/signed/".length)));
      return;
    }
    const call: Call = { query: searchParams, body: parseJson(raw), raw, headers: request.headers };
    const endpoint = `${request.method} ${pathname.replace(/^\/client\/v4/, "")}`;
    state.requests.push(endpoint);
    const waitMs = countCall();
    if (waitMs > 0) {
      response.setHeader("retry-after", Math.ceil(waitMs / 1000));
      const error = { code: 971, message: "Please wait and consider throttling your request speed" };
      return sendJson(response, 429, { success: false, result: null, messages: [], errors: [error] });
    }
    try {
      const result = await handleCall(endpoint, call, state.permissions, routes, failures);
      if (result instanceof Uint8Array) response.end(result);
      else sendJson(response, 200, toSuccess(result, Number(searchParams.get("page") ?? 1)));
    } catch (error) {
      const { status, code, message } = error instanceof ApiError ? error : new ApiError(400, 7500, String(error));
      sendJson(response, status, { success: false, result: null, messages: [], errors: [{ code, message }] });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    for (const { sqlite } of state.databases.values()) sqlite.close();
    folder.remove();
    server.closeAllConnections();
    await new Promise<unknown>((resolve) => server.close(resolve));
  };
  const keepState = (database: string, ts: number) => void times.keep(database, ts);
  const base = `http://127.0.0.1:${port}/client/v4`;
  return Object.assign(state, { base, keepState, close, [Symbol.asyncDispose]: close });
}

/** Returns a function that counts a call, and says for how long all calls are refused. */
function rateLimit(rate: FakeCloudflare["rate"]): () => number {
  let calls: number[] = [];
  let refusedUntil = 0;
  return () => {
    const now = Date.now();
    if (now < refusedUntil) return refusedUntil - now;
    calls = [...calls.filter((ts) => ts > now - rate.withinMs), now];
    if (calls.length <= rate.calls) return 0;
    calls = [];
    refusedUntil = now + rate.withinMs;
    return rate.withinMs;
  };
}

/** @param endpoint `METHOD /path` */
function handleCall(
  endpoint: string,
  call: Call,
  permissions: FakeCloudflare["permissions"],
  routes: readonly (readonly [RegExp, Handler])[],
  failures: readonly Failure[],
): unknown {
  if (call.headers.authorization !== `Bearer ${FAKE_API_TOKEN}`) throw new ApiError(401, 10000, "Authentication error");
  if (!isPermitted(endpoint, permissions)) throw new ApiError(403, 10000, "Authentication error");
  const failure = failures.find(({ pattern, times }) => times > 0 && pattern.test(endpoint));
  if (failure) {
    failure.times -= 1;
    throw new ApiError(failure.status, failure.code, "failed on purpose");
  }
  for (const [pattern, handler] of routes) {
    const match = pattern.exec(endpoint);
    if (match) return handler(call, ...match.slice(1));
  }
  throw new ApiError(404, 7003, `no route for ${endpoint}`);
}

/** Whoever may edit may read. */
function isPermitted(endpoint: string, permissions: FakeCloudflare["permissions"]): boolean {
  const needed = NEEDED_PERMISSIONS.find(([call]) => call.test(endpoint));
  if (!needed) return false;
  const [, name] = needed;
  if (name === null) return true;
  return endpoint.startsWith("GET ") ? permissions.has(name) : permissions.get(name) === "Edit";
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function parseJson(raw: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(raw.toString("utf8")) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Everything is on the first page. */
function toSuccess(result: unknown, page: number): object {
  const success = { success: true, errors: [], messages: [], result };
  if (!Array.isArray(result)) return success;
  const count = result.length;
  const items = page > 1 ? [] : result;
  return { ...success, result: items, result_info: { page, per_page: 100, count, total_count: count, total_pages: 1 } };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  // The SDK repeats a call after this time, and otherwise after seconds.
  const retries = status >= 400 && !response.hasHeader("retry-after");
  response.writeHead(status, { "content-type": "application/json", ...(retries && { "retry-after-ms": "1" }) });
  response.end(JSON.stringify(body));
}

function listRoutes(state: FakeState, engine: DatabaseEngine, imports: ImportJobs, times: TimeTravel): Routes {
  const account: Account = { id: state.account, name: "Fake account", type: "standard" };
  return {
    "GET /accounts": (): Account[] => [account],
    // Which wrangler asks after a refused call, to say more about the token.
    "GET /user/tokens/verify": (): User.TokenVerifyResponse => ({ id: "token", status: "active" }),
    "GET /user": () => {
      throw new ApiError(403, 9109, "Unauthorized to access requested resource");
    },
    "GET /memberships": (): Membership[] => [{ id: "membership", account }],
    ...databaseRoutes(state, engine, imports, times),
    ...storageRoutes(state),
    ...workerRoutes(state),
    ...emailSendingRoutes(state),
    ...emailRoutingRoutes(state),
  };
}

/** Of D1 (developers.cloudflare.com/d1/platform/limits and /d1/reference/time-travel). */
const TIME_TRAVEL_MS = 30 * 86_400_000;
const RESTORES_MAX = 10;
const RESTORES_WITHIN_MS = 10 * 60_000;
const STATEMENT_BYTES_MAX = 100_000;

function openDatabase(databases: FakeCloudflare["databases"], id: string): FakeDatabase {
  const database = databases.get(id);
  if (!database) throw new ApiError(404, 7404, `The database ${id} could not be found`);
  return database;
}

/** States of the databases of which somebody asked for the bookmark or that a test keeps, each a file of its name. */
class TimeTravel {
  readonly #databases: FakeCloudflare["databases"];
  readonly #folder: string;
  readonly #bookmarks: { readonly bookmark: string; readonly of: string; readonly ts: number }[] = [];
  readonly #restores: { readonly of: string; readonly ts: number }[] = [];

  constructor(databases: FakeCloudflare["databases"], folder: string) {
    this.#databases = databases;
    this.#folder = folder;
  }

  keep(of: string, ts: number): string {
    const bookmark = randomUUID();
    // Not by serialize() and deserialize(): Node 24 crashed twice in the only test that called them.
    openDatabase(this.#databases, of).sqlite.prepare("VACUUM INTO ?").run(join(this.#folder, bookmark));
    this.#bookmarks.push({ bookmark, of, ts });
    return bookmark;
  }

  find(of: string, ts: number): string | undefined {
    openDatabase(this.#databases, of);
    if (!(ts > Date.now() - TIME_TRAVEL_MS && ts <= Date.now()))
      throw new ApiError(400, 7500, "The timestamp is not within the last 30 days.");
    const before = this.#bookmarks.filter((each) => each.of === of && each.ts <= ts);
    return before.toSorted((one, other) => one.ts - other.ts).at(-1)?.bookmark;
  }

  /** Returns the bookmark of the state before. */
  restore(of: string, bookmark: string | null): string {
    if (!this.#bookmarks.some((each) => each.of === of && each.bookmark === bookmark))
      throw new ApiError(400, 7500, "There is no such bookmark.");
    const now = Date.now();
    const lately = this.#restores.filter((each) => each.of === of && each.ts > now - RESTORES_WITHIN_MS);
    if (lately.length >= RESTORES_MAX) throw new ApiError(429, 7500, "Too many restores of this database.");
    this.#restores.push({ of, ts: now });
    const previous = this.keep(of, now);
    const database = openDatabase(this.#databases, of);
    database.sqlite.close();
    const restored = join(this.#folder, randomUUID());
    copyFileSync(join(this.#folder, bookmark ?? ""), restored);
    database.sqlite = new DatabaseSync(restored);
    return previous;
  }
}

function databaseRoutes(
  { databases }: Pick<FakeCloudflare, "databases">,
  engine: DatabaseEngine,
  imports: ImportJobs,
  times: TimeTravel,
): Routes {
  const open = (id: string) => openDatabase(databases, id);
  return {
    "GET ~/d1/database": ({ query }): D1Resource.DatabaseListResponse[] =>
      [...databases]
        .filter(([, { name }]) => name.includes(query.get("name") ?? ""))
        .map(([uuid, { name }]) => ({ uuid, name, version: "production" })),
    "POST ~/d1/database": ({ body }): D1Resource.D1 => {
      const name = String(body.name);
      if ([...databases.values()].some((database) => database.name === name)) {
        throw new ApiError(400, 7502, "A database with that name already exists");
      }
      const uuid = randomUUID();
      const location = String(body.jurisdiction ?? body.primary_location_hint ?? "");
      databases.set(uuid, { name, location, sqlite: new DatabaseSync(":memory:"), replication: "disabled" });
      return { uuid, name };
    },
    "GET ~/d1/database/:id": (_call, idOrName): D1Resource.D1 => {
      const uuid = [...databases].find(([id, { name }]) => id === idOrName || name === idOrName)?.[0] ?? "";
      const { name, replication } = open(uuid);
      return { uuid, name, read_replication: { mode: replication } };
    },
    "PUT ~/d1/database/:id": ({ body }, id): D1Resource.D1 => {
      const { mode } = body.read_replication as D1Resource.D1.ReadReplication;
      open(id!).replication = mode;
      return { uuid: id };
    },
    "POST ~/d1/database/:id/export": ({ body, headers }, id): D1Resource.DatabaseExportResponse | UnfinishedExport => {
      open(id!);
      if (body.current_bookmark === undefined) return { status: "active", at_bookmark: "bookmark", messages: [] };
      return {
        status: "complete",
        success: true,
        messages: [],
        result: { filename: "export.sql", signed_url: `http://${headers.host}/signed/${id}` },
      };
    },
    "POST ~/d1/database/:id/query": async ({ body }, id): Promise<D1Resource.QueryResult[]> => {
      const { sqlite } = open(id!);
      const rows = await engine.query?.(String(body.sql), id!);
      if (!rows) return query(sqlite, String(body.sql));
      const meta = { duration: 0, size_after: 4096 };
      return rows.map((results) => ({ results, success: true, meta }));
    },
    "GET ~/d1/database/:id/time_travel/bookmark": (
      { query: parameters },
      id,
    ): D1Resource.Database.TimeTravelGetBookmarkResponse => {
      const timestamp = parameters.get("timestamp");
      const bookmark = timestamp ? times.find(id!, Date.parse(timestamp)) : times.keep(id!, Date.now());
      return { ...(bookmark && { bookmark }) };
    },
    "POST ~/d1/database/:id/time_travel/restore": (
      { query: parameters },
      id,
    ): D1Resource.Database.TimeTravelRestoreResponse => {
      const bookmark = parameters.get("bookmark");
      const previous_bookmark = times.restore(id!, bookmark);
      return { bookmark: bookmark ?? "", previous_bookmark };
    },
    "POST ~/d1/database/:id/import": ({ body, headers }, id) => {
      open(id!);
      return imports.handle(id!, body, headers.host ?? "");
    },
  };
}

/** As wrangler knows it; the SDK has the ends of an export only. */
interface UnfinishedExport extends Omit<D1Resource.DatabaseExportResponse, "status"> {
  readonly status: "active";
}

/** Runs the statements as one transaction, as D1Resource.D1 does. */
function query(sqlite: DatabaseSync, sql: string): D1Resource.QueryResult[] {
  sqlite.exec("BEGIN");
  try {
    const statements = unstable_splitSqlQuery(sql);
    if (statements.some((statement) => Buffer.byteLength(statement) > STATEMENT_BYTES_MAX))
      throw new Error("statement too long: SQLITE_TOOBIG");
    const results = statements.map((statement) => ({
      results: sqlite.prepare(statement).all(),
      success: true,
      meta: { duration: 0, size_after: 4096 },
    }));
    sqlite.exec("COMMIT");
    return results;
  } catch (error) {
    sqlite.exec("ROLLBACK");
    throw new ApiError(400, 7500, error instanceof Error ? error.message : String(error));
  }
}

function storageRoutes({
  buckets,
  mediaTypes,
  queues,
}: Pick<FakeCloudflare, "buckets" | "mediaTypes" | "queues">): Routes {
  const key = ({ headers }: Call, name: string) => `${headers["cf-r2-jurisdiction"] ?? "default"}/${name}`;
  return {
    "GET ~/r2/buckets": (): R2.BucketListResponse => ({ buckets: [...buckets.keys()].map((name) => ({ name })) }),
    "GET ~/r2/buckets/:id": (call, name): R2.Bucket => {
      if (!buckets.has(key(call, name!))) throw new ApiError(404, 10006, "The specified bucket does not exist.");
      return { name };
    },
    "POST ~/r2/buckets": (call): R2.Bucket => {
      const name = key(call, String(call.body.name));
      if (buckets.has(name)) throw new ApiError(409, 10004, "The bucket you tried to create already exists.");
      buckets.set(name, new Map());
      return { name: String(call.body.name) };
    },
    "GET ~/r2/buckets/:id/objects": (call, name): R2.Buckets.ObjectListResponse[] => {
      const bucket = buckets.get(key(call, name!));
      if (!bucket) throw new ApiError(404, 10006, "The specified bucket does not exist.");
      const prefix = call.query.get("prefix") ?? "";
      const keys = [...bucket.keys()].filter((object) => object.startsWith(prefix));
      return keys.toSorted().map((object) => ({ key: object }));
    },
    "PUT ~/r2/buckets/:id/objects/*": (call, name, object): R2.Buckets.ObjectUploadResponse => {
      const bucket = buckets.get(key(call, name!));
      if (!bucket) throw new ApiError(404, 10006, "The specified bucket does not exist.");
      bucket.set(decodeURIComponent(object!), new Uint8Array(call.raw));
      mediaTypes.set(`${key(call, name!)}/${decodeURIComponent(object!)}`, call.headers["content-type"] ?? "");
      return {};
    },
    "GET ~/r2/buckets/:id/objects/*": (call, name, object): Uint8Array => {
      const bytes = buckets.get(key(call, name!))?.get(decodeURIComponent(object!));
      if (!bytes) throw new ApiError(404, 10007, "The specified key does not exist.");
      return bytes;
    },
    "GET ~/queues": ({ query: parameters }): Queues.Queue[] => {
      const names = parameters.getAll("name");
      return [...queues.keys()]
        .filter((name) => names.length === 0 || names.includes(name))
        .map((name) => ({ queue_name: name, queue_id: `id-of-${name}`, consumers: [], producers: [] }));
    },
    "GET ~/queues/id-of-:id/consumers": (): Queues.Consumer[] => [],
    "POST ~/queues/id-of-:id/consumers": ({ body }): Queues.Consumer => body,
    "POST ~/queues": ({ body }): Queues.Queue => {
      const name = String(body.queue_name);
      if (queues.has(name)) throw new ApiError(409, 11009, "Queue name is already taken");
      queues.set(name, String(body.jurisdiction ?? "default"));
      return { queue_name: name, queue_id: `id-of-${name}` };
    },
  };
}

function workerRoutes({ scripts }: Pick<FakeCloudflare, "scripts">): Routes {
  const open = (name: string) => {
    const script = scripts.get(name);
    if (!script) throw new ApiError(404, 10007, "This Worker does not exist on your account.");
    return script;
  };
  return {
    "GET ~/workers/scripts": (): Workers.ScriptListResponse[] =>
      [...scripts].map(([id, { migrationTag }]) => ({ id, ...(migrationTag && { migration_tag: migrationTag }) })),
    "GET /zones/:id/workers/routes": (): Workers.RouteListResponse[] => [],
    "GET ~/workers/services/:id": (_call, name) => ({
      id: name,
      default_environment: { environment: "production", script: { migration_tag: open(name!).migrationTag } },
    }),
    "GET ~/workers/scripts/:id/secrets": (_call, name): Workers.Scripts.SecretListResponse[] =>
      [...open(name!).secrets.keys()].map((secret) => ({ name: secret, type: "secret_text" })),
    "PUT ~/workers/scripts/:id/secrets": ({ body }, name): Workers.Scripts.SecretUpdateResponse => {
      const script = open(name!);
      const [latest] = script.versions;
      const running = script.deployments[0]?.versions;
      if (!latest || running?.length !== 1 || running[0]?.version_id !== latest.id) {
        throw new ApiError(400, 10215, "Secret edit failed: the latest version isn't currently deployed.");
      }
      deployOnly(script, copyVersion(script, latest, { [String(body.name)]: String(body.text) }));
      return { name: String(body.name), type: "secret_text" };
    },
    "PATCH ~/workers/workers/:id/versions/:id": ({ body }, name, id): Pick<Workers.Beta.Workers.Version, "id"> => {
      const script = open(name!);
      const base = id === "latest" ? script.versions[0] : script.versions.find((version) => version.id === id);
      if (!base) throw new ApiError(404, 10222, "There is no such version.");
      const made = copyVersion(script, base, {});
      for (const [key, secret] of Object.entries(body.env as Record<string, { text: string } | null>)) {
        if (secret) made.secrets.set(key, secret.text);
        else made.secrets.delete(key);
      }
      return { id: made.id };
    },
    // An empty list of buckets: no file needs to be uploaded.
    "POST ~/workers/scripts/:id/assets-upload-session": (): Workers.Scripts.Assets.UploadCreateResponse => ({
      jwt: "fake",
      buckets: [],
    }),
    "GET ~/workers/scripts/:id/settings": (): Workers.Scripts.ScriptAndVersionSettingGetResponse => ({ bindings: [] }),
    "PATCH ~/workers/scripts/:id/script-settings": ({ body }) => body,
    "GET ~/workers/workers/:id": (_call, name) => ({ name, subdomain: {} }),
    "POST ~/workers/scripts/:id/subdomain": ({ body }): Workers.Scripts.SubdomainCreateResponse => ({
      enabled: Boolean(body.enabled),
      previews_enabled: Boolean(body.previews_enabled),
    }),
    "GET ~/workers/subdomain": (): Workers.SubdomainGetResponse => ({ subdomain: "fake" }),
    "POST ~/workers/scripts/:id/domains/changeset": () => ({ added: [], removed: [], updated: [], conflicting: [] }),
    "PUT ~/workers/scripts/:id/domains/records": ({ body }, name) => {
      open(name!).domains = (body.origins as { hostname: string }[]).map(({ hostname }) => hostname);
      return [];
    },
    "PUT ~/workers/scripts/:id/schedules": ({ raw }, name): Workers.Scripts.ScheduleUpdateResponse => {
      open(name!).crons = (JSON.parse(raw.toString("utf8")) as { cron: string }[]).map(({ cron }) => cron);
      return { schedules: [] };
    },
    "POST ~/workers/scripts/:id/versions": async (call, name): Promise<Workers.Scripts.VersionCreateResponse> => {
      const version = uploadVersion(open(name!), await readUpload(call));
      const resources = { script: { etag: version.etag } };
      return { id: version.id, startup_time_ms: 1, metadata: { hasPreview: false }, resources };
    },
    // The SDK's type lacks the id of the deployment, which wrangler reads.
    "PUT ~/workers/scripts/:id": async (
      call,
      name,
    ): Promise<Workers.ScriptUpdateResponse & { deployment_id: string }> => {
      const upload = await readUpload(call);
      const { etag, metadata } = upload;
      const script = scripts.get(name!) ?? createScript();
      scripts.set(name!, script);
      const version = uploadVersion(script, upload);
      script.migrationTag = metadata.migrations?.new_tag ?? script.migrationTag;
      deployOnly(script, version);
      return { id: name!, etag, deployment_id: version.id, startup_time_ms: 1, entry_point: metadata.main_module };
    },
    "GET ~/workers/scripts/:id/versions": (_call, name): { items: Workers.Scripts.VersionListResponse[] } => ({
      items: open(name!).versions.map(({ id }) => ({ id })),
    }),
    "GET ~/workers/scripts/:id/versions/:id": (_call, name, id): Workers.Scripts.VersionGetResponse => {
      const { etag, secrets, bindings } = openVersion(open(name!), id!);
      const names = [...secrets.keys()].map((secret) => ({ name: secret, type: "secret_text" }));
      // Wrangler uploads the id of a database under another name than the SDK reads.
      const told = bindings.map(({ id: database_id, ...rest }) => ({ ...rest, ...(database_id && { database_id }) }));
      return { id: id!, resources: { script: { etag }, bindings: [...told, ...names] } };
    },
    "GET ~/workers/scripts/:id/deployments": (_call, name): Workers.Scripts.DeploymentListResponse => ({
      deployments: open(name!).deployments,
    }),
    "POST ~/workers/scripts/:id/deployments": ({ body, query: parameters }, name): Workers.Scripts.Deployment => {
      const script = open(name!);
      const versions = body.versions as Workers.Scripts.Deployment["versions"];
      const sum = versions.reduce((total, { percentage }) => total + percentage, 0);
      if (sum !== 100 || versions.length > 2) throw new ApiError(400, 100146, "Versions must have 100 % together.");
      if (versions.some(({ percentage }) => percentage < SHARE_MIN)) {
        throw new ApiError(400, 100146, `A version must have at least ${SHARE_MIN} %.`);
      }
      const chosen = versions.map(({ version_id }) => openVersion(script, version_id));
      const changed = [...script.secrets].filter(([key, text]) => chosen[0]?.secrets.get(key) !== text);
      if (chosen.length === 1 && changed.length > 0 && parameters.get("force") !== "true") {
        const names = changed.map(([key]) => key).join(", ");
        throw new ApiError(400, 10220, `The following secrets have changed: ${names}`);
      }
      return addDeployment(script, versions, body.annotations as Workers.Scripts.Deployment.Annotations);
    },
  };
}

/**
 * The version that answers a request, drawn for each one, files included; a header chooses only among those of the deployment
 * (developers.cloudflare.com/workers/versions-and-deployments/gradual-deployments).
 */
export function drawVersion(
  versions: readonly Workers.Scripts.Deployment.Version[],
  script: string,
  headers: Headers,
  random: () => number,
): string {
  const [, overridden, wanted] =
    /^([\w-]+)="([\w-]+)"$/.exec(headers.get("cloudflare-workers-version-overrides") ?? "") ?? [];
  if (overridden === script && versions.some(({ version_id }) => version_id === wanted)) return wanted!;
  let left = random() * 100;
  const drawn = versions.find(({ percentage }) => {
    left -= percentage;
    return left < 0;
  });
  return (drawn ?? versions.at(-1))?.version_id ?? "";
}

/** The smallest share of the requests that a deployment can give to a version. */
const SHARE_MIN = 0.01;

function openVersion({ versions }: Script, id: string): Version {
  const version = versions.find((candidate) => candidate.id === id);
  if (!version) throw new ApiError(404, 10007, `There is no version ${id}`);
  return version;
}

interface Upload {
  readonly etag: string;
  readonly metadata: UploadMetadata;
  readonly code: string;
}

/** Reads the form of wrangler's uploads: the metadata as JSON, and a file for each module. */
async function readUpload({ raw, headers }: Call): Promise<Upload> {
  const type = headers["content-type"] ?? "";
  const form = await new Response(new Uint8Array(raw), { headers: { "content-type": type } }).formData();
  const hash = createHash("sha256");
  for (const [, part] of form) if (typeof part !== "string") hash.update(await part.text());
  const metadata = JSON.parse(String(form.get("metadata"))) as UploadMetadata;
  const main = form.get(metadata.main_module);
  const code = main instanceof Blob ? await main.text() : "";
  return { etag: hash.digest("hex"), metadata, code };
}

/** Secrets of the version before stay, as wrangler asks for. */
function uploadVersion(script: Script, { etag, code, metadata: { bindings } }: Upload): Version {
  const secrets = new Map(script.secrets);
  for (const { name, type, text = "" } of bindings) if (type === "secret_text") secrets.set(name, text);
  const kept = bindings.filter(({ type }) => !["secret_text", "inherit"].includes(type));
  const version = { id: randomUUID(), etag, secrets, bindings: kept, code };
  script.versions.unshift(version);
  return version;
}

function copyVersion(
  script: Script,
  { etag, secrets, bindings, code }: Version,
  changed: Readonly<Record<string, string>>,
): Version {
  const version = {
    id: randomUUID(),
    etag,
    bindings,
    code,
    secrets: new Map([...secrets, ...Object.entries(changed)]),
  };
  script.versions.unshift(version);
  return version;
}

function deployOnly(script: Script, { id }: Version): void {
  addDeployment(script, [{ version_id: id, percentage: 100 }]);
}

function addDeployment(
  { deployments }: Script,
  versions: Workers.Scripts.Deployment.Version[],
  annotations: Workers.Scripts.Deployment.Annotations = {},
): Workers.Scripts.Deployment {
  const created_on = new Date().toISOString();
  const deployment: Workers.Scripts.Deployment = {
    ...{ id: randomUUID(), created_on, source: "api", strategy: "percentage" },
    ...{ versions, annotations },
  };
  deployments.unshift(deployment);
  return deployment;
}

function addVersion(
  scripts: Map<string, Script>,
  name: string,
  deployed: boolean,
  migrationTag?: string,
  etag: string = randomUUID(),
): string {
  const script = scripts.get(name) ?? createScript();
  scripts.set(name, script);
  const version = { id: randomUUID(), etag, bindings: [], code: "", secrets: new Map(script.secrets) };
  script.versions.unshift(version);
  if (deployed) deployOnly(script, version);
  if (migrationTag !== undefined) script.migrationTag = migrationTag;
  return version.id;
}

function createScript(): Script {
  const versions: Version[] = [];
  return {
    get secrets() {
      return versions[0]?.secrets ?? new Map();
    },
    versions,
    deployments: [],
    migrationTag: undefined,
    crons: [],
    domains: [],
  };
}

function openZone(zones: FakeCloudflare["zones"], id: string): Zone {
  const zone = [...zones.values()].find((candidate) => candidate.id === id);
  if (!zone) throw new ApiError(404, 7003, "There is no such zone.");
  return zone;
}

function emailSendingRoutes({ zones }: Pick<FakeCloudflare, "zones">): Routes {
  const open = (id: string) => openZone(zones, id);
  return {
    "GET /zones": ({ query: parameters }): Pick<Zones.Zone, "id" | "name">[] =>
      [...zones].filter(([name]) => name === parameters.get("name")).map(([name, { id }]) => ({ id, name })),
    "GET /zones/:id/email/sending/subdomains": (_call, id): EmailSending.SubdomainListResponse[] => open(id!).sending,
    "POST /zones/:id/email/sending/subdomains": ({ body }, id): EmailSending.SubdomainListResponse => {
      const zone = open(id!);
      const name = String(body.name);
      const domain = { tag: randomUUID(), name, enabled: true };
      zone.sending.push(domain);
      zone.records.push(...sendingRecords(name));
      return domain;
    },
    "GET /zones/:id/email/sending/subdomains/:id/dns": (_call, id, tag): EmailRouting.DNSRecord[] =>
      sendingRecords(open(id!).sending.find((domain) => domain.tag === tag)?.name ?? ""),
    "GET /zones/:id/dns_records": ({ query: parameters }, id): DnsRecord[] =>
      open(id!).records.filter(
        ({ name, type }) =>
          name === (parameters.get("name.exact") ?? name) && type === (parameters.get("type") ?? type),
      ),
    "POST /zones/:id/dns_records": ({ body }, id): DnsRecord => {
      const record = body as unknown as DnsRecord;
      open(id!).records.push(record);
      return record;
    },
  };
}

function emailRoutingRoutes({ zones, mailboxes }: Pick<FakeCloudflare, "zones" | "mailboxes">): Routes {
  const open = (id: string) => openZone(zones, id);
  const settings = (id: string): EmailRouting.Settings => ({
    id,
    name: id.replace("zone-", ""),
    enabled: open(id).routing,
  });
  return {
    "GET ~/email/routing/addresses": (): EmailRouting.Address[] =>
      [...mailboxes].map(([email, confirmed]) => ({ email, ...(confirmed && { verified: "2026-11-22T00:00:00Z" }) })),
    "POST ~/email/routing/addresses": ({ body }): EmailRouting.Address => {
      const email = String(body.email);
      if (mailboxes.has(email)) throw new ApiError(409, 2032, "Duplicated address");
      mailboxes.set(email, false);
      return { email };
    },
    "GET /zones/:id/email/routing": (_call, id) => settings(id!),
    "POST /zones/:id/email/routing/dns": (_call, id) => {
      open(id!).routing = true;
      return settings(id!);
    },
    "GET /zones/:id/email/routing/rules": (_call, id): EmailRouting.EmailRoutingRule[] => open(id!).rules,
    "POST /zones/:id/email/routing/rules": ({ body }, id): EmailRouting.EmailRoutingRule => {
      open(id!).rules.push(body);
      return body;
    },
  };
}

/** The DNS records that Cloudflare requires of a sending domain. */
function sendingRecords(domain: string): (DnsRecord & EmailRouting.DNSRecord)[] {
  return [
    { type: "MX", name: `cf-bounce.${domain}`, content: "route1.mx.cloudflare.net" },
    { type: "TXT", name: `cf-bounce.${domain}`, content: '"v=spf1 include:_spf.mx.cloudflare.net ~all"' },
    { type: "TXT", name: `cf-bounce._domainkey.${domain}`, content: '"v=DKIM1; h=sha256; k=rsa; p=fake"' },
  ];
}
