import { DAY_MS } from "@lambda/contract/limits";
import { createD1 } from "@lambda/testing/d1";
import { createMember } from "@lambda/testing/member";
import type { Row } from "@lambda/testing/sql";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "./platform/env.ts";
import { EVERY_MINUTE, HOURLY, NIGHTLY, runSchedule } from "./schedule.ts";

let worker: TestWorker;
beforeEach(async () => {
  vi.stubGlobal("__DEVELOPMENT__", false);
  worker = await startWorker({ messageDatabases: 2 });
});
afterEach(() => vi.unstubAllGlobals());

/** Runs the schedule and returns the query plan of each statement it sent. */
async function explainRun(cron: string, now: number): Promise<{ query: string; detail: string }[]> {
  const plans: { query: string; detail: string }[] = [];
  const recording = (d1: D1Database) =>
    createD1(async (statements) => {
      for (const { query, values } of statements) {
        const { results } = await d1
          .prepare(`explain query plan ${query}`)
          .bind(...values)
          .all<{ detail: string }>();
        plans.push(...results.map(({ detail }) => ({ query, detail })));
      }
      return d1.batch<Row>(statements.map(({ query, values }) => d1.prepare(query).bind(...values)));
    });
  const { DB, MESSAGES_1, MESSAGES_2 } = worker.env;
  const env = Object.assign(Object.create(worker.env) as Env, {
    // What was written is announced to nobody.
    DB: Object.assign(recording(DB), { withSession: () => ({ prepare: DB.prepare, getBookmark: () => null }) }),
    MESSAGES_1: recording(MESSAGES_1!),
    MESSAGES_2: recording(MESSAGES_2!),
  });
  await runSchedule(cron, env, now);
  return plans;
}

/** Full scans that are allowed, each as the plan's line and a part of the statement. */
const ALLOWED_SCANS: readonly (readonly [RegExp, string])[] = [
  // Rows of a subquery that its own condition limits.
  [/^SCAN pair$/, "with recursive pair("],
  [/^SCAN [cm]$/, "from conversation where profile_id"],
  [/^SCAN [sgk]$/, "json_each"],
  [/^SCAN s$/, "picture_chat"],
  [/^SCAN s$/, 'as "members", max("s"."id")'],
  // Few rows, however many members: one per hold, per region of 32 degrees, per brand and country.
  [/^SCAN h$/, 'from "legal_hold"'],
  [/^SCAN (?:c|e|n|presence_count)$/, "INSERT INTO presence_count"],
  [/^SCAN explicit_share$/, 'delete from "explicit_share"'],
  // Only the last row, by its key.
  [/^SCAN public_entry$/, 'order by "seq" desc limit'],
  [/^SCAN audit_entry$/, 'order by "seq" desc limit'],
  // Copies of what open and recent cases are about: the others are deleted.
  [/^SCAN e$/, 'from "evidence" as "e" cross join "report"'],
  // All public pictures, once a night: laws require the share of explicit ones.
  [/^SCAN pic$/, 'as "explicit"'],
];

describe("the jobs of the schedule", () => {
  it.each([EVERY_MINUTE, HOURLY, NIGHTLY])("of %s scan no growing table", async (cron) => {
    const [deleted] = [await createMember(worker), await createMember(worker)];
    await worker.run({ query: "update account set ts_deleted = 1 where id = ?", values: [deleted!.id] });
    // A pair that the main database does not know of.
    await worker.run({ query: "insert into message_pair (low_id, high_id, version) values (1, 2, 1)", database: 2 });
    const plans = await explainRun(cron, Date.now() + 2 * DAY_MS);
    if (cron === EVERY_MINUTE) expect(plans.some(({ detail }) => detail.includes("message_pair_outdated"))).toBe(true);
    expect(plans.length).toBeGreaterThan(10);
    const scans = plans.filter(
      ({ query, detail }) =>
        /^SCAN (?!(?:\d+ )?CONSTANT|\d+-ROW VALUES|.*VIRTUAL TABLE|\(?subquery|.*USING (?:COVERING )?INDEX)/i.test(
          detail,
        ) && !ALLOWED_SCANS.some(([plan, part]) => plan.test(detail) && query.includes(part)),
    );
    expect(scans.map(({ query, detail }) => `${detail}: ${query.replace(/\s+/g, " ").slice(0, 300)}`)).toEqual([]);
  });
});
