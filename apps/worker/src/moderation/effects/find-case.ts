import type { BrandId } from "@lambda/brands";
import type { Rule } from "@lambda/contract/moderation";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import type { ReportRow } from "../../platform/db/tables.ts";
import type { Case, OpenJury, Side } from "../case/case.ts";

/** The current state of a case, with the fields needed to write its effects. */
export interface CaseHeader {
  /** A subquery if the same batch creates the case. */
  readonly id: number | RawBuilder<number>;
  readonly caseRef: string;
  readonly brand: BrandId;
  readonly subjectId: number;
  readonly rule: Rule;
  readonly tsCreated: number;
  /** The open jury on the case or on its appeal. */
  readonly juryId: number | null;
  readonly state: Case;
}

export interface FoundCase extends CaseHeader {
  readonly id: number;
  readonly subjectName: string;
  readonly source: ReportRow["source"];
  readonly sourceId: number;
}

/** JSON of OpenJury plus its id; null if no jury is open. */
const OPEN_JURY = sql<
  string | null
>`(select json_object('id', j.id, 'round', j.round, 'tsSeated', j.ts_opened, 'pool', j.pool,
    'waiting', sum(v.state = 'summoned'), 'voted', sum(v.state = 'voted'))
  from jury j left join juror v on v.jury_id = j.id where j.report_id = r.id and j.state = 'open' group by j.id)`.as(
  "jury",
);
/** JSON array of all appeals of the case. */
const APPEALS = sql<string>`(select json_group_array(json_object('side', a.side, 'result', a.result))
  from appeal a where a.report_id = r.id)`.as("appeals");

function selectCase(db: Database, condition: RawBuilder<boolean>) {
  return db
    .selectFrom("report as r")
    .innerJoin("profile as p", "p.id", "r.subject_id")
    .select(["r.id", "r.case_ref", "r.brand", "r.subject_id", "r.source", "r.source_id", "r.category", "r.state"])
    .select(["r.staff_reason", "r.outcome", "r.ts_created", "r.ts_decided", "p.profile_name", OPEN_JURY, APPEALS])
    .where(condition);
}
type CaseRow = Awaited<ReturnType<ReturnType<typeof selectCase>["executeTakeFirstOrThrow"]>>;

/** Loads the case that a condition on `report r` selects, in one statement. */
export async function findCase(db: Database, condition: RawBuilder<boolean>): Promise<FoundCase | undefined> {
  const row = await selectCase(db, condition).executeTakeFirst();
  if (!row) return undefined;
  const jury = row.jury === null ? null : (JSON.parse(row.jury) as OpenJury & { id: number });
  return {
    id: row.id,
    caseRef: row.case_ref,
    brand: row.brand as BrandId,
    subjectId: row.subject_id,
    subjectName: row.profile_name,
    source: row.source,
    sourceId: row.source_id,
    rule: row.category as Rule,
    tsCreated: row.ts_created,
    juryId: jury?.id ?? null,
    state: toState(row, jury),
  };
}

function toState(row: CaseRow, jury: OpenJury | null): Case {
  const rule = row.category as Rule;
  if (row.state !== "decided") {
    return jury && row.state === "jury" ? { at: "jury", rule, jury } : { at: "staff", rule, reason: row.staff_reason };
  }
  const appeals = JSON.parse(row.appeals) as { side: Side; result: string | null }[];
  const decision = {
    outcome: row.outcome ?? "none",
    tsDecided: row.ts_decided ?? row.ts_created,
    appealed: appeals.map(({ side }) => side),
  };
  const pending = appeals.find(({ result }) => result === null);
  return pending ? { at: "appeal", rule, decision, side: pending.side, jury } : { at: "decided", rule, decision };
}
