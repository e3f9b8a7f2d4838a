/**
 * Processor time of the whole runtime for the calls that members make most: that of a bare worker in the same runtime and on the same
 * database, divided by ours. The bare one is Hono with a ping, one indexed SELECT of 30 rows, or one INSERT. The floor is what any worker
 * of this kind spends: one call to an object, the session, a page or a message's rows, and JSON. Rounds alternate. The worker is built for
 * production, with every limit and quota on. Linux only.
 */
import { globSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { getBrand } from "@lambda/brands";
import { type RunningHarness, startHarness, WORKER_NAME, workerWith } from "@lambda/testing/harness";
import { insertSessions, memberStatements } from "@lambda/testing/members";
import { createTables, oneLine } from "@lambda/testing/schema";
import type { Row, RunSql, Statement } from "@lambda/testing/sql";
import { type BenchOptions, printLine, quantile, round } from "./figures.ts";
import { Population } from "./population.ts";

const MEMBERS = 2000;
const ROUNDS = 9;
const REQUESTS_PER_ROUND = 150;
const PARALLEL = 8;
/** Rounds before those that are measured, until the runtime has compiled what runs often. */
const WARM_UP_ROUNDS = 3;
/** Members who call, each with as many conversations as the others are. */
const CALLERS = 31;
const MESSAGES_PER_PAIR = 30;
const READ_GOAL = 0.8;
const SEND_GOAL = 0.4;
const BRAND = getBrand("ember");
const ORIGIN = `https://${BRAND.hosts[0]}`;
/** What a deployment needs; nobody here takes pushes. */
const KEYS = { SITE_KEY: "site", HOLD_KEY: "hold", VAPID_PUBLIC_KEY: "unused", VAPID_PRIVATE_KEY: "unused" };

interface Route {
  readonly name: string;
  /** The bare route that it is compared with, and the floor of its kind. */
  readonly bare: "/ping" | "/select" | "/insert";
  readonly floor?: "/floor/select" | "/floor/insert";
  readonly path: (caller: number, other: number) => string;
  readonly body?: (other: number) => object;
}

const ROUTES: readonly Route[] = [
  { name: "ping", bare: "/ping", path: () => "/api/ping" },
  {
    name: "nearest",
    bare: "/select",
    floor: "/floor/select",
    path: () => "/api/profile-briefs/nearest?page=0&size=30",
  },
  {
    name: "tiles",
    bare: "/select",
    floor: "/floor/select",
    path: () => "/api/profile-briefs/nearest?page=0&size=30&hasPicture=true",
  },
  { name: "profile", bare: "/select", floor: "/floor/select", path: (_, other) => `/api/profile/${other}` },
  { name: "conversations", bare: "/select", floor: "/floor/select", path: () => "/api/conversations" },
  {
    name: "history",
    bare: "/select",
    floor: "/floor/select",
    path: (caller, other) => `/api/messages/between/${caller}/${other}`,
  },
  {
    name: "send",
    bare: "/insert",
    floor: "/floor/insert",
    path: () => "/api/message",
    body: (other) => ({ recipientProfileId: other, bodyText: "Good evening", clientId: crypto.randomUUID() }),
  },
];

export async function run({ members = MEMBERS, requests = REQUESTS_PER_ROUND }: BenchOptions): Promise<void> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "bench-bare-"));
  const configPath = join(folder.path, "bare.toml");
  const main = fileURLToPath(import.meta.resolve("./throughput/bare-worker.ts"));
  const databaseId = "00000000-0000-0000-0000-000000000000";
  writeFileSync(
    configPath,
    `name = "bare"\nmain = ${JSON.stringify(main)}\ncompatibility_date = "2026-10-01"
[[d1_databases]]\nbinding = "DB"\ndatabase_name = "lambda"\ndatabase_id = "${databaseId}"
[[durable_objects.bindings]]\nname = "FLOOR"\nclass_name = "Floor"\n[[migrations]]\ntag = "v1"\nnew_sqlite_classes = ["Floor"]\n`,
  );
  const { bundle: _development, ...worker } = workerWith(0);
  await using site = await startHarness([{ ...worker, env: "production", vars: KEYS }, { configPath }]);
  const d1 = await site.miniflare.getD1Database("DB", WORKER_NAME);
  const run: RunSql = async (...statements) => {
    const prepared = statements.map(({ query, values = [] }) => d1.prepare(oneLine(query)).bind(...values));
    return (await d1.batch<Row>(prepared)).map(({ results }) => results);
  };
  await fill(run, Math.max(members, CALLERS));
  // Builds the density of members, as every hour.
  const { scheduled } = await site.miniflare.getWorker(WORKER_NAME);
  await scheduled({ cron: "7 * * * *", scheduledTime: new Date() });
  const callers = Array.from({ length: CALLERS }, (_, index) => index + 1);
  const cookies = (await insertSessions(run, callers)).map((token) => `__Host-session=${token}`);
  const shares = new Map<string, { ours: number[]; floor: number[] }>();
  for (let number = 0; number < WARM_UP_ROUNDS + ROUNDS; number += 1) {
    for (const { name, bare, floor, path, body } of ROUTES) {
      const ours = await measure(requests, (turn) => {
        const caller = (turn % CALLERS) + 1;
        const other = ((turn + 1) % CALLERS) + 1;
        // Visitors from many networks, since one is limited to 2,400 calls a minute.
        const from: Record<string, string> =
          name === "ping" ? { "cf-connecting-ip": `192.0.2.${turn % 256}` } : { cookie: cookies[caller - 1]! };
        const headers = { "content-type": "application/json", ...from };
        return call(site, `${ORIGIN}${path(caller, other)}`, headers, body?.(other));
      });
      const spendOn = (route: string) =>
        measure(requests, (turn) =>
          call(
            site,
            `${route}?caller=${(turn % CALLERS) + 1}`,
            { "mf-route-override": `${WORKER_NAME}-1` },
            body && { text: "Good evening" },
          ),
        );
      const theirs = await spendOn(bare);
      const least = floor && (await spendOn(floor));
      if (number < WARM_UP_ROUNDS) continue;
      const share = shares.get(name) ?? { ours: [], floor: [] };
      shares.set(name, share);
      share.ours.push(theirs / ours);
      if (least) share.floor.push(theirs / least);
    }
    process.stderr.write(`round ${number + 1} of ${WARM_UP_ROUNDS + ROUNDS}\n`);
  }
  for (const { name, bare } of ROUTES) {
    const { ours = [], floor = [] } = shares.get(name) ?? {};
    const goal = name === "send" ? SEND_GOAL : READ_GOAL;
    const [low, ratio, high] = [0.1, 0.5, 0.9].map((part) => round(quantile(ours, part)));
    const least = floor.length > 0 ? `; floor ${round(quantile(floor, 0.5))}` : "";
    printLine(
      name,
      `a bare ${bare} over ours ${ratio} (${low} to ${high}${least}; goal ${goal}) ${ratio! >= goal ? "met" : "MISSED"}`,
    );
  }
}

