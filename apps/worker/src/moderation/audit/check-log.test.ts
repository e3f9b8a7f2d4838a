/** Somebody with database access rewrites the log of staff's acts. */
import { DAY_MS, HOUR_MS } from "@lambda/contract/limits";
import { createMember, type TestMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openDatabase } from "../../platform/db/database.ts";
import { sha256 } from "../../platform/hash.ts";
import { checkLog } from "./check-log.ts";

const NOW = Date.UTC(2026, 10, 22, 1);

let worker: TestWorker;
let admin: TestMember;
let subject: TestMember;
let triggers: { readonly name: string; readonly sql: string }[];
beforeEach(async () => {
  worker = await startWorker();
  admin = await createMember(worker, { adminBrand: "ember" });
  subject = await createMember(worker);
  for (const reason of ["The first", "The second", "The third"]) await warn(reason);
  const [found] = await run(
    "select name, sql from sqlite_schema where type = 'trigger' and tbl_name in ('audit_entry', 'public_entry')",
  );
  triggers = found as typeof triggers;
  for (const { name } of triggers) await run(`drop trigger ${name}`);
});
afterEach(async () => {
  for (const { sql } of triggers) await run(sql);
});

async function warn(reason: string): Promise<void> {
  const action = { subjectProfileId: subject.id, kind: "warn", rule: "spam", reason };
  expect((await admin.send("POST", "/api/admin/action", action)).status).toBe(201);
}

const run = (query: string, ...values: (string | number)[]) => worker.run({ query, values });
const check = (at = NOW) => checkLog(worker.env, openDatabase(worker.env.DB), at);
const kept = async () => (await worker.env.BACKUPS.list({ prefix: "log/before-" })).objects.length;

/** As somebody does who has read the source: a lie in an entry, and every hash from there on made anew. */
async function rewrite(table: "audit_entry" | "public_entry"): Promise<void> {
  const [rows] = await run(`select seq, body, hash from ${table} order by seq`);
  let previous = "0".repeat(64);
  for (const { seq, body } of rows as { seq: number; body: string }[]) {
    const text = body.replace("spam", "scam");
    const hash = await sha256(`${previous}\n${text}`);
    await run(`update ${table} set body = ?, previous_hash = ?, hash = ? where seq = ?`, text, previous, hash, seq);
    previous = hash;
  }
}

async function cutTail(): Promise<void> {
  for (const table of ["public_entry", "audit_private", "audit_entry"]) await run(`delete from ${table} where seq > 2`);
}

it("says nothing of a log that only grows, also when its members and admins are deleted", async () => {
  await check();
  await warn("One more");
  await check(NOW + HOUR_MS);
  await run("delete from account where id in (?, ?)", subject.id, admin.id);
  for (const days of [1, 2]) await check(NOW + days * DAY_MS);
  expect(await kept()).toBe(0);
});

it.each<[string, string, () => Promise<unknown>]>([
  ["an entry is changed", "public_entry 2", () => run("update public_entry set body = replace(body, 'spam', 'scam')")],
  [
    "the public figures are",
    "public_entry 2",
    () => run("update public_entry set action = 'action.ban' where seq = 2"),
  ],
  ["the time of an act is", "audit_entry 2", () => run("update audit_entry set ts = ts - ? where seq = 2", 9 * DAY_MS)],
  [
    "another admin is named",
    "audit_entry 2",
    () => run("update audit_private set actor_id = subject_id where seq = 2"),
  ],
  ["another reason is", "audit_entry 2", () => run("update audit_private set details = replace(details, 'The', 'No')")],
  ["every hash is made anew", "audit_entry", () => rewrite("audit_entry")],
  ["every public hash is made anew", "public_entry", () => rewrite("public_entry")],
  ["the end is cut off", "audit_entry", cutTail],
  [
    "the end is cut off and others follow",
    "audit_entry",
    async () => {
      await cutTail();
      for (const reason of ["One", "Two", "Three"]) await warn(reason);
    },
  ],
])("is an alert that names the entry when %s", async (_, named, attack) => {
  await check();
  await attack();
  await expect(check(NOW + DAY_MS)).rejects.toThrow(named);
  // What the bucket remembered is kept.
  expect(await kept()).toBe(1);
});

it("goes on from a log that a restore took back, after one alert", async () => {
  await check();
  await cutTail();
  await expect(check(NOW + HOUR_MS)).rejects.toThrow("audit_entry");
  await warn("After the restore");
  for (const hours of [2, 3, 30]) await check(NOW + hours * HOUR_MS);
});
