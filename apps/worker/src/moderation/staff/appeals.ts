/** Appeals that no jury may see, or for which none could be drawn: staff decide them. */
import type { ActionKind } from "@lambda/contract/moderation";
import { sql } from "kysely";
import { guardQuery } from "../../platform/db/guard.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { announce } from "../../social/notifications/announce.ts";
import { liftAction, type Step } from "../action/actions.ts";
import { standingActions } from "../jury/sitting.ts";
import { tellAppealDecided } from "../jury/tell.ts";
import { type CaseHead, decideOnce, getCase } from "./cases.ts";
import { getMemberInScope, mayJudge, type ScopedMember } from "./scope.ts";

type Side = "subject" | "reporter";

/** The appeal of a case that waits for staff. */
export function findStaffAppeal(ctx: MemberContext, reportId: number): Promise<{ side: Side } | undefined> {
  return ctx.db
    .selectFrom("appeal")
    .select("side")
    .where("report_id", "=", reportId)
    .where("jury_id", "is", null)
    .where("result", "is", null)
    .executeTakeFirst();
}

/** Adds an appeal's end to a decision, guarded. `outcome`: of the case from now on, where it is another. */
export function closeAppeal(
  ctx: MemberContext,
  step: Step,
  report: CaseHead,
  side: Side,
  result: "upheld" | "reversed",
  outcome?: ActionKind | "none",
): void {
  const { db, now } = ctx;
  step.queries.push(
    guardQuery(
      db,
      sql<boolean>`exists (select 1 from appeal where report_id = ${report.id} and side = ${side} and jury_id is null and result is null)`,
    ),
    db
      .updateTable("appeal")
      .set({ result, ts_decided: now })
      .where("report_id", "=", report.id)
      .where("side", "=", side)
      .compile(),
  );
  if (outcome !== undefined) {
    step.queries.push(db.updateTable("report").set({ outcome, ts_decided: now }).where("id", "=", report.id).compile());
  }
  step.events.push({
    brand: report.brand,
    action: "appeal.decided",
    by: "staff",
    caseRef: report.case_ref,
    details: { result },
    subjectId: report.subject_id,
    actorId: ctx.viewer.profileId,
  });
}

/**
 * Confirms a decision, or reverses one against the member; a reporter's appeal is granted by taking the action instead, which
 * may be done by whoever closed the case: he corrects himself. Throws NOT_FOUND when none waits, NOT_ALLOWED for the admin who
 * decided the case, as long as another could judge its appeal.
 */
export async function decideAppeal(ctx: MemberContext, reportId: number, reversed: boolean): Promise<void> {
  const report = await getCase(ctx, reportId);
  const appeal = await findStaffAppeal(ctx, reportId);
  if (!appeal) throw new AppError("NOT_FOUND");
  const member = await getMemberInScope(ctx, report.subject_id);
  if (!mayJudge(ctx, member, true)) throw new AppError("NOT_ALLOWED");
  if (reversed && appeal.side === "reporter") {
    throw new AppError("CONFLICT", { message: "Take the action; that decides a reporter's appeal." });
  }
  if (await judgesHimself(ctx, report, member)) {
    throw new AppError("NOT_ALLOWED", { message: "You decided this case: another admin judges its appeal." });
  }
  const step: Step = { queries: [], events: [] };
  closeAppeal(ctx, step, report, appeal.side, reversed ? "reversed" : "upheld", reversed ? "none" : undefined);
  if (reversed) {
    for (const action of await standingActions(ctx, reportId)) {
      const lifting = liftAction(ctx, action, "appeal", ctx.viewer.profileId);
      step.queries.push(...lifting.queries);
      step.events.push(...lifting.events);
    }
  }
  const told: number[] = [];
  step.queries.push(...(await tellAppealDecided(ctx, reportId, member.id, reversed, told)));
  await decideOnce(ctx, step);
  for (const id of told) announce(ctx, id, "appeal");
}

/** Whether this admin decided the case, and somebody else could judge its appeal. */
async function judgesHimself(ctx: MemberContext, report: CaseHead, subject: ScopedMember): Promise<boolean> {
  const me = ctx.viewer.profileId;
  const ofBrand = subject.admin_brand === null && subject.home_brand === report.brand;
  const { rows } = await sql<{ decided: number; alone: number }>`
    select exists (select 1 from audit_entry e join audit_private p on p.seq = e.seq
        where e.case_ref = ${report.case_ref} and p.actor_id = ${me} and (e.action = 'report.decided' or e.action like 'action.%'))
        as decided,
      not exists (select 1 from account a join profile p on p.id = a.id
        where a.admin_brand in ('*', ${ofBrand ? report.brand : "*"}) and a.id not in (${me}, ${subject.id}) and p.status = 'active')
        as alone`.execute(ctx.db);
  return rows[0]?.decided === 1 && rows[0].alone === 0;
}