/** Processor time of a request in milliseconds, with eight requests at a time. */
async function measure(requests: number, send: (turn: number) => Promise<void>): Promise<number> {
  let sent = 0;
  const before = runtimeMs();
  const lane = async () => {
    while (sent < requests) await send(sent++);
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
  return (runtimeMs() - before) / requests;
}

/** What the runtimes that this process has started have spent so far, in milliseconds: the sum of their threads, which the kernel counts in nanoseconds. */
function runtimeMs(): number {
  const counts = globSync("/proc/[0-9]*/stat")
    .filter((path) => {
      const [, name, parent] = /^\d+ \((.*)\) \S (\d+) /.exec(read(path)) ?? [];
      return name === "workerd" && Number(parent) === process.pid;
    })
    .flatMap((path) =>
      globSync(path.replace(/stat$/, "task/*/schedstat")).map((thread) => Number.parseInt(read(thread), 10)),
    );
  return counts.reduce((sum, count) => sum + (count || 0), 0) / 1e6;
}

/** Empty for a process or thread that has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

async function call(site: RunningHarness, path: string, headers: Record<string, string>, body?: object): Promise<void> {
  const response = await site.fetch(path, {
    headers: { origin: ORIGIN, ...headers },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${text}`);
}

/** Creates members, the first of whom have conversations with each other. */
async function fill(run: RunSql, members: number): Promise<void> {
  await createTables(run);
  await run({ query: "create table bare (id integer primary key, text text not null)" });
  const now = Date.now();
  const list = [...new Population().members(members)];
  const positions = list.map(({ id, cell, key }) => [id, cell, key]);
  const statements: Statement[] = [
    ...memberStatements(
      ...list.map(({ id, hasPicture }) => ({ id, characteristics: 5, pictures: hasPicture ? [id] : [] })),
    ),
    {
      query: `insert into position (profile_id, use, precision, cell, key, ts_published, ts_effective_until)
        select value ->> 0, 'DEVICE_GPS', 'street', value ->> 1, value ->> 2, ?2, ?2 + 90000000 from json_each(?1)`,
      values: [JSON.stringify(positions), now],
    },
    {
      query: `insert into picture (id, profile_id, audience, width, height, bytes, ts_created, ts_updated)
        select id, id, 'public', 900, 1200, 90000, ?1, ?1 from profile where pics_public <> '[]'`,
      values: [now],
    },
    {
      query: `with member(id) as (select id from profile where id <= ?1), turn(n) as (select id from profile where id <= ?2)
        insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
        select a.id, b.id, min(a.id, b.id), max(a.id, b.id), 'bench-' || n || '-' || b.id, 'Good evening', 'ember', ?3
        from turn, member a join member b on b.id <> a.id order by n`,
      values: [CALLERS, MESSAGES_PER_PAIR / 2, now],
    },
    {
      query: `insert into conversation (profile_id, other_id, last_message_id)
        select sender_id, recipient_id, max(id) from message group by low_id, high_id, sender_id`,
    },
    {
      query: "insert into opening_step (brand, step, ts_done) values (?, 'open', ?)",
      values: [BRAND.id, now],
    },
  ];
  await run(...statements);
}
