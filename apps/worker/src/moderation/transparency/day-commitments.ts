/**
 * Proves that the public record omits no case without revealing that one is open. One salted hash commits to each day's
 * cases; it is opened a month later, once all of them are decided.
 */
import { AUDIT_DAY_OPENED_AFTER_MS, DAY_MS } from "@lambda/contract/limits";
import { dayOf } from "@lambda/geo/time";
import { sql } from "kysely";
import { batch, type Compiled } from "../../platform/db/batch.ts";
import { itemsOf } from "../../platform/db/d1.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { randomHex, sha256 } from "../../platform/hash.ts";
import { dateOfDay } from "../../platform/iso-time.ts";
import { scheduledContext } from "../../social/notifications/scheduled-context.ts";
import { withAudit } from "../audit/log.ts";
import { appendPublicQueries } from "../audit/public-chain.ts";

/** Scheduled: commits to each day that is over. A day without a case looks like any other. */
export async function commitToPastDays(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const firstFiled = sql`(select min(ts) / ${sql.lit(DAY_MS)} from audit_entry where action = 'report.filed')`;
  const { next } = await db
    .selectNoFrom(sql<number | null>`coalesce((select max(day) + 1 from audit_day), ${firstFiled})`.as("next"))
    .executeTakeFirstOrThrow();
  const today = dayOf(now);
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
    await appendDayEntry(env, day, "day.committed", { commitment }, now, [
      db.insertInto("audit_day").values({ day, salt, cases }).compile(),
    ]);
  }
}

/** Scheduled: opens the days whose cases are all decided or were purged with their subject's account. */
export async function openDayCommitments(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const due = await db
    .selectFrom("audit_day")
    .select(["day", "salt", "cases"])
    .where("opened", "=", sql.lit(0))
    .where("day", "<", dayOf(now - AUDIT_DAY_OPENED_AFTER_MS))
    .orderBy("day")
    .limit(100)
    .execute();
  for (const { day, salt, cases } of due) {
    const hashes = JSON.parse(cases) as string[];
    await publishPurgedCases(env, hashes, now);
    const { open } = await selectUnpublished(db, hashes)
      .select(({ fn }) => fn.countAll<number>().as("open"))
      .executeTakeFirstOrThrow();
    if (open > 0) continue;
    await appendDayEntry(env, day, "day.opened", { salt, cases: hashes.join(" ") }, now, [
      db.updateTable("audit_day").set({ opened: 1 }).where("day", "=", day).compile(),
    ]);
  }
}

/** Selects those of these audit entries, as `e`, that are not in the public chain yet. */
function selectUnpublished(db: Database, hashes: readonly string[]) {
  return db
    .selectFrom(itemsOf(hashes, "c"))
    .innerJoin("audit_entry as e", "e.hash", "c.value")
    .where(sql<boolean>`not exists (select 1 from public_entry x where x.entry_seq = e.seq)`);
}

/** Publishes cases that were purged with their subject's account, and so will never be decided, as closed. */
async function publishPurgedCases(env: Env, hashes: readonly string[], now: number): Promise<void> {
  const rows = await selectUnpublished(openDatabase(env.DB), hashes)
    .select(["e.brand", "e.case_ref"])
    .where(sql<boolean>`not exists (select 1 from report r where r.case_ref = e.case_ref)`)
    .execute();
  for (const { brand, case_ref: caseRef } of rows) {
    const details = { because: "account deleted" };
    await withAudit(
      scheduledContext(env, brand, now),
      [],
      [{ brand, action: "report.closed", by: "clock", caseRef, details }],
    );
  }
}

async function appendDayEntry(
  env: Env,
  day: number,
  action: string,
  details: Record<string, string>,
  now: number,
  extras: readonly Compiled[],
): Promise<void> {
  const db = openDatabase(env.DB);
  const date = dateOfDay(day);
  const entry = { entrySeq: null, brand: "*", action, caseRef: null, by: "clock", private: "" } as const;
  await batch(env.DB, [
    ...extras,
    ...(await appendPublicQueries(db, [{ ...entry, details: { day: date, ...details } }], now)),
  ]);
}
