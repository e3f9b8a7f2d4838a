import type { StaffReason } from "@lambda/contract/admin";
import { RULES } from "@lambda/contract/moderation";
import { sql } from "kysely";
import { onBrand } from "../../platform/context.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { canAppeal } from "../case/appeal-rules.ts";
import type { AppealRoute, Side } from "../case/case.ts";
import { IllegalTransition } from "../case/step.ts";
import { advanceCase } from "../effects/advance-case.ts";
import { type FoundCase, findCase } from "../effects/find-case.ts";
import { isShownToJurors } from "../evidence/withdrawn.ts";
import { drawJurorsForCase } from "../jury/create-jury.ts";

/**
 * Files the losing side's one appeal, which a jury without any juror of the earlier rounds judges, or staff if no jury
 * may or can. Throws NOT_FOUND for a member who is not a side of the case, CONFLICT if the decision cannot be appealed
 * (any more).
 */
export async function fileAppeal(
  ctx: MemberContext,
  reportId: number,
  text: string,
): Promise<{ reportId: number; side: Side }> {
  const me = ctx.viewer.profileId;
  // The first reporter's number is the case's: an open case must not tell its subject whether an account of theirs was the first.
  const found = await findCase(
    ctx.db,
    sql<boolean>`r.id in (select id from report where id = ${reportId} and subject_id = ${me} and state = 'decided'
      union select report_id from report_filing where id = ${reportId} and reporter_id = ${me})`,
  );
  if (!found) throw new AppError("NOT_FOUND");
  const side = found.subjectId === me ? "subject" : "reporter";
  const { state } = found;
  if (state.at !== "decided" || !canAppeal(state.decision, side, ctx.now)) throw notAppealable();
  const route = await chooseRoute(ctx, found, side);
  try {
    await advanceCase(ctx, found, { type: "appealed", side, profileId: me, text, route });
  } catch (error) {
    // A concurrent appeal of this case has already inserted its row or its jury.
    const overtaken = /UNIQUE constraint failed: (appeal|jury)\./.test(String(error));
    if (overtaken || error instanceof IllegalTransition) throw notAppealable();
    throw error;
  }
  return { reportId, side };
}

async function chooseRoute(ctx: MemberContext, found: FoundCase, side: Side): Promise<AppealRoute> {
  const reason = await findStaffReason(ctx, found, side);
  if (reason) return { by: "staff", reason };
  const draw = await drawJurorsForCase(onBrand(ctx, found.brand), found);
  return "problem" in draw ? { by: "staff", reason: draw.problem } : { by: "jury", ...draw };
}

/**
 * A reporter's appeal against a clearance by staff stays with staff: otherwise a reporter could try until some jury
 * agrees.
 */
async function findStaffReason(
  { db }: MemberContext,
  { id, rule }: FoundCase,
  side: Side,
): Promise<StaffReason | undefined> {
  if (RULES[rule].staffOnly) return "rule";
  const { hidden, cleared } = await db
    .selectNoFrom([
      // Jurors cannot see some of the evidence, because it was never public or has been withdrawn.
      sql<number>`exists (select 1 from evidence e where e.report_id = ${id} and not ${isShownToJurors()})`.as(
        "hidden",
      ),
      sql<number>`exists (select 1 from jury j where j.report_id = ${id} and j.verdict = 'no_violation')`.as("cleared"),
    ])
    .executeTakeFirstOrThrow();
  if (hidden === 1) return "withdrawn";
  return side === "reporter" && cleared === 0 ? "cleared" : undefined;
}

function notAppealable(): AppError {
  return new AppError("CONFLICT", { message: "This decision cannot be appealed (any more)." });
}
