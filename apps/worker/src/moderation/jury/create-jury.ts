import type { Database } from "../../platform/db/database.ts";
import { failedGuard } from "../../platform/db/guard.ts";
import type { NotifyContext } from "../../social/notifications/notify.ts";
import type { CaseHead } from "../effects/find-case.ts";
import { moveCase } from "../effects/move-case.ts";
import { drawJurors, type SeatedDraw } from "./draw.ts";

/** Jurors for a case, or why the pool cannot carry a jury on it. */
export async function drawForCase(ctx: NotifyContext, { id }: Pick<CaseHead, "id">): Promise<SeatedDraw> {
  return drawJurors(ctx, id, await listParties(ctx.db, id));
}

/** Seats a jury on a new case, or leaves it to staff. */
export async function createFirstJury(ctx: NotifyContext, head: CaseHead): Promise<void> {
  const draw = await drawForCase(ctx, head);
  try {
    if ("problem" in draw) await moveCase(ctx, head, { type: "poolUnfit", problem: draw.problem });
    else await moveCase(ctx, head, { type: "juryDrawn", jurors: draw.jurors, pool: draw.pool });
  } catch (error) {
    // Staff decided it meanwhile.
    if (!failedGuard(error)) throw error;
  }
}

/** Everyone on either side of a case. */
async function listParties(db: Database, reportId: number): Promise<number[]> {
  const reporters = db
    .selectFrom("report_filing")
    .select("reporter_id as id")
    .where("report_id", "=", reportId)
    .where("reporter_id", "is not", null)
    .$narrowType<{ id: number }>();
  const rows = await db
    .selectFrom("report")
    .select("subject_id as id")
    .where("id", "=", reportId)
    .union(reporters)
    .execute();
  return rows.map((row) => row.id);
}
