import { BRANDS, type BrandId, getBrand } from "@lambda/brands";
import { openDatabase } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import type { NotifyContext } from "../../social/notifications/notify.ts";
import { liftAction } from "./actions.ts";
import { withAudit } from "./audit.ts";

/** A context for work that no request asked for. */
export function clockContext(env: Env, brand: string, now: number): NotifyContext {
  const known = BRANDS.some((candidate) => candidate.id === brand);
  return {
    env,
    d1: env.DB,
    db: openDatabase(env.DB),
    brand: getBrand(known ? (brand as BrandId) : "ember"),
    now,
    // A scheduled run lives until its promise ends; what is left over is best effort there.
    waitUntil: (work) => void work.catch(() => {}),
  };
}

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
    await withAudit(ctx, step.queries, step.events);
  }
}
