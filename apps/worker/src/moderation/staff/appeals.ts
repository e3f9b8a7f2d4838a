/** Appeals that no jury may see, or for which none could be drawn: staff decide them. */
import { sql } from "kysely";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import type { FoundCase } from "../effects/find-case.ts";
import { moveCase } from "../effects/move-case.ts";
import { listActiveActions } from "../jury/facts.ts";
import { decideOnce, getCase } from "./cases.ts";
import { getMemberInScope, mayActOn, type ScopedMember } from "./scope.ts";

/**
 * Confirms a decision, or reverses one against the member; a reporter's appeal is granted by taking the action instead. Throws
 * NOT_FOUND when none waits, NOT_ALLOWED for the admin who decided the case, as long as another could judge its appeal.
 */
export async function decideAppeal(ctx: MemberContext, reportId: number, reversed: boolean): Promise<void> {
  const found = await getCase(ctx, reportId);
  const { state } = found;
  if (state.at !== "appeal" || state.jury !== null) throw new AppError("NOT_FOUND");
  const member = await getMemberInScope(ctx, found.subjectId);
  if (!mayActOn(ctx, member, true)) throw new AppError("NOT_ALLOWED");
  if (reversed && state.side === "reporter") {
    throw new AppError("CONFLICT", { message: "Take the action; that decides a reporter's appeal." });
  }
  if (await isOwnDecision(ctx, found, member)) {
    throw new AppError("NOT_ALLOWED", { message: "You decided this case: another admin judges its appeal." });
  }
  const activeActions = reversed ? await listActiveActions(ctx.db, reportId) : [];
  const staffId = ctx.viewer.profileId;
  await decideOnce(() => moveCase(ctx, found, { type: "appealDecided", staffId, reversed, activeActions }));
}

/** Whether this admin decided the case, and somebody else could judge its appeal. */
async function isOwnDecision(ctx: MemberContext, found: FoundCase, subject: ScopedMember): Promise<boolean> {
  const me = ctx.viewer.profileId;
  const ofBrand = subject.admin_brand === null && subject.home_brand === found.brand;
  const decided = sql<number>`exists (select 1 from audit_entry e join audit_private p on p.seq = e.seq
    where e.case_ref = ${found.caseRef} and p.actor_id = ${me} and (e.action = 'report.decided' or e.action like 'action.%'))`;
  const alone = sql<number>`not exists (select 1 from account a join profile p on p.id = a.id
    where a.admin_brand in ('*', ${ofBrand ? found.brand : "*"}) and a.id not in (${me}, ${subject.id}) and p.status = 'active')`;
  const row = await ctx.db.selectNoFrom([decided.as("decided"), alone.as("alone")]).executeTakeFirstOrThrow();
  return row.decided === 1 && row.alone === 0;
}
