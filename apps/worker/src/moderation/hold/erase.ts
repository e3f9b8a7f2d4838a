import { sql } from "kysely";
import { deletePrefix } from "../../platform/bucket/objects.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import type { LegalHoldRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDue } from "../../platform/for-each.ts";
import { withAudit } from "../audit/log.ts";
import { isSettled } from "../evidence/settled.ts";
import { holdObjectKey } from "./start.ts";

const ERASED_PER_RUN_MAX = 100;

/**
 * Scheduled, before accounts are purged with their cases: erases holds whose time is over, and unconfirmed
 * automatic holds whose case was dismissed and is settled. Deletes the bytes before the row, so that the next run can
 * finish one that failed; the audit entry stays.
 */
export async function eraseHolds(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  await forEachDue(await listDue(db, now), (hold) => eraseHold(env, db, hold, now));
}

async function eraseHold(env: Env, db: Database, hold: LegalHoldRow, now: number): Promise<void> {
  await deletePrefix(env.PICTURES, holdObjectKey(hold, ""));
  await withAudit(
    { d1: env.DB, db, now },
    [db.deleteFrom("legal_hold").where("hold_ref", "=", hold.hold_ref)],
    [
      {
        brand: hold.brand,
        action: "hold.erased",
        by: "clock",
        confidential: true,
        caseRef: null,
        details: { hold: hold.hold_ref, case: hold.case_ref, because: hold.ts_until <= now ? "time" : "dismissed" },
      },
    ],
  );
}

function listDue(db: Database, now: number): Promise<LegalHoldRow[]> {
  return db
    .selectFrom("legal_hold as h")
    .selectAll("h")
    .where((either) =>
      either.or([
        either("h.ts_until", "<=", now),
        sql<boolean>`(h.confirmed = 0 and exists (select 1 from report r where r.id = h.report_id and r.outcome = 'none'
          and ${isSettled(now)}))`,
      ]),
    )
    .limit(ERASED_PER_RUN_MAX)
    .execute();
}
