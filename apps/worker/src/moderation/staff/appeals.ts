/** Appeals that staff decide because no jury may or could judge them. */
import { sql } from "kysely";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { advanceCase } from "../effects/advance-case.ts";
import type { FoundCase } from "../effects/find-case.ts";
import { listActiveActions } from "../jury/facts.ts";
import { conflictIfDecided, getCase } from "./cases.ts";
import { canActOn, getMemberInScope, isActiveAdminOf, type ScopedMember } from "./scope.ts";

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
  if (await isForOtherAdmin(ctx, found, member)) {
    throw new AppError("NOT_ALLOWED", { message: "You decided this case: another admin judges its appeal." });
  }
  const activeActions = reversed ? await listActiveActions(ctx.db, reportId) : [];
  const staffId = ctx.viewer.profileId;
  await conflictIfDecided(() => advanceCase(ctx, found, { type: "appealDecided", staffId, reversed, activeActions }));
}

/** Whether this admin decided the case and another admin could judge its appeal. */
async function isForOtherAdmin(ctx: MemberContext, found: FoundCase, subject: ScopedMember): Promise<boolean> {
  const me = ctx.viewer.profileId;
  const brandAdminsCanJudge = subject.admin_brand === null && subject.home_brand === found.brand;
  const decided = sql<number>`exists (select 1 from audit_entry e join audit_private p on p.seq = e.seq
    where e.case_ref = ${found.caseRef} and p.actor_id = ${me} and (e.action = 'report.decided' or e.action like 'action.%'))`;
  const alone = sql<number>`not exists (select 1 from account a join profile p on p.id = a.id
    where ${isActiveAdminOf(brandAdminsCanJudge ? found.brand : "*")} and a.id not in (${me}, ${subject.id}))`;
  const row = await ctx.db.selectNoFrom([decided.as("decided"), alone.as("alone")]).executeTakeFirstOrThrow();
  return row.decided === 1 && row.alone === 0;
}
