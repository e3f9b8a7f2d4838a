import { sql } from "kysely";
import { belongTogether } from "../../platform/bucket/mark.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import type { LegalHoldRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { withAudit } from "../audit/log.ts";
import { isSettled } from "../evidence/settled.ts";
import { heldKey } from "./start.ts";

const ERASED_PER_RUN_MAX = 100;

/**
 * Run by schedule, before accounts are purged: erases holds whose time is over, and those that started by themselves for a case
 * which was dismissed and cannot be appealed any more. The audit entry stays. Bytes go first, so that a run that breaks off is taken up by the next one.
 */
export async function eraseHolds(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  // A database that was brought back to an earlier time knows no extension since.
  if (!(await belongTogether(env, db, now))) return;
  for (const hold of await listDue(db, now)) {
    await deleteObjects(env, hold);
    await withAudit(
      { d1: env.DB, db, now },
      [db.deleteFrom("legal_hold").where("hold_ref", "=", hold.hold_ref).compile()],
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

/** All that lies in the hold's folder, whether a row names it or not. */
async function deleteObjects(env: Env, hold: LegalHoldRow): Promise<void> {
  for (;;) {
    const { objects, truncated } = await env.PICTURES.list({ prefix: heldKey(hold, "") });
    if (objects.length > 0) await env.PICTURES.delete(objects.map((object) => object.key));
    if (!truncated) return;
  }
}
