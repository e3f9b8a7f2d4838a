import { MINUTE_MS } from "@lambda/contract/limits";
import { WORKER_NAME } from "@lambda/testing/harness";
import { createMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, expect, it, vi } from "vitest";
import type { Env } from "./platform/env.ts";
import { EVERY_MINUTE, runSchedule } from "./schedule.ts";

/** What a minute costs on a site where nothing happens, of which a month has 43,200. */
const IDLE_QUERIES_MAX = 35;
const MINUTE = 1_800_000_060_000;

// As in production, which has nine regions.
vi.stubGlobal("__DEVELOPMENT__", false);

let worker: TestWorker;
let calls: string[];
let queries: number;
let env: Env;
beforeEach(async () => {
  worker = await startWorker({ messageDatabases: 0 });
  [calls, queries] = [[], 0];
  // The faster databases of tests do not say how many rows a statement wrote.
  env = counting(await worker.miniflare.getBindings<Env>(WORKER_NAME));
});

/** The bindings, with each call of an object and each query noted. */
function counting(bindings: Env): Env {
  const stub = (name: string) =>
    new Proxy({}, { get: (_target, method) => async () => void calls.push(`${name}.${String(method)}`) });
  const namespaces = [
    "RATE_LIMITER",
    "MEMBER",
    "AREA",
    "METRICS",
    "WATERMARK",
    "SAFE_MEET",
    "SQUARE",
    "PICTURE_RIGHTS",
  ];
  const noted = Object.fromEntries(
    namespaces.map((name) => [name, { getByName: () => stub(name), idFromName: () => name, get: () => stub(name) }]),
  );
  const { DB } = bindings;
  const note = (added: number) => {
    queries += added;
  };
  const d1 = {
    ...DB,
    prepare: (sql: string) => {
      note(1);
      return DB.prepare(sql);
    },
    batch: (statements: D1PreparedStatement[]) => DB.batch(statements),
    withSession: () => ({
      prepare: (sql: string) => d1.prepare(sql),
      batch: DB.batch.bind(DB),
      getBookmark: () => "0",
    }),
  };
  return Object.assign(Object.create(bindings) as Env, noted, { DB: d1 });
}

async function runMinute(at: number): Promise<void> {
  vi.useFakeTimers({ now: at, toFake: ["Date"] });
  try {
    await runSchedule(EVERY_MINUTE, env, at);
  } finally {
    vi.useRealTimers();
  }
}

it("calls no object in an idle minute, tells the metrics every fifth, and asks the database little", async () => {
  await createMember(worker);
  await runMinute(MINUTE);
  [calls, queries] = [[], 0];
  for (let minute = 1; minute <= 5; minute += 1) await runMinute(MINUTE + minute * MINUTE_MS);
  expect(calls).toEqual(["METRICS.tick"]);
  expect(queries / 5).toBeLessThanOrEqual(IDLE_QUERIES_MAX);
});

it("tells every region of what a job wrote, and the metrics at once", async () => {
  const { id } = await createMember(worker);
  await runMinute(MINUTE);
  calls = [];
  await worker.run({
    query:
      "insert into login_code (code_hash, purpose, email, account_id, brand, ts_expires) values (x'01', 'login', 'a', ?, 'ember', 1)",
    values: [id],
  });
  await runMinute(MINUTE + MINUTE_MS);
  expect(calls.filter((call) => call === "WATERMARK.recordWrite")).toHaveLength(9);
  expect(calls).toContain("METRICS.tick");
});
