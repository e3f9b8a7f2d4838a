/** Opens cases, whoever files them: a member, a game, a visitor's notice or the site itself. */

import { RULES, type Rule } from "@lambda/contract/moderation";
import type { ReportSource } from "@lambda/contract/reports";
import { sql } from "kysely";
import type { NotifyContext } from "../../notifications/notify.ts";
import { type Database, guardQuery, isGuardFailure, type Query, retryIfOvertaken } from "../../platform/db/database.ts";
import type { ReportFilingRow, ReportRow } from "../../platform/db/tables.ts";
import { randomHex, randomId } from "../../platform/hash.ts";
import type { AuditEvent } from "../audit/chain.ts";
import { withAudit } from "../audit/log.ts";
import type { Effect, Filer } from "../case/case.ts";
import { step } from "../case/step.ts";
import { type CaseHeader, type FoundCase, findCase } from "../effects/find-case.ts";
import { prepareEffects } from "../effects/prepare-effects.ts";
import { type FrozenItem, insertEvidenceQueries } from "../evidence/freeze.ts";
import { holdFiledCase } from "../hold/start.ts";
import { createFirstJury } from "../jury/create-jury.ts";
import { readFilings } from "./queries.ts";
import { combineCredibility, priorityOf } from "./rules.ts";

export interface NewCase {
  readonly subjectId: number;
  readonly category: Rule;
  readonly source: ReportSource;
  readonly sourceId: number;
  readonly text: string;
  /** Absent if no member filed it; `filer` then says who did, by default a game. */
  readonly reporterId?: number;
  readonly filer?: Filer;
  readonly credibility: number;
  readonly items: readonly FrozenItem[];
}

export interface ReportResult {
  readonly id: number;
  /** Whether the same reporter had reported the case before; the new content then joined the earlier report. */
  readonly isRepeated: boolean;
}

/** The id of a case in the batch that creates it. */
export const caseIdOf = (db: Database, caseRef: string) =>
  db.selectFrom("report").select("id").where("case_ref", "=", caseRef);

/** Audit events that precede those of the case, and queries that the same batch runs after its own. */
interface CaseExtras {
  readonly queries?: readonly Query[];
  readonly events?: readonly AuditEvent[];
}

/**
 * Opens a case or merges into the open one, with its evidence and its audit entry. Throws if a guard among the queries
 * of `extras` fails; they find the case by its reference, because it has no id yet.
 */
export async function openCase(
  ctx: NotifyContext,
  newCase: NewCase,
  extras: (caseRef: string) => CaseExtras = () => ({}),
): Promise<ReportResult> {
  const tryOpen = async () => {
    const found = await findCase(
      ctx.db,
      sql<boolean>`r.subject_id = ${newCase.subjectId} and r.brand = ${ctx.brand.id} and r.state <> 'decided'
      and r.staff_only = ${RULES[newCase.category].staffOnly ? 1 : 0}`,
    );
    const caseRef = found?.caseRef ?? randomHex(12);
    return found
      ? mergeReport(ctx, found, newCase, extras(caseRef))
      : createCase(ctx, caseRef, newCase, extras(caseRef));
  };
  const opened = await retryIfOvertaken(
    tryOpen,
    (error) => isGuardFailure(error) || /UNIQUE constraint failed: report\./.test(String(error)),
  );
  await holdFiledCase(ctx, opened.id, newCase.category);
  return opened;
}

async function createCase(
  ctx: NotifyContext,
  caseRef: string,
  newCase: NewCase,
  extras: CaseExtras,
): Promise<ReportResult> {
  const { db, brand, now } = ctx;
  const { category: rule, credibility, subjectId } = newCase;
  const row = await db
    .selectFrom("report")
    .select("ts_decided")
    .where("subject_id", "=", subjectId)
    .where("outcome", "=", "none")
    .orderBy("ts_decided", "desc")
    .limit(1)
    .executeTakeFirst();
  const tsCleared = row?.ts_decided ?? null;
  const reported = { rule, by: filerOf(newCase), isPrivate: isPrivate(newCase) };
  const { state, effects } = step({ at: "new" }, { type: "filed", ...reported, credibility, tsCleared }, now);
  const reason = state.at === "staff" ? state.reason : null;
  const newId = sql<number>`${caseIdOf(db, caseRef)}`;
  const header = { id: newId, caseRef, brand: brand.id, subjectId, rule, tsCreated: now, juryId: null, state };
  const insert = insertCaseQuery(ctx, caseRef, newCase, { state: "staff", staff_reason: reason });
  const id = await file(ctx, header, effects, insert, newCase, { credibility, isRepeated: false }, extras);
  if (reason === null) await createFirstJury(ctx, { ...header, id });
  return { id, isRepeated: false };
}

