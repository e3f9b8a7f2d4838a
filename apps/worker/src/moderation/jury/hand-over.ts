import type { StaffReason } from "@lambda/contract/admin";
import { sql } from "kysely";
import type { Compiled } from "../../platform/db/batch.ts";
import type { NotifyContext } from "../../social/notifications/notify.ts";

/** The queries that close a jury and leave its case, or the appeal it sat on, to staff. What it found stays written there. */
export function handOver(ctx: NotifyContext, juryId: number, reportId: number, reason: StaffReason): Compiled[] {
  const { db, now } = ctx;
  return [
    db.updateTable("jury").set({ state: "decided", ts_decided: now }).where("id", "=", juryId).compile(),
    db
      .updateTable("juror")
      .set({ state: "excused" })
      .where("jury_id", "=", juryId)
      .where("state", "=", "summoned")
      .compile(),
    sql`update report set staff_reason = ${reason}, state = case state when 'jury' then 'staff' else state end
      where id = ${reportId}`.compile(db),
    db.updateTable("appeal").set({ jury_id: null }).where("jury_id", "=", juryId).compile(),
  ];
}
