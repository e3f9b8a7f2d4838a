/**
 * Stand-ins: empty accounts with new ids that replace a purged member in an unsettled case. The member's own account can then be deleted with
 * everything that references it.
 */
import { type RawBuilder, sql } from "kysely";
import { isSettled } from "../../moderation/evidence/settled.ts";
import { type Database, guardQuery, insertFrom, type Query } from "../../platform/db/database.ts";
import { randomHex } from "../../platform/hash.ts";

/** Prefix of a stand-in's email, which no form accepts as an address. */
const EMAIL_PREFIX = "purged:";

/** Whether the case of a `report r` row is unsettled and involves this account; starts from the account's rows, for speed. */
function isUnsettledCaseOf(id: RawBuilder<number>, now: number): RawBuilder<boolean> {
  return sql<boolean>`(r.id in (select id from report where subject_id = ${id}
    union select report_id from report_filing where reporter_id = ${id}
    union select report_id from evidence where author_id = ${id}) and not ${isSettled(now)})`;
}

/** Whether an `account` row is a stand-in in an unsettled case. */
export function isNeededStandIn(now: number): RawBuilder<boolean> {
  return sql<boolean>`(account.email like ${`${EMAIL_PREFIX}%`}
    and exists (select 1 from report r where ${isUnsettledCaseOf(sql.ref<number>("account.id"), now)}))`;
}

export async function listUnsettledCases(db: Database, accountId: number, now: number): Promise<number[]> {
  const rows = await db
    .selectFrom("report as r")
    .select("r.id")
    .where(isUnsettledCaseOf(sql`${accountId}`, now))
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Queries that move cases of an account about to be purged to a new stand-in. They run in the purge's batch, before the account is deleted, and
 * abort it if there is a new case or the account was restored.
 */
export function standInQueries(db: Database, accountId: number, cases: readonly number[], now: number): Query[] {
  const isMoved = (column: string) =>
    sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(cases)}))`;
  const hasNewCase = sql<boolean>`exists (select 1 from report r where ${isUnsettledCaseOf(sql`${accountId}`, now)} and not ${isMoved("r.id")})`;
  const queries = [guardQuery(db, sql<boolean>`not ${hasNewCase}`)];
  if (cases.length === 0) return queries;
  const email = `${EMAIL_PREFIX}${randomHex(16)}`;
  const standIn = sql<number>`(select id from account where email = ${email})`;
  const account = db.selectFrom("account").select(["home_brand", "ts_deleted"]).where("id", "=", accountId);
  const profile = db
    .selectFrom("profile")
    .select([standIn.as("id"), sql<number>`shared_on | discreet_on`.as("shared_on")])
    .where("id", "=", accountId);
  const unseen = { status: "deleted", hidden: 1, random_order: 0, ts_seen: 0, ts_updated: 0 } as const;
  return [
    guardQuery(db, sql<boolean>`exists (select 1 from account where id = ${accountId} and ts_deleted is not null)`),
    ...queries,
    // It keeps the brands, which determine the admins in charge of the case.
    insertFrom(db, "account", account, { email, ts_created: 0 }),
    insertFrom(db, "profile", profile, unseen),
    db
      .updateTable("report")
      .set({
        subject_id: standIn,
        source_id: sql<number>`case source when 'profile' then ${standIn} else source_id end`,
      })
      .where("subject_id", "=", accountId)
      .where(isMoved("id")),
    db
      .updateTable("evidence")
      .set({
        author_id: standIn,
        source_id: sql<number>`case kind when 'profile' then ${standIn} else source_id end`,
      })
      .where("author_id", "=", accountId)
      .where(isMoved("report_id")),
    db
      .updateTable("report_filing")
      .set({ reporter_id: standIn })
      .where("reporter_id", "=", accountId)
      .where(isMoved("report_id")),
    ...(["moderation_action", "appeal"] as const).map((table) =>
      db
        .updateTable(table)
        .set({ profile_id: standIn })
        .where("profile_id", "=", accountId)
        .where(isMoved("report_id")),
    ),
    // Keeps the deciding admin known, so that another one decides the appeal.
    db
      .updateTable("audit_private")
      .set({ subject_id: standIn })
      .where("subject_id", "=", accountId)
      .where(
        sql<boolean>`seq in (select e.seq from audit_entry e join report r on r.case_ref = e.case_ref where ${isMoved("r.id")})`,
      ),
  ];
}
