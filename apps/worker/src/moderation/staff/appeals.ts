/** Appeals that staff decide because no jury may or could judge them. */
import { sql } from "kysely";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { advanceCase } from "../effects/advance-case.ts";
import { listActiveActions } from "../jury/facts.ts";
import { conflictIfDecided, getCase } from "./cases.ts";
import { canActOn, getMemberInScope, hasOtherAdmin } from "./scope.ts";

/**
 * Upholds a decision, or reverses one against the subject; a reporter's appeal is granted by taking an action instead.
 * Throws NOT_FOUND if no appeal is pending, NOT_ALLOWED for the admin who decided the case, unless no other admin could
 * judge it.
 */
export async function decideAppeal(ctx: MemberContext, reportId: number, reversed: boolean): Promise<void> {
  const found = await getCase(ctx, reportId);
  const { state } = found;
  if (state.at !== "appeal" || state.jury !== null) throw new AppError("NOT_FOUND");
  const member = await getMemberInScope(ctx, found.subjectId);
  if (!canActOn(ctx, member, true)) throw new AppError("NOT_ALLOWED");
  if (reversed && state.side === "reporter") {
    throw new AppError("CONFLICT", { message: "Take the action; that decides a reporter's appeal." });
  }
  if ((await hasDecided(ctx, found.caseRef)) && (await hasOtherAdmin(ctx, found.brand, member, true))) {
    throw new AppError("NOT_ALLOWED", { message: "You decided this case: another admin judges its appeal." });
  }
  const activeActions = reversed ? await listActiveActions(ctx.db, reportId) : [];
  const staffId = ctx.viewer.profileId;
  await conflictIfDecided(() => advanceCase(ctx, found, { type: "appealDecided", staffId, reversed, activeActions }));
}

async function hasDecided({ db, viewer }: MemberContext, caseRef: string): Promise<boolean> {
  const entry = await db
    .selectFrom("audit_entry as e")
    .innerJoin("audit_private as p", "p.seq", "e.seq")
    .select("e.seq")
    .where("e.case_ref", "=", caseRef)
    .where("p.actor_id", "=", viewer.profileId)
    .where(sql<boolean>`(e.action = 'report.decided' or e.action like 'action.%')`)
    .limit(1)
    .executeTakeFirst();
  return entry !== undefined;
}
