import type { CaseFile, QueueEntry } from "@lambda/contract/admin";
import type { JurySanction } from "@lambda/contract/arbitration";
import { QUEUE_PAGE_SIZE } from "@lambda/contract/limits";
import type { Rule } from "@lambda/contract/moderation";
import { sql } from "kysely";
import type { ModerationActionRow } from "../../platform/db/tables.ts";
import { notFound } from "../../platform/errors.ts";
import { toIso, toIsoOrNull } from "../../platform/iso-time.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { isUnderAppeal } from "../evidence/settled.ts";
import { listComplaints, listEvidence } from "../evidence/shares.ts";
import { evidenceWords } from "../evidence/words.ts";
import { caseInScope } from "./scope.ts";

type View = "staff" | "jury" | "decided" | "appeals";

function selectCases(ctx: MemberContext) {
  return ctx.db
    .selectFrom("report as r")
    .innerJoin("profile as p", "p.id", "r.subject_id")
    .select(["r.id", "r.case_ref", "r.brand", "r.subject_id", "p.profile_name", "r.source", "r.category"])
    .select(["r.severity", "r.credibility", "r.filings", "r.state", "r.outcome", "r.ts_created"])
    .select("r.staff_reason")
    .select(
      sql<JurySanction | null>`case when r.staff_reason = 'recommended'
        and (r.state <> 'decided' or ${isUnderAppeal("r.id")})
        then (select j.sanction from jury j where j.report_id = r.id order by j.round desc limit 1) end`.as(
        "recommended",
      ),
    )
    .select(isUnderAppeal("r.id").as("appealed"));
}

/** Lists open cases by severity and credibility, appeals that wait for staff, or the cases decided last. */
export async function listQueue(ctx: MemberContext, view: View): Promise<QueueEntry[]> {
  const inScope = caseInScope(ctx);
  const cases = selectCases(ctx).where(inScope).limit(QUEUE_PAGE_SIZE);
  const byPriority = cases.orderBy("r.priority", "desc").orderBy("r.ts_created");
  const queries = {
    // Few cases wait for an appeal. What no index can serve keeps SQLite from reading all cases of the brand in the order of the queue.
    appeals: selectCases(ctx)
      .where(sql<boolean>`iif(${inScope}, 1, 0)`)
      .limit(QUEUE_PAGE_SIZE)
      .where(sql<boolean>`r.id in (select report_id from appeal where jury_id is null and result is null)`)
      .orderBy(sql`+r.priority`, "desc")
      .orderBy("r.ts_created"),
    // A literal, as the indexes of decided cases are partial.
    decided: cases.where("r.state", "=", sql.lit("decided" as const)).orderBy("r.ts_decided", "desc"),
    staff: byPriority.where("r.state", "=", "staff"),
    jury: byPriority.where("r.state", "=", "jury"),
  };
  return (await queries[view].execute()).map(toQueueEntry);
}

type CaseRow = Awaited<ReturnType<ReturnType<typeof selectCases>["executeTakeFirstOrThrow"]>>;

const COMPLAINTS_MAX = 100;
const EVIDENCE_MAX = 200;

/** Reads a case with everything that staff may know about it. Throws NOT_FOUND out of scope. */
export async function readCaseFile(ctx: MemberContext, id: number): Promise<CaseFile> {
  const { db } = ctx;
  const row = await selectCases(ctx).where("r.id", "=", id).where(caseInScope(ctx)).executeTakeFirstOrThrow(notFound);
  const [complaints, evidence, actions, juries, jurors, appeals] = await Promise.all([
    listComplaints(db, id, COMPLAINTS_MAX),
    listEvidence(db, id, EVIDENCE_MAX),
    db.selectFrom("moderation_action").selectAll().where("report_id", "=", id).orderBy("ts_created").execute(),
    db.selectFrom("jury").selectAll().where("report_id", "=", id).orderBy("round").execute(),
    db
      .selectFrom("juror as v")
      .innerJoin("jury as j", "j.id", "v.jury_id")
      .select(["j.round", "v.reason"])
      .where("j.report_id", "=", id)
      .where("v.state", "=", "voted")
      .execute(),
    db.selectFrom("appeal").select(["side", "text", "result", "jury_id"]).where("report_id", "=", id).execute(),
  ]);
  return {
    ...toQueueEntry(row),
    complaints: complaints.rows.map((filing) => ({
      rule: filing.category as Rule,
      text: filing.text,
      credibility: filing.credibility,
      by: filing.filer,
      tsCreated: toIso(filing.ts_created),
    })),
    evidence: evidence.rows.map((item) => {
      const body = JSON.parse(item.body) as Record<string, string | number | boolean>;
      return {
        id: item.id,
        kind: item.kind,
        byReported: item.author_id === row.subject_id,
        text: [body.name, evidenceWords(body)].filter(Boolean).join("\n"),
        hasPicture: item.r2_key !== null && item.kind === "picture",
        hasVoice: item.r2_key !== null && (item.kind === "message" || item.kind === "voice"),
        sourceId: item.source_id,
        tsSource: toIso(item.ts_source),
      };
    }),
    omitted: complaints.omitted + evidence.omitted,
    actions: actions.map(toActionEntry),
    juries: juries.map((jury) => {
      const reasons = jurors.filter((juror) => juror.round === jury.round).map((juror) => juror.reason);
      return { round: jury.round, verdict: jury.verdict, sanction: jury.sanction, votes: reasons.length, reasons };
    }),
    appeals: appeals.map(({ side, text, result, jury_id }) => ({
      side,
      text,
      result,
      forStaff: result === null && jury_id === null,
    })),
  };
}

function toQueueEntry(row: CaseRow): QueueEntry {
  return {
    id: row.id,
    caseRef: row.case_ref,
    brand: row.brand,
    subjectProfileId: row.subject_id,
    subjectName: row.profile_name,
    source: row.source,
    category: row.category as Rule,
    severity: row.severity,
    credibility: row.credibility,
    filings: row.filings,
    state: row.state,
    appealed: row.appealed === 1,
    staffReason: row.staff_reason,
    recommended: row.recommended,
    outcome: row.outcome,
    tsCreated: toIso(row.ts_created),
  };
}

export function toActionEntry(row: ModerationActionRow) {
  return {
    id: row.id,
    kind: row.kind,
    rule: row.rule as Rule,
    reason: row.reason,
    byJury: row.by_jury === 1,
    brand: row.brand,
    tsCreated: toIso(row.ts_created),
    tsUntil: toIsoOrNull(row.ts_until),
    tsLifted: toIsoOrNull(row.ts_lifted),
  };
}
