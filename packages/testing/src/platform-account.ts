/**
 * A stand-in of the platform's REST API: one account with databases, buckets, queues, a worker's versions and zones, as far as the
 * project's commands and wrangler ask for them. Shapes and numbers of errors are those that wrangler's own client reads.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { unstable_splitSqlQuery } from "wrangler";
import { Imports, type Ingest } from "./platform-import.ts";

export const STAND_IN_TOKEN = "stand-in-token";

interface Version {
  readonly id: string;
  readonly tag: string;
}

interface Deployment {
  readonly id: string;
  readonly created_on: string;
  readonly versions: readonly { readonly version_id: string; readonly percentage: number }[];
}

interface Script {
  secrets: Map<string, string>;
  versions: Version[];
  /** The newest first. */
  deployments: Deployment[];
  migrationTag: string | undefined;
  crons: readonly string[];
  domains: readonly string[];
}

interface SendingDomain {
  readonly tag: string;
  readonly name: string;
  readonly enabled: boolean;
}

interface Zone {
  readonly id: string;
  records: DnsRecord[];
  sending: SendingDomain[];
  routing: boolean;
  rules: unknown[];
}

export interface StandInDatabase {
  readonly name: string;
  readonly place: string;
  readonly sqlite: DatabaseSync;
  /** Whether it is read at copies of it. */
  replication: string;
}

export interface StandIn {
  /** For CLOUDFLARE_API_BASE_URL. */
  readonly base: string;
  readonly account: string;
  /** `METHOD /path`, in the order of their coming. */
  readonly requests: string[];
  readonly databases: Map<string, StandInDatabase>;
  /** By jurisdiction and name. */
  readonly buckets: Map<string, Map<string, Uint8Array>>;
  /** What an export of a database brings, by its id. */
  readonly dumps: Map<string, Uint8Array>;
  readonly queues: Set<string>;
  readonly scripts: Map<string, Script>;
  readonly zones: Map<string, Zone>;
  /** Mailboxes that letters may be led to: whether they confirmed it. */
  readonly mailboxes: Map<string, boolean>;
  /** Makes the next calls that fit fail with this status, before they do anything. */
  failNext(fits: RegExp, status: number, times?: number): void;
  /** As an upload by wrangler leaves it. */
  addVersion(script: string, deployed: boolean, migrationTag?: string): string;
  addZone(name: string): void;
  close(): Promise<void>;
}

export interface DnsRecord {
  readonly type: string;
  readonly name: string;
  readonly content: string;
}

