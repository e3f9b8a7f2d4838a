/**
 * Proof that no case was left out, without telling that one is open: at its end each day's cases are committed to by one
 * salted hash, and a month later, when all of them are decided, the commitment is opened.
 */
import { AUDIT_DAY_OPENED_AFTER_MS, DAY_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import { batch, type Compiled } from "../../platform/db/batch.ts";
import { itemsOf } from "../../platform/db/d1.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { randomHex, sha256 } from "../../platform/hash.ts";
import { clockContext } from "../../social/notifications/clock-context.ts";
import { withAudit } from "../audit/log.ts";
import { appendPublicQueries } from "../audit/public-chain.ts";

/** Run by schedule: commits to each day that is over; a day without a case looks like any other. */
export async function commitDays(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const firstFiled = sql`(select min(ts) / ${sql.lit(DAY_MS)} from audit_entry where action = 'report.filed')`;
  const { next } = await db
    .selectNoFrom(sql<number | null>`coalesce((select max(day) + 1 from audit_day), ${firstFiled})`.as("next"))
    .executeTakeFirstOrThrow();
  const today = Math.floor(now / DAY_MS);
  for (let day = Math.floor(next ?? today - 1); day < today; day += 1) {
    const filed = await db
      .selectFrom("audit_entry")
      .select("hash")
      .where("action", "=", "report.filed")
      .where("ts", ">=", day * DAY_MS)
      .where("ts", "<", (day + 1) * DAY_MS)
      .orderBy("hash")
      .execute();
    const salt = randomHex(16);
    const cases = JSON.stringify(filed.map((entry) => entry.hash));
    const commitment = await sha256(`${salt}\n${cases}`);
    await append(env, day, "day.committed", { commitment }, now, [
      db.insertInto("audit_day").values({ day, salt, cases }).compile(),
    ]);
  }
}

/** Run by schedule: opens the days of which every case is decided, or gone with its member. */
export async function openDays(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const due = await db
    .selectFrom("audit_day")
    .select(["day", "salt", "cases"])
    .where("opened", "=", sql.lit(0))
    .where("day", "<", Math.floor((now - AUDIT_DAY_OPENED_AFTER_MS) / DAY_MS))
    .orderBy("day")
    .limit(100)
    .execute();
  for (const { day, salt, cases } of due) {
    const hashes = JSON.parse(cases) as string[];
    await closeGoneCases(env, hashes, now);
    const { open } = await unpublished(db, hashes)
      .select(({ fn }) => fn.countAll<number>().as("open"))
      .executeTakeFirstOrThrow();
    if (open > 0) continue;
    const listed = hashes.join(" ");
    await append(env, day, "day.opened", { salt, cases: listed }, now, [
      db.updateTable("audit_day").set({ opened: 1 }).where("day", "=", day).compile(),
    ]);
  }
}

/** Of these entries of the chain `e`, those that no public entry tells. */
function unpublished(db: Database, hashes: readonly string[]) {
  return db
    .selectFrom(itemsOf(hashes, "c"))
    .innerJoin("audit_entry as e", "e.hash", "c.value")
    .where(sql<boolean>`not exists (select 1 from public_entry x where x.entry_seq = e.seq)`);
}

/** A case that went with its member's account will never be decided: it is published as that. */
async function closeGoneCases(env: Env, hashes: readonly string[], now: number): Promise<void> {
  const rows = await unpublished(openDatabase(env.DB), hashes)
    .select(["e.brand", "e.case_ref"])
    .where(sql<boolean>`not exists (select 1 from report r where r.case_ref = e.case_ref)`)
    .execute();
  for (const { brand, case_ref: caseRef } of rows) {
    const details = { because: "account deleted" };
    await withAudit(
      clockContext(env, brand, now),
      [],
      [{ brand, action: "report.closed", by: "clock", caseRef, details }],
    );
  }
}

async function append(
  env: Env,
  day: number,
  action: string,
  details: Record<string, string>,
  now: number,
  extras: readonly Compiled[],
): Promise<void> {
  const db = openDatabase(env.DB);
  const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
  const entry = { entrySeq: null, brand: "*", action, caseRef: null, by: "clock", private: "" } as const;
  await batch(env.DB, [
    ...extras,
    ...(await appendPublicQueries(db, [{ ...entry, details: { day: date, ...details } }], now)),
  ]);
}
