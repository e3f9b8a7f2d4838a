import type { Database } from "../../platform/db/database.ts";
import { isGuardFailure } from "../../platform/db/guard.ts";
import type { NotifyContext } from "../../social/notifications/notify.ts";
import { advanceCase } from "../effects/advance-case.ts";
import type { CaseHeader, FoundCase } from "../effects/find-case.ts";
import { type DrawWithPool, drawJurors } from "./draw.ts";

/** Draws jurors for a case, or returns why its pool is unfit. */
export async function drawJurorsForCase(ctx: NotifyContext, { id }: Pick<FoundCase, "id">): Promise<DrawWithPool> {
  return drawJurors(ctx, id, await listParties(ctx.db, id));
}

/** Seats a jury on a new case, or leaves it to staff. */
export async function createFirstJury(ctx: NotifyContext, newCase: CaseHeader & Pick<FoundCase, "id">): Promise<void> {
  const draw = await drawJurorsForCase(ctx, newCase);
  try {
    if ("problem" in draw) await advanceCase(ctx, newCase, { type: "poolUnfit", problem: draw.problem });
    else await advanceCase(ctx, newCase, { type: "juryDrawn", jurors: draw.jurors, pool: draw.pool });
  } catch (error) {
    // Staff decided the case in the meantime.
    if (!isGuardFailure(error)) throw error;
  }
}

/** Lists the subject and all reporters of a case. */
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