class Refusal extends Error {
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

/** What a bench puts in the place of the databases in memory. */
export interface Engine {
  /** Answers each statement's rows. */
  readonly query?: (sql: string) => Promise<readonly object[][]>;
  readonly ingest?: Ingest;
}

export async function startStandIn(engine: Engine = {}): Promise<StandIn> {
  const account = "0123456789abcdef0123456789abcdef";
  const failures: { fits: RegExp; status: number; times: number }[] = [];
  const standIn: Omit<StandIn, "base" | "close"> = {
    account,
    requests: [],
    databases: new Map(),
    buckets: new Map(),
    dumps: new Map(),
    queues: new Set(),
    scripts: new Map(),
    zones: new Map(),
    mailboxes: new Map(),
    failNext: (fits, status, times = 1) => failures.push({ fits, status, times }),
    addVersion: (name, deployed, migrationTag) => addVersion(standIn.scripts, name, deployed, migrationTag),
    addZone: (name) =>
      standIn.zones.set(name, { id: `zone-${name}`, records: [], sending: [], routing: false, rules: [] }),
  };
  const ingest: Ingest = async (file, id) => standIn.databases.get(id)?.sqlite.exec(readFileSync(file, "utf8"));
  const imports = new Imports(engine.ingest ?? ingest);
  const routes = routesOf(standIn, engine, imports);

  const answer = (method: string, url: URL, call: Call): unknown => {
    const path = url.pathname.replace(/^\/client\/v4/, "");
    standIn.requests.push(`${method} ${path}`);
    if (call.headers.authorization !== `Bearer ${STAND_IN_TOKEN}`)
      throw new Refusal(401, 10000, "Authentication error");
    const failure = failures.find(({ fits, times }) => times > 0 && fits.test(`${method} ${path}`));
    if (failure) {
      failure.times -= 1;
      throw new Refusal(failure.status, 10001, "failed on purpose");
    }
    for (const [route, handler] of routes) {
      const match = route.exec(`${method} ${path}`);
      if (match) return handler(call, ...match.slice(1));
    }
    throw new Refusal(404, 7003, `no route for ${method} ${path}`);
  };

  const server = createServer(async (request, response) => {
    const [, upload] = /^\/upload\/(.+)$/.exec(request.url ?? "") ?? [];
    if (upload) {
      response.setHeader("etag", `"${await imports.receive(upload, request)}"`).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const url = new URL(request.url ?? "/", "http://stand-in");
    if (url.pathname.startsWith("/signed/")) {
      response.end(standIn.dumps.get(url.pathname.slice("/signed/".length)));
      return;
    }
    const call: Call = { query: url.searchParams, body: parse(raw), raw, headers: request.headers };
    let status = 200;
    let envelope: object;
    try {
      const result = await answer(request.method ?? "GET", url, call);
      // An object's bytes come as they are.
      if (result instanceof Uint8Array) return void response.end(result);
      const count = Array.isArray(result) ? result.length : 1;
      const info = { page: 1, per_page: 100, count, total_count: count, total_pages: 1 };
      envelope = {
        success: true,
        errors: [],
        messages: [],
        result,
        ...(Array.isArray(result) && { result_info: info }),
      };
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(400, 7500, String(error));
      status = refusal.status;
      envelope = {
        ...{ success: false, result: null, messages: [] },
        errors: [{ code: refusal.code, message: refusal.message }],
      };
    }
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(envelope));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(standIn, {
    base: `http://127.0.0.1:${port}/client/v4`,
    close: async () => {
      for (const { sqlite } of standIn.databases.values()) sqlite.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function parse(raw: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(raw.toString("utf8")) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function routesOf(it: Omit<StandIn, "base" | "close">, engine: Engine, imports: Imports): [RegExp, Handler][] {
  const below = (pattern: string) => new RegExp(pattern.replace("~", `/accounts/${it.account}`));
  return [
    [/^GET \/accounts$/, () => [{ id: it.account, name: "Stand-in" }]],
    ...databaseRoutes(it, below, engine, imports),
    ...storageRoutes(it, below),
    ...workerRoutes(it, below),
    ...sendingRoutes(it),
    ...letterRoutes(it, below),
  ];
}

type Below = (pattern: string) => RegExp;

function databaseRoutes(
  { databases }: Pick<StandIn, "databases">,
  below: Below,
  engine: Engine,
  imports: Imports,
): [RegExp, Handler][] {
  const open = (id: string) => {
    const database = databases.get(id);
    if (!database) throw new Refusal(404, 7404, `The database ${id} could not be found`);
    return database;
  };
  return [
    [
      below("^GET ~/d1/database$"),
      ({ query }) =>
        [...databases]
          .filter(([, { name }]) => name.includes(query.get("name") ?? ""))
          .map(([uuid, { name }]) => ({ uuid, name, version: "production" })),
    ],
    [
      below("^POST ~/d1/database$"),
      ({ body }) => {
        const name = String(body.name);
        if ([...databases.values()].some((database) => database.name === name)) {
          throw new Refusal(400, 7502, "A database with that name already exists");
        }
        const uuid = randomUUID();
        const place = String(body.jurisdiction ?? body.primary_location_hint ?? "");
        databases.set(uuid, { name, place, sqlite: new DatabaseSync(":memory:"), replication: "disabled" });
        return { uuid, name };
      },
    ],
    [
      below("^GET ~/d1/database/([\\w-]+)$"),
      (_call, asked) => {
        // By id, or by name.
        const uuid = [...databases].find(([id, { name }]) => id === asked || name === asked)?.[0] ?? "";
        const { name, replication } = open(uuid);
        return { uuid, name, read_replication: { mode: replication } };
      },
    ],
    [
      below("^PUT ~/d1/database/([\\w-]+)$"),
      ({ body }, id) => {
        const { mode } = body.read_replication as { mode: string };
        open(id!).replication = mode;
        return { uuid: id };
      },
    ],
    [
      below("^POST ~/d1/database/([\\w-]+)/export$"),
      ({ body, headers }, id) => {
        open(id!);
        if (body.current_bookmark === undefined) return { status: "active", at_bookmark: "bookmark", messages: [] };
        return {
          status: "complete",
          success: true,
          messages: [],
          result: { filename: "export.sql", signed_url: `http://${headers.host}/signed/${id}` },
        };
      },
    ],
    [
      below("^POST ~/d1/database/([\\w-]+)/query$"),
      async ({ body }, id) => {
        const { sqlite } = open(id!);
        if (!engine.query) return query(sqlite, String(body.sql));
        const meta = { duration: 0, size_after: 4096 };
        return (await engine.query(String(body.sql))).map((results) => ({ results, success: true, meta }));
      },
    ],
    [
      below("^POST ~/d1/database/([\\w-]+)/import$"),
      ({ body, headers }, id) => {
        open(id!);
        return imports.step(id!, body, headers.host ?? "");
      },
    ],
  ];
}

/** All or nothing, as one call of D1 is. */
function query(sqlite: DatabaseSync, sql: string): object[] {
  sqlite.exec("BEGIN");
  try {
    const answers = unstable_splitSqlQuery(sql).map((statement) => ({
      results: sqlite.prepare(statement).all(),
      success: true,
      meta: { duration: 0, size_after: 4096 },
    }));
    sqlite.exec("COMMIT");
    return answers;
  } catch (error) {
    sqlite.exec("ROLLBACK");
    throw new Refusal(400, 7500, error instanceof Error ? error.message : String(error));
  }
}

function storageRoutes({ buckets, queues }: Pick<StandIn, "buckets" | "queues">, below: Below): [RegExp, Handler][] {
  const key = ({ headers }: Call, name: string) => `${headers["cf-r2-jurisdiction"] ?? "default"}/${name}`;
  return [
    [
      below("^GET ~/r2/buckets/([\\w-]+)$"),
      (call, name) => {
        if (!buckets.has(key(call, name!))) throw new Refusal(404, 10006, "The specified bucket does not exist.");
        return { name };
      },
    ],
    [
      below("^POST ~/r2/buckets$"),
      (call) => {
        const name = key(call, String(call.body.name));
        if (buckets.has(name)) throw new Refusal(409, 10004, "The bucket you tried to create already exists.");
        buckets.set(name, new Map());
        return { name: call.body.name };
      },
    ],
    [
      below("^PUT ~/r2/buckets/([\\w-]+)/objects/(.+)$"),
      (call, name, object) => {
        const bucket = buckets.get(key(call, name!));
        if (!bucket) throw new Refusal(404, 10006, "The specified bucket does not exist.");
        bucket.set(decodeURIComponent(object!), new Uint8Array(call.raw));
        return {};
      },
    ],
    [
      below("^GET ~/r2/buckets/([\\w-]+)/objects/(.+)$"),
      (call, name, object) => {
        const found = buckets.get(key(call, name!))?.get(decodeURIComponent(object!));
        if (!found) throw new Refusal(404, 10007, "The specified key does not exist.");
        return found;
      },
    ],
    [
      below("^GET ~/queues$"),
      ({ query: asked }) => {
        const wanted = asked.getAll("name");
        return [...queues]
          .filter((name) => wanted.length === 0 || wanted.includes(name))
          .map((name) => ({ queue_name: name, queue_id: `id-of-${name}`, consumers: [], producers: [] }));
      },
    ],
    [below("^GET ~/queues/id-of-([\\w-]+)/consumers$"), () => []],
    [below("^POST ~/queues/id-of-([\\w-]+)/consumers$"), ({ body }) => body],
    [
      below("^POST ~/queues$"),
      ({ body }) => {
        const name = String(body.queue_name);
        if (queues.has(name)) throw new Refusal(409, 11009, "Queue name is already taken");
        queues.add(name);
        return { queue_name: name, queue_id: `id-of-${name}` };
      },
    ],
  ];
}

function workerRoutes({ scripts }: Pick<StandIn, "scripts">, below: Below): [RegExp, Handler][] {
  const open = (name: string) => {
    const script = scripts.get(name);
    if (!script) throw new Refusal(404, 10007, "This Worker does not exist on your account.");
    return script;
  };
  return [
    [
      below("^GET ~/workers/services/([\\w-]+)$"),
      (_call, name) => ({
        id: name,
        default_environment: { environment: "production", script: { migration_tag: open(name!).migrationTag } },
      }),
    ],
    [
      below("^GET ~/workers/scripts/([\\w-]+)/secrets$"),
      (_call, name) => [...open(name!).secrets.keys()].map((secret) => ({ name: secret, type: "secret_text" })),
    ],
    [
      below("^PUT ~/workers/scripts/([\\w-]+)/secrets$"),
      ({ body }, name) => {
        open(name!).secrets.set(String(body.name), String(body.text));
        return { name: body.name };
      },
    ],
    // Every file is there already.
    [below("^POST ~/workers/scripts/([\\w-]+)/assets-upload-session$"), () => ({ jwt: "stand-in", buckets: [] })],
    [below("^GET ~/workers/scripts/([\\w-]+)/settings$"), () => ({ bindings: [] })],
    [below("^PATCH ~/workers/scripts/([\\w-]+)/script-settings$"), ({ body }) => body],
    [below("^GET ~/workers/workers/([\\w-]+)$"), (_call, name) => ({ name, subdomain: {} })],
    [
      below("^POST ~/workers/scripts/([\\w-]+)/subdomain$"),
      ({ body }) => ({ enabled: body.enabled, previews_enabled: body.previews_enabled }),
    ],
    [below("^GET ~/workers/subdomain$"), () => ({ subdomain: "stand-in" })],
    [
      below("^POST ~/workers/scripts/([\\w-]+)/domains/changeset$"),
      () => ({ added: [], removed: [], updated: [], conflicting: [] }),
    ],
    [
      below("^PUT ~/workers/scripts/([\\w-]+)/domains/records$"),
      ({ body }, name) => {
        open(name!).domains = (body.origins as { hostname: string }[]).map(({ hostname }) => hostname);
        return [];
      },
    ],
    [
      below("^PUT ~/workers/scripts/([\\w-]+)/schedules$"),
      ({ raw }, name) => {
        open(name!).crons = (JSON.parse(raw.toString("utf8")) as { cron: string }[]).map(({ cron }) => cron);
        return { schedules: [] };
      },
    ],
    [
      below("^POST ~/workers/scripts/([\\w-]+)/versions$"),
      (_call, name) => ({
        id: addVersion(scripts, name!, false),
        startup_time_ms: 1,
        metadata: { has_preview: false },
      }),
    ],
    [
      below("^GET ~/workers/scripts/([\\w-]+)/deployments$"),
      (_call, name) => ({ deployments: open(name!).deployments }),
    ],
    [
      below("^POST ~/workers/scripts/([\\w-]+)/deployments$"),
      ({ body }, name) => {
        const script = open(name!);
        const versions = body.versions as Deployment["versions"];
        const sum = versions.reduce((all, { percentage }) => all + percentage, 0);
        if (sum !== 100 || versions.length > 2) throw new Refusal(400, 100146, "Versions must have 100 % together.");
        const unknown = versions.find(({ version_id }) => !script.versions.some(({ id }) => id === version_id));
        if (unknown) throw new Refusal(404, 10007, `There is no version ${unknown.version_id}`);
        script.deployments.unshift({ id: randomUUID(), created_on: new Date().toISOString(), versions });
        return { id: script.deployments[0]?.id };
      },
    ],
  ];
}

function addVersion(scripts: Map<string, Script>, name: string, deployed: boolean, migrationTag?: string): string {
  const script = scripts.get(name) ?? {
    ...{
      secrets: new Map<string, string>(),
      versions: [],
      deployments: [],
      migrationTag: undefined,
      crons: [],
      domains: [],
    },
  };
  scripts.set(name, script);
  const version = { id: randomUUID(), tag: "" };
  script.versions.unshift(version);
  if (deployed) {
    const versions = [{ version_id: version.id, percentage: 100 }];
    script.deployments.unshift({ id: randomUUID(), created_on: new Date().toISOString(), versions });
  }
  if (migrationTag !== undefined) script.migrationTag = migrationTag;
  return version.id;
}

function openZone(zones: StandIn["zones"], id: string): Zone {
  const zone = [...zones.values()].find((candidate) => candidate.id === id);
  if (!zone) throw new Refusal(404, 7003, "There is no such zone.");
  return zone;
}

function sendingRoutes({ zones }: Pick<StandIn, "zones">): [RegExp, Handler][] {
  const open = (id: string) => openZone(zones, id);
  return [
    [
      /^GET \/zones$/,
      ({ query: asked }) =>
        [...zones].filter(([name]) => name === asked.get("name")).map(([name, { id }]) => ({ id, name })),
    ],
    [/^GET \/zones\/([\w.-]+)\/email\/sending\/subdomains$/, (_call, id) => open(id!).sending],
    [
      /^POST \/zones\/([\w.-]+)\/email\/sending\/subdomains$/,
      ({ body }, id) => {
        const zone = open(id!);
        const name = String(body.name);
        const domain = { tag: randomUUID(), name, enabled: true };
        zone.sending.push(domain);
        zone.records.push(...sendingRecords(name));
        return domain;
      },
    ],
    [
      /^GET \/zones\/([\w.-]+)\/email\/sending\/subdomains\/([\w-]+)\/dns$/,
      (_call, id, tag) => sendingRecords(open(id!).sending.find((domain) => domain.tag === tag)?.name ?? ""),
    ],
    [
      /^GET \/zones\/([\w.-]+)\/dns_records$/,
      ({ query: asked }, id) =>
        open(id!).records.filter(
          ({ name, type }) => name === (asked.get("name") ?? name) && type === (asked.get("type") ?? type),
        ),
    ],
    [
      /^POST \/zones\/([\w.-]+)\/dns_records$/,
      ({ body }, id) => {
        const record = { type: String(body.type), name: String(body.name), content: String(body.content) };
        open(id!).records.push(record);
        return record;
      },
    ],
  ];
}

function letterRoutes({ zones, mailboxes }: Pick<StandIn, "zones" | "mailboxes">, below: Below): [RegExp, Handler][] {
  const open = (id: string) => openZone(zones, id);
  return [
    [
      below("^GET ~/email/routing/addresses$"),
      () =>
        [...mailboxes].map(([email, confirmed]) => ({ email, verified: confirmed ? "2026-11-22T00:00:00Z" : null })),
    ],
    [
      below("^POST ~/email/routing/addresses$"),
      ({ body }) => {
        const email = String(body.email);
        if (mailboxes.has(email)) throw new Refusal(409, 2032, "Duplicated address");
        mailboxes.set(email, false);
        return { email };
      },
    ],
    [/^GET \/zones\/([\w.-]+)\/email\/routing$/, (_call, id) => ({ enabled: open(id!).routing })],
    [
      /^POST \/zones\/([\w.-]+)\/email\/routing\/enable$/,
      (_call, id) => {
        open(id!).routing = true;
        return { enabled: true };
      },
    ],
    [/^GET \/zones\/([\w.-]+)\/email\/routing\/rules$/, (_call, id) => open(id!).rules],
    [
      /^POST \/zones\/([\w.-]+)\/email\/routing\/rules$/,
      ({ body }, id) => {
        open(id!).rules.push(body);
        return body;
      },
    ],
  ];
}

/** What onboarding asks for. */
function sendingRecords(domain: string): DnsRecord[] {
  return [
    { type: "MX", name: `cf-bounce.${domain}`, content: "route1.mx.cloudflare.net" },
    { type: "TXT", name: `cf-bounce.${domain}`, content: '"v=spf1 include:_spf.mx.cloudflare.net ~all"' },
    { type: "TXT", name: `cf-bounce._domainkey.${domain}`, content: '"v=DKIM1; h=sha256; k=rsa; p=stand-in"' },
  ];
}
