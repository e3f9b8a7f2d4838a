import { getBrand } from "@lambda/brands";
import type { StaffReason } from "@lambda/contract/admin";
import { RULES } from "@lambda/contract/moderation";
import { sql } from "kysely";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import type { AppealRoute, Side } from "../case/case.ts";
import { IllegalTransition, mayAppeal } from "../case/step.ts";
import { type FoundCase, findCase } from "../effects/find-case.ts";
import { moveCase } from "../effects/move-case.ts";
import { shownToJurors } from "../evidence/withdrawn.ts";
import { drawForCase } from "../jury/create-jury.ts";

/**
 * The one appeal of the side that lost, to a jury that shares nobody with those before, or to staff where no jury may or can
 * judge it. Throws NOT_FOUND for whose case it is not, CONFLICT when it cannot be appealed (any more).
 */
export async function fileAppeal(
  ctx: MemberContext,
  reportId: number,
  text: string,
): Promise<{ reportId: number; side: Side }> {
  const found = await findCase(ctx.db, sql<boolean>`r.id = ${reportId}`);
  const facts = found && (await readAppealFacts(ctx, found));
  if (!facts) throw new AppError("NOT_FOUND");
  const { side } = facts;
  const { state } = found;
  if (state.at !== "decided" || !mayAppeal(state.decision, side, ctx.now)) throw notAppealable();
  const route = await chooseRoute(ctx, found, facts);
  const profileId = ctx.viewer.profileId;
  try {
    await moveCase(ctx, found, { type: "appealed", side, profileId, text, route });
  } catch (error) {
    // Another appeal of this case came in at the same moment: its row, or its jury's, is there.
    const overtaken = /UNIQUE constraint failed: (appeal|jury)\./.test(String(error));
    if (overtaken || error instanceof IllegalTransition) throw notAppealable();
    throw error;
  }
  return { reportId, side };
}

interface AppealFacts {
  readonly side: Side;
  /** A jury, and not staff, decided in the member's favour. */
  readonly clearedByJury: boolean;
  /** A jury may not see some of the evidence, or not any more, and cannot judge by it. */
  readonly unseen: boolean;
}

/** Undefined for a member who is no side of the case. */
async function readAppealFacts({ db, viewer }: MemberContext, found: FoundCase): Promise<AppealFacts | undefined> {
  const row = await db
    .selectNoFrom([
      sql<number>`exists (select 1 from report_filing f where f.report_id = ${found.id} and f.reporter_id = ${viewer.profileId})`.as(
        "filed",
      ),
      sql<number>`exists (select 1 from jury j where j.report_id = ${found.id} and j.verdict = 'no_violation')`.as(
        "cleared_by_jury",
      ),
      sql<number>`exists (select 1 from evidence e where e.report_id = ${found.id} and not ${shownToJurors("e")})`.as(
        "unseen",
      ),
    ])
    .executeTakeFirstOrThrow();
  const side = found.subjectId === viewer.profileId ? "subject" : row.filed === 1 ? "reporter" : undefined;
  return side && { side, clearedByJury: row.cleared_by_jury === 1, unseen: row.unseen === 1 };
}

async function chooseRoute(ctx: MemberContext, found: FoundCase, facts: AppealFacts): Promise<AppealRoute> {
  const reason = staffReasonOf(found, facts);
  if (reason) return { by: "staff", reason };
  const draw = await drawForCase({ ...ctx, brand: getBrand(found.brand) }, found);
  return "problem" in draw
    ? { by: "staff", reason: draw.problem }
    : { by: "jury", jurors: draw.jurors, pool: draw.pool };
}

/** A reporter's appeal against what staff cleared stays with staff: juries are not asked until one agrees. */
function staffReasonOf({ rule }: FoundCase, { side, clearedByJury, unseen }: AppealFacts): StaffReason | undefined {
  if (RULES[rule].staffOnly) return "rule";
  if (unseen) return "withdrawn";
  return side === "reporter" && !clearedByJury ? "cleared" : undefined;
}

function notAppealable(): AppError {
  return new AppError("CONFLICT", { message: "This decision cannot be appealed (any more)." });
}
