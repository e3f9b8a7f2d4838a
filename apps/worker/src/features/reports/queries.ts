import type { Rule } from "@lambda/contract/moderation";
import type { FiledReport } from "@lambda/contract/reports";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { appealState } from "../arbitration/rules.ts";

/** The open case of the same thing on this brand. */
export function findOpenReport(
  db: Database,
  brand: string,
  filed: { subjectId: number; source: string; sourceId: number; category: string },
) {
  return db
    .selectFrom("report")
    .select(["id", "case_ref", "credibility", "filings"])
    .where("subject_id", "=", filed.subjectId)
    .where("brand", "=", brand)
    .where("source", "=", filed.source as "profile")
    .where("source_id", "=", filed.sourceId)
    .where("category", "=", filed.category)
    .where("state", "<>", "decided")
    .executeTakeFirst();
}

/** What a member filed, newest first; says nothing of others who filed the same. */
export async function listFiledReports(
  db: Database,
  reporterId: number,
  now: number,
  reportId?: number,
): Promise<FiledReport[]> {
  let query = db
    .selectFrom("report_filing as f")
    .innerJoin("report as r", "r.id", "f.report_id")
    .leftJoin("appeal as a", (join) => join.onRef("a.report_id", "=", "r.id").on("a.side", "=", "reporter"))
    .select(["r.id", "r.category", "r.source", "r.state", "r.outcome", "r.case_ref", "f.ts_created", "r.ts_decided"])
    .select(["a.result", "a.ts_created as ts_appealed"])
    .select(
      sql<number>`exists (select 1 from appeal p where p.report_id = r.id and p.result is null)`.as("pending_any"),
    )
    .where("f.reporter_id", "=", reporterId)
    .orderBy("f.report_id", "desc")
    .limit(50);
  if (reportId !== undefined) query = query.where("f.report_id", "=", reportId);
  const rows = await query.execute();
  return rows.map((row) => ({
    id: row.id,
    category: row.category as Rule,
    source: row.source,
    state: row.state === "decided" ? "decided" : "open",
    outcome: row.state === "decided" ? row.outcome : null,
    caseRef: row.case_ref,
    tsCreated: new Date(row.ts_created).toISOString(),
    tsDecided: row.ts_decided === null ? null : new Date(row.ts_decided).toISOString(),
    appeal: appealState({
      // He appeals what was not upheld.
      lost: row.outcome === "none",
      decidedAt: row.ts_decided,
      appealed: row.ts_appealed !== null,
      result: row.result,
      pendingAny: row.pending_any === 1,
      open: row.state !== "decided",
      now,
    }),
  }));
}
