/**
 * Who stands in a case for a member whose account is purged before the case is settled: an account without an address, a name or
 * anything else, under a number that was nobody's. The member's own row then goes with all that hangs on it, whatever that is.
 */
import { type RawBuilder, sql } from "kysely";
import { isSettled } from "../../moderation/evidence/settled.ts";
import type { Compiled } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import { guardQuery } from "../../platform/db/guard.ts";
import { randomHex } from "../../platform/hash.ts";

/** Begins what a stand-in has in the place of an address: no form takes it for one. */
const PREFIX = "purged:";

/** Whether a case on a `report r` row is not settled and has this account on a side; found by the sides, however many cases there are. */
function isNeededBy(id: RawBuilder<number>, now: number): RawBuilder<boolean> {
  return sql<boolean>`(r.id in (select id from report where subject_id = ${id}
    union select report_id from report_filing where reporter_id = ${id}
    union select report_id from evidence where author_id = ${id}) and not ${isSettled(now)})`;
}

/** Whether an account, on an `account` row, stands in for somebody in a case that is not settled. */
export function standsIn(now: number): RawBuilder<boolean> {
  return sql<boolean>`(account.email like ${`${PREFIX}%`}
    and exists (select 1 from report r where ${isNeededBy(sql.ref<number>("account.id"), now)}))`;
}

/** The cases that are not settled and have this account on a side. */
export async function listUnsettledCases(db: Database, accountId: number, now: number): Promise<number[]> {
  const rows = await db
    .selectFrom("report as r")
    .select("r.id")
    .where(isNeededBy(sql`${accountId}`, now))
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Moves cases of an account that is about to be purged to a new stand-in. Part of the purge's batch, before the account's row
 * goes; aborts it when another case came in meanwhile, or the member came back.
 */
export function standInQueries(db: Database, accountId: number, cases: readonly number[], now: number): Compiled[] {
  const isMoved = (column: string) =>
    sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(cases)}))`;
  const unforeseen = sql<boolean>`exists (select 1 from report r where ${isNeededBy(sql`${accountId}`, now)} and not ${isMoved("r.id")})`;
  const queries = [guardQuery(db, sql<boolean>`not ${unforeseen}`)];
  if (cases.length === 0) return queries;
  const address = `${PREFIX}${randomHex(16)}`;
  const standIn = sql<number>`(select id from account where email = ${address})`;
  return [
    guardQuery(db, sql<boolean>`exists (select 1 from account where id = ${accountId} and ts_deleted is not null)`),
    ...queries,
    ...insertQueries(db, accountId, address, standIn),
    db
      .updateTable("report")
      .set({
        subject_id: standIn,
        source_id: sql<number>`case source when 'profile' then ${standIn} else source_id end`,
      })
      .where("subject_id", "=", accountId)
      .where(isMoved("id"))
      .compile(),
    db
      .updateTable("report_filing")
      .set({ reporter_id: standIn })
      .where("reporter_id", "=", accountId)
      .where(isMoved("report_id"))
      .compile(),
    db
      .updateTable("evidence")
      .set({
        author_id: standIn,
        source_id: sql<number>`case kind when 'profile' then ${standIn} else source_id end`,
      })
      .where("author_id", "=", accountId)
      .where(isMoved("report_id"))
      .compile(),
    db
      .updateTable("moderation_action")
      .set({ profile_id: standIn })
      .where("profile_id", "=", accountId)
      .where(isMoved("report_id"))
      .compile(),
    db
      .updateTable("appeal")
      .set({ profile_id: standIn })
      .where("profile_id", "=", accountId)
      .where(isMoved("report_id"))
      .compile(),
    // Who decided stays known, so that somebody else judges the appeal.
    db
      .updateTable("audit_private")
      .set({ subject_id: standIn })
      .where("subject_id", "=", accountId)
      .where(
        sql<boolean>`seq in (select e.seq from audit_entry e join report r on r.case_ref = e.case_ref where ${isMoved("r.id")})`,
      )
      .compile(),
  ];
}

/** The brands stay: they say which admins the case is for. */
function insertQueries(db: Database, accountId: number, address: string, standIn: RawBuilder<number>): Compiled[] {
  return [
    db
      .insertInto("account")
      .columns(["email", "home_brand", "ts_created", "ts_deleted"])
      .expression((select) =>
        select
          .selectFrom("account")
          .select([sql.val(address).as("email"), "home_brand", sql.lit(0).as("ts_created"), "ts_deleted"])
          .where("id", "=", accountId),
      )
      .compile(),
    db
      .insertInto("profile")
      .columns(["id", "status", "hidden", "shared_on", "random_order", "ts_seen", "ts_updated"])
      .expression((select) =>
        select
          .selectFrom("profile")
          .select([standIn.as("id"), sql.lit<"deleted">("deleted").as("status"), sql.lit<0 | 1>(1).as("hidden")])
          .select(["shared_on", sql.lit(0).as("random_order"), sql.lit(0).as("ts_seen"), sql.lit(0).as("ts_updated")])
          .where("id", "=", accountId),
      )
      .compile(),
  ];
}
