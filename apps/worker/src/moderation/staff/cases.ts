/** A case as staff decide it: its head, and a decision that counts once. */

import { failedGuard } from "../../platform/db/guard.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import type { Step } from "../action/actions.ts";
import { withAudit } from "../audit/log.ts";
import { brandInScope } from "./scope.ts";

export interface CaseHead {
  readonly id: number;
  readonly subject_id: number;
  readonly case_ref: string;
  readonly brand: string;
  readonly category: string;
  readonly state: string;
  readonly ts_created: number;
}

/** Throws NOT_FOUND outside of the scope. */
export async function getCase(ctx: MemberContext, id: number): Promise<CaseHead> {
  const row = await ctx.db
    .selectFrom("report")
    .select(["id", "subject_id", "case_ref", "brand", "category", "state", "ts_created"])
    .where("id", "=", id)
    .where(brandInScope(ctx, "brand"))
    .executeTakeFirst();
  if (!row) throw new AppError("NOT_FOUND");
  return row;
}

/** Runs a decision, and answers the rows of its queries. Throws CONFLICT when a guard of it fails: somebody else was first. */
export async function decideOnce(ctx: MemberContext, step: Step): Promise<unknown[][]> {
  try {
    return await withAudit(ctx, step.queries, step.events);
  } catch (error) {
    if (failedGuard(error)) throw new AppError("CONFLICT");
    throw error;
  }
}
