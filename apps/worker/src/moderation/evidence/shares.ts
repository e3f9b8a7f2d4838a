/**
 * What readers get of a case with more evidence or complaints than they can judge. No reporter takes another's place with more of their own:
 * the newest piece of each comes first, then the second of each.
 */
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";

/** What a reader gets, and how much more there is. */
export interface Share<Row> {
  readonly rows: Row[];
  readonly omitted: number;
}

function toShare<Row extends { readonly total: number }>(rows: Row[]): Share<Row> {
  return { rows, omitted: (rows[0]?.total ?? 0) - rows.length };
}

const TOTAL = sql<number>`count(*) over ()`.as("total");

/** Evidence of a case, oldest first. @param condition on a row `e` of evidence */
export async function listEvidence(
  db: Database,
  reportId: number,
  limit: number,
  condition: RawBuilder<boolean> = sql<boolean>`true`,
) {
  const places = db
    .selectFrom("evidence as e")
    .leftJoin("evidence_filer as b", "b.evidence_id", "e.id")
    .leftJoin("report_filing as f", (join) =>
      join.onRef("f.report_id", "=", "e.report_id").onRef("f.reporter_id", "=", "b.reporter_id"),
    )
    .select(["e.id", "f.credibility"])
    .select(sql<number>`row_number() over (partition by b.reporter_id order by e.ts_source desc, e.id)`.as("place"))
    .where("e.report_id", "=", reportId)
    .where(condition);
  const rows = await db
    .selectFrom(places.as("s"))
    .innerJoin("evidence as e", "e.id", "s.id")
    .selectAll("e")
    .select(TOTAL)
    .groupBy("e.id")
    .orderBy(({ fn }) => fn.min("s.place"))
    .orderBy(({ fn }) => fn.max("s.credibility"), "desc")
    .orderBy("e.id")
    .limit(limit)
    .execute();
  return toShare(rows.toSorted((one, other) => one.ts_source - other.ts_source));
}

/** The complaints of a case, oldest first; those of the most credible reporters if there are more. */
export async function listComplaints(db: Database, reportId: number, limit: number, withText = false) {
  let query = db
    .selectFrom("report_filing as f")
    .selectAll("f")
    .select(TOTAL)
    .where("f.report_id", "=", reportId)
    .orderBy("f.credibility", "desc")
    .orderBy("f.id")
    .limit(limit);
  if (withText) query = query.where("f.text", "<>", "");
  const rows = await query.execute();
  return toShare(rows.toSorted((one, other) => one.ts_created - other.ts_created));
}
