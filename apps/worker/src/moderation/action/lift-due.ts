import { sql } from "kysely";
import { openDatabase } from "../../platform/db/database.ts";
import { guardQuery, isGuardFailure } from "../../platform/db/guard.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDue } from "../../platform/for-each.ts";
import { notifySquaresOfMember } from "../../platform/map/squares.ts";
import { scheduledContext } from "../../social/notifications/scheduled-context.ts";
import { withAudit } from "../audit/log.ts";
import { type LiftableAction, liftAction } from "./actions.ts";

/** Scheduled: lifts suspensions whose time is over, so that the member is visible again everywhere. */
export async function liftDueActions(env: Env, now: number): Promise<void> {
  const due = await openDatabase(env.DB)
    .selectFrom("moderation_action")
    .select(["id", "profile_id", "case_ref", "brand", "kind", "picture_id"])
    .where("ts_lifted", "is", null)
    .where("ts_until", "is not", null)
    .where("ts_until", "<=", now)
    .limit(100)
    .execute();
  await forEachDue(due, (action) => liftDueAction(env, action, now));
}

async function liftDueAction(env: Env, action: LiftableAction, now: number): Promise<void> {
  const ctx = scheduledContext(env, action.brand, now);
  const { queries, events } = liftAction(ctx, action, "time");
  // Of concurrent runs only the first finds the action in force; the guard keeps the others from logging and
  // notifying again.
  const inForce = sql<boolean>`exists (select 1 from moderation_action a where a.id = ${action.id} and a.ts_lifted is null)`;
  try {
    await withAudit(ctx, [guardQuery(ctx.db, inForce), ...queries], events);
    await notifySquaresOfMember(ctx, action.profile_id);
  } catch (error) {
    if (!isGuardFailure(error)) throw error;
  }
}
