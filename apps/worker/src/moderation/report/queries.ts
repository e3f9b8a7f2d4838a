import type { Rule } from "@lambda/contract/moderation";
import type { FiledReport } from "@lambda/contract/reports";
import { sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import { toIso, toIsoOrNull } from "../../platform/iso-time.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { appealOf } from "../case/appeal-rules.ts";
import type { CaseHeader } from "../effects/find-case.ts";
import { isUnderAppeal } from "../evidence/settled.ts";

/**
 * Reads a case's credibility and number of filings, and whether the reporter has filed it before or is one of its
 * jurors.
 */
export async function readFilings(db: Database, { id, juryId }: CaseHeader, reporterId: number | null) {
  const repeated = sql<number>`exists (select 1 from report_filing f where f.report_id = r.id and f.reporter_id = ${reporterId})`;
  const row = await db
    .selectFrom("report as r")
    .select(["r.credibility", "r.filings", repeated.as("repeated")])
    .select((eb) =>
      eb
        .selectFrom("juror as v")
        .select("v.profile_id")
        .where("v.jury_id", "=", juryId)
        .where("v.profile_id", "=", reporterId)
        .where("v.state", "=", "summoned")
        .as("juror_id"),
    )
    .where("r.id", "=", id)
    .executeTakeFirstOrThrow();
  const { credibility, filings } = row;
  return { credibility, filings, isRepeated: row.repeated === 1, jurorId: row.juror_id };
}

/** Lists a member's own reports, newest first, without anything about other reporters. */
export async function listFiledReports({ db, viewer, now }: MemberContext, reportId?: number): Promise<FiledReport[]> {
  let query = db
    .selectFrom("report_filing as f")
    .innerJoin("report as r", "r.id", "f.report_id")
    .leftJoin("appeal as a", (join) => join.onRef("a.report_id", "=", "r.id").on("a.side", "=", "reporter"))
    .select(["f.id", "f.category", "f.source", "r.state", "r.outcome", "r.case_ref", "f.ts_created", "r.ts_decided"])
    .select(
      sql<
        string | null
      >`ifnull(f.receipt, (select e.hash from audit_entry e where e.case_ref = r.case_ref and e.action = 'report.filed'))`.as(
        "receipt",
      ),
    )
    .select(["a.result", "a.ts_created as ts_appealed"])
    .select(isUnderAppeal("r.id").as("pending_any"))
    .where("f.reporter_id", "=", viewer.profileId)
    .orderBy("f.ts_created", "desc")
    .limit(50);
  if (reportId !== undefined) query = query.where("f.report_id", "=", reportId);
  const rows = await query.execute();
  return rows.map((row) => {
    const outcome = row.state === "decided" ? row.outcome : null;
    return {
      id: row.id,
      category: row.category as Rule,
      source: row.source,
      state: row.state === "decided" ? "decided" : "open",
      outcome,
      // While it is open, two reporters must not find out that they reported the same member.
      caseRef: row.state === "decided" ? row.case_ref : null,
      receipt: row.receipt,
      tsCreated: toIso(row.ts_created),
      tsDecided: toIsoOrNull(row.ts_decided),
      ...appealOf("reporter", { ...row, outcome }, now),
    };
  });
}
