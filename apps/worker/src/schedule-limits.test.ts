/**
 * Each schedule, with more due than one run can do, under the limits of the platform for one invocation, which the local runtime does not
 * enforce. Statement length and bound values it does.
 *
 * @module-tag slow
 */
import { createD1 } from "@lambda/testing/d1";
import { padAutoincrement, seedMembers } from "@lambda/testing/seeded-community";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Env } from "./platform/env.ts";
import { EVERY_MINUTE, HOURLY, NIGHTLY, runSchedule } from "./schedule.ts";

/** developers.cloudflare.com/d1/platform/limits: "Queries per Worker invocation". */
const QUERIES_MAX = 1000;
/** developers.cloudflare.com/workers/platform/limits: "Subrequests" of a paid account. */
const CALLS_MAX = 10_000;
const MEMBERS = 5000;
/** Told of changes, a call each. Their answers are not needed, so that nobody waits for thousands of them. */
const TOLD = ["MEMBER", "AREA", "SQUARE", "PICTURE_RIGHTS", "WATERMARK"];
const BUCKETS = ["PICTURES", "TILES", "BACKUPS"];

let worker: TestWorker;
let used: { queries: number; calls: number };
beforeAll(async () => {
  vi.stubGlobal("__DEVELOPMENT__", false);
  worker = await startWorker();
  await padAutoincrement(worker.run);
  await seedMembers(worker.run, 0, MEMBERS);
  await worker.run(
    // Members who live apart, each in a square of its own.
    { query: "update position set pending_cell = 2, ts_published = 1 where profile_id % 2 = 0" },
    { query: "update position set ts_effective_until = 1 where profile_id % 2 = 1" },
    { query: "update message set unsend_due = 1, ts_sender_deleted = 1 where recipient_id is not null" },
    { query: "update account set ts_deleted = 1 where id % 5 = 0" },
  );
});
afterAll(() => vi.unstubAllGlobals());

const count = () => {
  used.calls += 1;
  return Promise.resolve(undefined);
};

function countedEnv(): Env {
  const DB = createD1(async (statements) => {
    used.queries += 1;
    const rows = await worker.run(...(statements as Parameters<typeof worker.run>));
    return rows.map((results) => ({ results }));
  });
  const withSession = () => ({ prepare: worker.env.DB.prepare, getBookmark: () => null });
  const stub = new Proxy({}, { get: (_, name) => (name === "then" ? undefined : count) });
  const bindings = worker.env as unknown as Record<string, Record<string | symbol, unknown>>;
  const counted = (bucket: Record<string | symbol, unknown>) =>
    new Proxy(bucket, {
      get: (target, name) => {
        const call = target[name];
        if (typeof call !== "function") return call;
        return (...args: unknown[]) => {
          void count();
          return Reflect.apply(call, target, args);
        };
      },
    });
  return Object.assign(Object.create(worker.env) as Env, {
    ...Object.fromEntries(TOLD.map((name) => [name, { getByName: () => stub }])),
    ...Object.fromEntries(BUCKETS.map((name) => [name, counted(bindings[name]!)])),
    DB: Object.assign(DB, { withSession }),
  });
}

it.each([
  ["minute", EVERY_MINUTE],
  ["hour", HOURLY],
  ["night", NIGHTLY],
])("the jobs of each %s stay within an invocation's calls, whatever is due", { timeout: 240_000 }, async (_, cron) => {
  used = { queries: 0, calls: 0 };
  // A job that needs an object's answer fails, and the others go on.
  await runSchedule(cron, countedEnv(), Date.now()).catch(() => undefined);
  expect(used.queries).toBeGreaterThan(10);
  expect(used.queries).toBeLessThanOrEqual(QUERIES_MAX);
  expect(used.calls).toBeGreaterThan(10);
  expect(used.calls).toBeLessThanOrEqual(CALLS_MAX);
});
