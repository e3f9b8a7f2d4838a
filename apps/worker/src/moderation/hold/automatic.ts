/** Automatic legal holds: each case in which a minor was reported is held from the report on. */
import type { Rule } from "@lambda/contract/moderation";
import { sql } from "kysely";
import type { NotifyContext } from "../../messaging/notifications/notify.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDue } from "../../platform/for-each.ts";
import { logFault } from "../../platform/log.ts";
import { findHold, startHold } from "./start.ts";

const AUTOMATIC_HOLD_RULE: Rule = "minor";
const REASON = "A minor was reported.";
const STARTS_PER_RUN_MAX = 100;

/**
 * Call after a report is filed or joined: starts the hold that its rule requires, or adds to the case's existing hold.
 * A failure does not undo the report; `startMissingHolds` retries within the hour.
 */
export async function holdFiledCase(ctx: NotifyContext, reportId: number, rule: Rule): Promise<void> {
  const { env, db, now } = ctx;
  try {
    const hold = rule === AUTOMATIC_HOLD_RULE ? undefined : await findHold(db, reportId);
    if (rule === AUTOMATIC_HOLD_RULE || hold) await startHold(env, db, { reportId, reason: REASON, now });
  } catch (error) {
    logFault({ event: "hold" }, error);
  }
}

/** Scheduled: completes the holds of open cases about minors that did not start, or failed half-way. */
export async function startMissingHolds(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const cases = await listCasesWithoutHold(db);
  await forEachDue(cases, ({ id: reportId }) => startHold(env, db, { reportId, reason: REASON, now }));
}

/** The first open cases about minors whose hold is missing or incomplete. */
export function listCasesWithoutHold(db: Database): Promise<{ id: number }[]> {
  return db
    .selectFrom("report as r")
    .select("r.id")
    .where("r.state", "in", ["staff", "jury"])
    .where("r.staff_only", "=", 1)
    .where(
      sql<boolean>`exists (select 1 from report_filing f where f.report_id = r.id and f.category = ${AUTOMATIC_HOLD_RULE})`,
    )
    .where(
      sql<boolean>`not exists (select 1 from legal_hold h join legal_hold_item i on i.hold_ref = h.hold_ref
        where h.report_id = r.id and i.kind = 'record' and i.ts_created >= (select max(ts_created) from report_filing where report_id = r.id))`,
    )
    .limit(STARTS_PER_RUN_MAX)
    .execute();
}
