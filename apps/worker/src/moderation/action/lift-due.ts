import { sql } from "kysely";
import { openDatabase } from "../../platform/db/database.ts";
import { failedGuard, guardQuery } from "../../platform/db/guard.ts";
import type { Env } from "../../platform/env.ts";
import { tellSquaresOf } from "../../platform/map/squares.ts";
import { clockContext } from "../../social/notifications/clock-context.ts";
import { withAudit } from "../audit/log.ts";
import { liftAction } from "./actions.ts";

/** Run by schedule: suspensions whose time is over end, and the member is back everywhere. */
export async function liftDueActions(env: Env, now: number): Promise<void> {
  const due = await openDatabase(env.DB)
    .selectFrom("moderation_action")
    .select(["id", "profile_id", "case_ref", "brand", "kind", "picture_id"])
    .where("ts_lifted", "is", null)
    .where("ts_until", "is not", null)
    .where("ts_until", "<=", now)
    .limit(100)
    .execute();
  for (const action of due) {
    const ctx = clockContext(env, action.brand, now);
    const step = liftAction(ctx, action, "time");
    // Of runs at once only the first finds it in force: the other writes no second entry and tells nobody.
    const inForce = sql<boolean>`exists (select 1 from moderation_action a where a.id = ${action.id} and a.ts_lifted is null)`;
    try {
      await withAudit(ctx, [guardQuery(ctx.db, inForce), ...step.queries], step.events);
      await tellSquaresOf(ctx, action.profile_id);
    } catch (error) {
      if (!failedGuard(error)) throw error;
    }
  }
}
