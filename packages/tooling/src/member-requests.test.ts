import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { memberInserter } from "@lambda/testing/members";
import { ROOT } from "@lambda/testing/site";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fulfillRequest, type MemberRequest } from "./member-requests.ts";
import type { RunStatement } from "./migration.ts";

let db: DatabaseSync;
beforeEach(() => {
  db = new DatabaseSync(":memory:");
  db.exec(readFileSync(join(ROOT, "schema.sql"), "utf8"));
  const insert = memberInserter(db);
  insert({ id: 1, email: "old@mail.test" });
  insert({ id: 2, email: "other@mail.test" });
  db.exec(`INSERT INTO session (token_hash, account_id, brand, device_label, ts_created, ts_last_used, ts_expires)
    VALUES (x'01', 1, 'ember', 'Phone', 1, 1, 9e15), (x'02', 2, 'ember', 'Phone', 1, 1, 9e15)`);
});
afterEach(() => db.close());

/** Runs each call in one transaction, and returns the rows of a SELECT. */
const run: RunStatement = async (sql) => {
  if (/^SELECT/.test(sql)) return db.prepare(sql).all();
  db.exec(`BEGIN; ${sql}; COMMIT`);
  return [];
};
const handle = (request: MemberRequest, email: string, more: { to?: string; at?: number } = {}) =>
  fulfillRequest({ request, email, ...more }, run);
const row = (sql: string) => ({ ...db.prepare(sql).get() });

it("moves an account to another email address and ends its sessions", async () => {
  expect(await handle("find", "Old@Mail.test ")).toMatch(/^Account 1, joined .*, active\.$/);
  await handle("move", "old@mail.test", { to: "New@mail.test" });
  expect(row("SELECT email FROM account WHERE id = 1")).toEqual({ email: "new@mail.test" });
  expect(row("SELECT group_concat(account_id) AS left FROM session")).toEqual({ left: "2" });
  await expect(handle("move", "new@mail.test", { to: "other@mail.test" })).rejects.toThrow("an account of its own");
  await expect(handle("find", "old@mail.test")).rejects.toThrow("no account of");
});

it("finds and moves an account by any spelling of its mailbox, and asks which one if it has several", async () => {
  await handle("move", "old@mail.test", { to: "o'neill@münchen.example" });
  expect(await handle("find", "O'Neill+tag@xn--mnchen-3ya.example")).toMatch(/^Account 1,/);
  await expect(handle("move", "other@mail.test", { to: "o'neill@xn--mnchen-3ya.example" })).rejects.toThrow(
    "of its own",
  );
  await handle("move", "o'neill@münchen.example", { to: "o'neill@xn--mnchen-3ya.example" });
  expect(row("SELECT email FROM account WHERE id = 1")).toEqual({ email: "o'neill@xn--mnchen-3ya.example" });
  db.exec("UPDATE account SET mailbox = 'o''neill@xn--mnchen-3ya.example'");
  await expect(handle("delete", "o'neill@münchen.example")).rejects.toThrow(
    "Name one: o'neill@xn--mnchen-3ya.example, ",
  );
  expect(await handle("find", "other@mail.test")).toMatch(/^Account 2,/);
});

it("restricts an account without erasing anything, and lifts that alone, whatever its owner chose before or meanwhile", async () => {
  const isHidden = () => row("SELECT hidden FROM profile WHERE id = 1").hidden;
  const hide = (hidden: 0 | 1) => db.exec(`UPDATE profile SET hidden = ${hidden} WHERE id = 1`);
  for (const [before, meanwhile, after] of [
    [0, undefined, 0],
    [1, undefined, 1],
    [1, 0, 0],
  ] as const) {
    hide(before);
    for (let twice = 0; twice < 2; twice += 1) await handle("restrict", "old@mail.test");
    expect(await handle("find", "old@mail.test")).toMatch(before ? "active, hidden, restricted" : "active, restricted");
    if (meanwhile !== undefined) hide(meanwhile);
    expect(isHidden()).toBe(1);
    for (let twice = 0; twice < 2; twice += 1) await handle("lift", "old@mail.test");
    expect(isHidden()).toBe(after);
  }
  expect(row("SELECT sum(listed_on <> 0) AS listed, max(status) AS status FROM profile")).toEqual({
    listed: 2,
    status: "active",
  });
});

it("deletes an account like its owner would, as of the time of the request", async () => {
  await handle("delete", "old@mail.test", { at: 1_700_000_000_000 });
  expect(row("SELECT ts_deleted FROM account WHERE id = 1")).toEqual({ ts_deleted: 1_700_000_000_000 });
  expect(row("SELECT status FROM profile WHERE id = 1")).toEqual({ status: "deleted" });
  expect(row("SELECT group_concat(account_id) AS left FROM session")).toEqual({ left: "2" });
  expect(row("SELECT ts_deleted FROM account WHERE id = 2")).toEqual({ ts_deleted: null });
  expect(await handle("find", "old@mail.test")).toContain("deleted 2023-11-14");
});

it("rejects invalid addresses and SQL injection", async () => {
  for (const email of ["", "old", "a'; DELETE FROM account; --@mail.test", '"a b"@mail.test'])
    await expect(handle("find", email), email).rejects.toThrow("is no mail address");
  await expect(handle("find", "x'or'1'='1@mail.test")).rejects.toThrow("There is no account of");
  await expect(handle("move", "old@mail.test", {})).rejects.toThrow("is no mail address");
});
