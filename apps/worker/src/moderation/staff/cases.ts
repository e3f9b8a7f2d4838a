/** Loads cases within the admin's scope, and makes sure that cases and notices are decided once. */
import { sql } from "kysely";
import { isGuardFailure } from "../../platform/db/guard.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { IllegalTransition } from "../case/step.ts";
import { type FoundCase, findCase } from "../effects/find-case.ts";
import { brandInScope } from "./scope.ts";

/** Throws NOT_FOUND out of scope. */
export async function getCase(ctx: MemberContext, id: number): Promise<FoundCase> {
  const found = await findCase(ctx.db, sql<boolean>`r.id = ${id} and ${brandInScope(ctx, "r.brand")}`);
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
