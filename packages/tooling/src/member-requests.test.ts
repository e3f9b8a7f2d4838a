import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { memberInserter } from "@lambda/testing/members";
import { ROOT } from "@lambda/testing/site";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fulfil, type Request } from "./member-requests.ts";
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

/** One call is one transaction; its first statement's rows are the answer. */
const run: RunStatement = async (sql) => {
  if (/^SELECT/.test(sql)) return db.prepare(sql).all();
  db.exec(`BEGIN; ${sql}; COMMIT`);
  return [];
};
const ask = (request: Request, email: string, more: { to?: string; at?: number } = {}) =>
  fulfil({ request, email, ...more }, run);
const row = (sql: string) => ({ ...db.prepare(sql).get() });

it("an account goes to another mailbox, without the sessions of whoever has the old one", async () => {
  expect(await ask("find", "Old@Mail.test ")).toMatch(/^Account 1, joined .*, active\.$/);
  await ask("move", "old@mail.test", { to: "New@mail.test" });
  expect(row("SELECT email FROM account WHERE id = 1")).toEqual({ email: "new@mail.test" });
  expect(row("SELECT group_concat(account_id) AS left FROM session")).toEqual({ left: "2" });
  await expect(ask("move", "new@mail.test", { to: "other@mail.test" })).rejects.toThrow("an account of its own");
  await expect(ask("find", "old@mail.test")).rejects.toThrow("no account of");
});

it("a restriction hides and erases nothing, and can be lifted", async () => {
  await ask("restrict", "old@mail.test");
  expect(row("SELECT hidden, status FROM profile WHERE id = 1")).toEqual({ hidden: 1, status: "active" });
  expect(await ask("find", "old@mail.test")).toContain("active, hidden");
  await ask("lift", "old@mail.test");
  expect(row("SELECT sum(hidden) AS n FROM profile")).toEqual({ n: 0 });
});

it("a deletion is that of the member's own, as of when it was asked for", async () => {
  await ask("delete", "old@mail.test", { at: 1_700_000_000_000 });
  expect(row("SELECT ts_deleted FROM account WHERE id = 1")).toEqual({ ts_deleted: 1_700_000_000_000 });
  expect(row("SELECT status FROM profile WHERE id = 1")).toEqual({ status: "deleted" });
  expect(row("SELECT group_concat(account_id) AS left FROM session")).toEqual({ left: "2" });
  expect(row("SELECT ts_deleted FROM account WHERE id = 2")).toEqual({ ts_deleted: null });
  expect(await ask("find", "old@mail.test")).toContain("deleted 2023-11-14");
});

it("takes no address that is none, nor one that would end a string", async () => {
  for (const email of ["", "old", "a'; DELETE FROM account; --@mail.test", "x@y'.test"])
    await expect(ask("find", email), email).rejects.toThrow("is no mail address");
  await expect(ask("move", "old@mail.test", {})).rejects.toThrow("is no mail address");
});