async function mergeReport(
  ctx: NotifyContext,
  found: FoundCase,
  newCase: NewCase,
  extras: CaseExtras,
): Promise<ReportResult> {
  const { db, now } = ctx;
  const current = await readFilings(db, found, newCase.reporterId ?? null);
  const { isRepeated, jurorId } = current;
  const credibility = isRepeated ? current.credibility : combineCredibility(current.credibility, newCase.credibility);
  const reported = { rule: newCase.category, by: filerOf(newCase), isPrivate: isPrivate(newCase) };
  const { effects } = step(found.state, { type: "merged", ...reported, isRepeated, jurorId }, now);
  // Aborts if anybody joined or decided the case since it was read; the number of filings serves as its version.
  const isUnchanged = guardQuery(
    db,
    sql<boolean>`exists (select 1 from report where id = ${found.id} and state <> 'decided' and filings = ${current.filings})`,
  );
  const id = await file(ctx, found, effects, isUnchanged, newCase, { credibility, isRepeated }, extras);
  return { id, isRepeated };
}

/** Adds a filing with its evidence to a case that `first` creates or guards, in one batch. Returns the case's id. */
async function file(
  ctx: NotifyContext,
  header: CaseHeader,
  effects: readonly Effect[],
  first: Query,
  newCase: NewCase,
  counted: { readonly credibility: number; readonly isRepeated: boolean },
  extras: CaseExtras,
): Promise<number> {
  const { caseRef } = header;
  const prepared = await prepareEffects(ctx, header, effects);
  const receipt = randomHex(32);
  const rows = await withAudit(
    ctx,
    [
      first,
      ...filingQueries(ctx, caseRef, newCase, { ...counted, receipt }),
      ...insertEvidenceQueries(ctx.db, caseRef, newCase.items, newCase.reporterId),
      ...prepared.queries,
      ...(extras.queries ?? []),
      caseIdOf(ctx.db, caseRef),
    ],
    [...(extras.events ?? []), ...prepared.events.map((event) => withReceipt(event, receipt))],
  );
  return (rows.at(-1) as { id: number }[])[0]!.id;
}

/** By the receipt the reporter finds their own entry in the public chain, and nobody else's. */
function withReceipt(event: AuditEvent, receipt: string): AuditEvent {
  const isFiling = event.action === "report.filed" || event.action === "report.joined";
  return isFiling ? { ...event, details: { ...event.details, filed: receipt } } : event;
}

const filerOf = ({ reporterId, filer }: NewCase): Filer => filer ?? (reporterId === undefined ? "game" : "member");

/** Whether the reported picture was not public. */
function isPrivate({ source, sourceId, items }: NewCase): boolean {
  return source === "picture" && items.some((item) => item.staffOnly && item.sourceId === sourceId);
}

/** A new case in the state that its first event leads to. */
export function insertCaseQuery(
  { db, brand, now }: NotifyContext,
  caseRef: string,
  { subjectId, source, sourceId, category }: Pick<NewCase, "subjectId" | "source" | "sourceId" | "category">,
  state: Pick<ReportRow, "state"> & Partial<Pick<ReportRow, "staff_reason" | "outcome" | "ts_decided">>,
): Query {
  const { severity, staffOnly } = RULES[category];
  return db.insertInto("report").values({
    id: randomId(),
    case_ref: caseRef,
    brand: brand.id,
    subject_id: subjectId,
    source,
    source_id: sourceId,
    category,
    severity,
    staff_only: staffOnly ? 1 : 0,
    ts_created: now,
    ...state,
  });
}

/** One filing per reporter and case: a reporter's later report adds to the text but counts once. */
function filingQueries(
  ctx: NotifyContext,
  caseRef: string,
  newCase: NewCase,
  { credibility, isRepeated, receipt }: { credibility: number; isRepeated: boolean; receipt: string },
): Query[] {
  const { category } = newCase;
  return [
    ctx.db
      .updateTable("report")
      .set({
        credibility,
        severity: sql<number>`max(severity, ${RULES[category].severity})`,
        priority: sql<number>`max(priority, ${priorityOf(category, credibility)})`,
      })
      .set(isRepeated ? {} : { filings: sql<number>`filings + 1` })
      .where("case_ref", "=", caseRef),
    insertFilingQuery(ctx, caseRef, { ...newCase, filer: filerOf(newCase), receipt }),
  ];
}

type Filing = Pick<NewCase, "category" | "source" | "text" | "reporterId" | "credibility"> &
  Pick<ReportFilingRow, "filer"> & { readonly receipt?: string };

export function insertFilingQuery(
  { db, now }: NotifyContext,
  caseRef: string,
  { category, source, text, reporterId, credibility, filer, receipt }: Filing,
): Query {
  const reportId = caseIdOf(db, caseRef);
  return db
    .insertInto("report_filing")
    .values({
      id: sql<number>`case when exists (select 1 from report_filing f where f.report_id = ${reportId}) then ${randomId()} else ${reportId} end`,
      report_id: reportId,
      reporter_id: reporterId ?? null,
      category,
      source,
      text,
      credibility,
      filer,
      ts_created: now,
      receipt: receipt ?? null,
    })
    .onConflict((conflict) =>
      conflict.columns(["report_id", "reporter_id"]).doUpdateSet({
        category,
        source,
        text: sql<string>`case when instr(text, excluded.text) > 0 then text
          else substr(trim(text || char(10) || excluded.text), 1, 4000) end`,
      }),
    );
}
