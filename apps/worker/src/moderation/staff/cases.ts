/** Loads cases within the admin's scope, and makes sure that cases and notices are decided once. */
import { type RawBuilder, sql } from "kysely";
import { guardQuery, isGuardFailure, type Query } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import type { AuditEvent } from "../audit/chain.ts";
import { withAudit } from "../audit/log.ts";
import { IllegalTransition } from "../case/step.ts";
import { type FoundCase, findCase } from "../effects/find-case.ts";
import { caseInScope } from "./scope.ts";

/** Throws NOT_FOUND out of scope. */
export async function getCase(ctx: MemberContext, id: number): Promise<FoundCase> {
  const found = await findCase(ctx.db, sql<boolean>`r.id = ${id} and ${caseInScope(ctx)}`);
  if (!found) throw new AppError("NOT_FOUND");
  return found;
}

/** Runs a decision. Throws CONFLICT if somebody else was faster. */
export async function conflictIfDecided<Result>(decide: () => Promise<Result>): Promise<Result> {
  try {
    return await decide();
  } catch (error) {
    if (isGuardFailure(error) || error instanceof IllegalTransition) throw new AppError("CONFLICT");
    throw error;
  }
}

/** Writes a decision and its audit entries if the condition still holds. Throws CONFLICT if somebody else was faster. */
export async function decideOnce(
  ctx: MemberContext,
  condition: RawBuilder<boolean>,
  queries: readonly Query[],
  events: readonly AuditEvent[],
): Promise<void> {
  await conflictIfDecided(() => withAudit(ctx, [guardQuery(ctx.db, condition), ...queries], events));
}
