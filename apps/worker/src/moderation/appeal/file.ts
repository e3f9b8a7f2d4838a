import { type BrandId, getBrand } from "@lambda/brands";
import type { StaffReason } from "@lambda/contract/admin";
import { RULES, type Rule } from "@lambda/contract/moderation";
import { sql } from "kysely";
import type { Compiled } from "../../platform/db/batch.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { announce } from "../../social/notifications/announce.ts";
import { insertNotificationQuery } from "../../social/notifications/notify.ts";
import { NOTICES } from "../action/notices.ts";
import { withAudit } from "../audit/log.ts";
import { appealState } from "../case/rules.ts";
import { shownToJurors } from "../evidence/withdrawn.ts";
import { listParties, seatJury } from "../jury/create-jury.ts";
import { drawJurors } from "../jury/draw.ts";
import { tellReporters } from "../jury/tell.ts";

/**
 * The one appeal of the side that lost, to a jury that shares nobody with those before. Staff decide where juries may not look or
 * cannot be filled, and when the reporter appeals what staff decided: nobody tries juries until one agrees. Throws NOT_FOUND for a case he is no side of, CONFLICT when he may not appeal (any more).
 */
export async function fileAppeal(
  asked: MemberContext,
  reportId: number,
  text: string,
): Promise<{ reportId: number; side: "subject" | "reporter" }> {
  const { db, now, viewer } = asked;
  const report = await db
    .selectFrom("report as r")
    .select(["r.id", "r.subject_id", "r.category", "r.case_ref", "r.brand", "r.state", "r.outcome", "r.ts_decided"])
    .select(
      sql<number>`exists (select 1 from report_filing f where f.report_id = r.id and f.reporter_id = ${viewer.profileId})`.as(
        "filed",
      ),
    )
    .select(
      sql<number>`exists (select 1 from jury j where j.report_id = r.id and j.verdict = 'no_violation')`.as(
        "cleared_by_jury",
      ),
    )
    .select(
      // What a jury may not see, or may see no more, it cannot judge.
      sql<number>`exists (select 1 from evidence e where e.report_id = r.id and not ${shownToJurors("e")})`.as(
        "unseen",
      ),
    )
    .where("r.id", "=", reportId)
    .executeTakeFirst();
  const side = report?.subject_id === viewer.profileId ? "subject" : report?.filed ? "reporter" : undefined;
  if (!report || !side) throw new AppError("NOT_FOUND");
  // It may be said on any brand, as a sanction holds on all; the case stays with the members of its own.
  const ctx = { ...asked, brand: getBrand(report.brand as BrandId) };
  const appeals = await db.selectFrom("appeal").select(["side", "result"]).where("report_id", "=", reportId).execute();
  const state = appealState({
    lost: side === "subject" ? report.outcome !== "none" : report.outcome === "none",
    open: report.state !== "decided",
    decidedAt: report.ts_decided,
    appealed: appeals.some((appeal) => appeal.side === side),
    result: null,
    pendingAny: appeals.some((appeal) => appeal.result === null),
    now,
  });
  if (!state.allowed) throw notAppealable();

  const rule = report.category as Rule;
  const round = 2 + appeals.length;
  const forStaff: StaffReason | undefined = RULES[rule].staffOnly
    ? "rule"
    : report.unseen === 1
      ? "withdrawn"
      : side === "reporter" && report.cleared_by_jury === 0
        ? "cleared"
        : undefined;
  const draw = forStaff ? undefined : await drawJurors(ctx, reportId, await listParties(db, reportId));
  const jurors = draw && "jurors" in draw ? draw.jurors : [];
  const seated = jurors.length > 0;
  const queries: Compiled[] = seated ? seatJury(ctx, { reportId, round, jurors, pool: draw?.pool ?? 0 }) : [];
  const told: number[] = [];
  queries.push(
    db
      .updateTable("report")
      .set({ staff_reason: forStaff ?? (draw && "fault" in draw ? draw.fault : null) })
      .where("id", "=", reportId)
      .compile(),
    db
      .insertInto("appeal")
      .values({
        report_id: reportId,
        side,
        profile_id: viewer.profileId,
        text,
        jury_id: seated ? sql<number>`(select id from jury where report_id = ${reportId} and round = ${round})` : null,
        ts_created: now,
      })
      .compile(),
    ...(side === "subject"
      ? await tellReporters(ctx, reportId, NOTICES.appealed, "appeal", told)
      : [
          insertNotificationQuery(ctx, {
            profileId: report.subject_id,
            kind: "appeal",
            bodyText: NOTICES.appealed,
            url: "/games/dungeon",
          }),
        ]),
  );
  if (side === "reporter") told.push(report.subject_id);
  try {
    await withAudit(ctx, queries, [
      {
        brand: report.brand,
        action: "appeal.filed",
        by: "member",
        caseRef: report.case_ref,
        details: { side, round, jury: seated ? "yes" : "staff" },
        subjectId: report.subject_id,
      },
    ]);
  } catch (error) {
    // Another appeal of this case came in at the same moment: its row, or its jury's, is there.
    if (/UNIQUE constraint failed: (appeal|jury)\./.test(String(error))) throw notAppealable();
    throw error;
  }
  for (const id of told) announce(ctx, id, "appeal");
  for (const id of seated ? jurors : []) announce(ctx, id, "jury");
  return { reportId, side };
}

function notAppealable(): AppError {
  return new AppError("CONFLICT", { message: "This decision cannot be appealed (any more)." });
}
