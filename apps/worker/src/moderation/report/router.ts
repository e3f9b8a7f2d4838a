import { AppealDraft, CheckReport, FiledReport, FileReportResponse, ReportDraft } from "@lambda/contract/reports";
import { z } from "zod";
import { AppError } from "../../platform/errors.ts";
import { memberCommand, memberList, memberProcedure, router, sessionProcedure } from "../../platform/trpc.ts";
import { fileAppeal } from "../appeal/file-appeal.ts";
import { fileCheckReport } from "./file-check-report.ts";
import { fileReport } from "./file-report.ts";
import { listFiledReports } from "./queries.ts";

export const reportsRouter = router({
  /** POST /api/report: 'Report Violation' of a profile, message, picture or broadcast. */
  file: memberProcedure("POST /report", "Report a violation", { keepsSafe: true })
    .input(ReportDraft)
    .output(FileReportResponse)
    .mutation(async ({ ctx, input }) => {
      const { id, isRepeated } = await fileReport(ctx, input);
      const [report] = await listFiledReports(ctx, id);
      if (!report) throw new AppError("NOT_FOUND");
      return { ...report, isRepeated };
    }),

  fileCheck: memberCommand("POST /games/ishim/report", "Report the pictures of an item", {
    status: 200,
    keepsSafe: true,
  })
    .input(CheckReport)
    .mutation(({ ctx, input }) => fileCheckReport(ctx, input)),

  mine: memberList("GET /reports/mine", "The member's own reports and their outcomes", FiledReport).query(
    async ({ ctx }) => ({ items: await listFiledReports(ctx) }),
  ),

  /** The losing side's one appeal; a suspended member may appeal too. */
  appeal: sessionProcedure("POST /report/{reportId}/appeal", "Appeal a decision, once")
    .input(AppealDraft)
    .output(z.object({ reportId: z.number().int(), side: z.enum(["subject", "reporter"]) }))
    .mutation(({ ctx, input }) => fileAppeal(ctx, input.reportId, input.text)),
});
