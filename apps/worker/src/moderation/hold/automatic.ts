/** Holds that nobody has to think of: of each case in which a minor was reported, from the report on. */
import type { Rule } from "@lambda/contract/moderation";
import { sql } from "kysely";
import { openDatabase } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";
import type { NotifyContext } from "../../social/notifications/notify.ts";
import { findHold, startHold } from "./start.ts";

const HELD_AT_ONCE: Rule = "minor";
const REASON = "A minor was reported.";
const STARTS_PER_RUN_MAX = 100;

/**
 * After a report was filed or joined: starts the hold that its rule asks for, or adds to the one that the case has. A copy that
 * fails does not undo the report: `startMissingHolds` makes it within the hour.
 */
export async function holdFiledCase(ctx: NotifyContext, reportId: number, rule: Rule): Promise<void> {
  const { env, db, now } = ctx;
  try {
    const hold = rule === HELD_AT_ONCE ? undefined : await findHold(db, reportId);
    if (rule === HELD_AT_ONCE || hold) await startHold(env, db, { reportId, reason: REASON, now });
  } catch (error) {
    logFault({ event: "hold" }, error);
  }
}

/** Run by schedule: open cases about minors whose hold did not start, or broke off. */
export async function startMissingHolds(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const cases = await db
    .selectFrom("report as r")
    .select("r.id")
    .where("r.state", "in", ["staff", "jury"])
    .where("r.staff_only", "=", 1)
    .where(
      sql<boolean>`exists (select 1 from report_filing f where f.report_id = r.id and f.category = ${HELD_AT_ONCE})`,
    )
    .where(
      sql<boolean>`not exists (select 1 from legal_hold h join legal_hold_item i on i.hold_ref = h.hold_ref
        where h.report_id = r.id and i.kind = 'record' and i.ts_created >= (select max(ts_created) from report_filing where report_id = r.id))`,
    )
    .limit(STARTS_PER_RUN_MAX)
    .execute();
  const failed: unknown[] = [];
  for (const { id: reportId } of cases) {
    await startHold(env, db, { reportId, reason: REASON, now }).catch((error: unknown) => failed.push(error));
  }
  if (failed.length > 0) throw failed[0];
}
