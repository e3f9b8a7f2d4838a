import { DAY_MS, REPORTS_PER_DAY_MAX } from "@lambda/contract/limits";
import { RULES, type Rule } from "@lambda/contract/moderation";
import type { ReportDraft, ReportSource } from "@lambda/contract/reports";
import { sql } from "kysely";
import type { z } from "zod";
import type { Compiled } from "../../platform/db/batch.ts";
import { failedGuard, guardQuery } from "../../platform/db/guard.ts";
import { AppError } from "../../platform/errors.ts";
import { randomHex } from "../../platform/hash.ts";
import { bytesOf } from "../../platform/rate-limits/bytes.ts";
import { limit, spend } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { withdrawGone } from "../../social/messages/reportable.ts";
import type { NotifyContext } from "../../social/notifications/notify.ts";
import type { AuditEvent } from "../audit/chain.ts";
import { withAudit } from "../audit/log.ts";
import type { Effect, Filer } from "../case/case.ts";
import { step } from "../case/step.ts";
import type { CaseHead } from "../effects/find-case.ts";
import { toAuditEvent } from "../effects/log-entries.ts";
import { prepare } from "../effects/prepare.ts";
import {
  type FrozenItem,
  freezeMessages,
  freezeOnce,
  freezePictures,
  freezeProfile,
  insertEvidenceQueries,
} from "../evidence/freeze.ts";
import { freezeIntroduction } from "../evidence/freeze-introduction.ts";
import { holdFiledCase } from "../hold/automatic.ts";
import { createFirstJury } from "../jury/create-jury.ts";
import { findCleared, findOpenCase, readFilings } from "./queries.ts";
import { credibilityOf, mayReport } from "./reporter.ts";
import { joinCredibility, priorityOf } from "./rules.ts";

/**
 * Files a report, or joins it to the open case against the same member. Throws NOT_FOUND for a member that the reporter never had
 * to do with, TOO_MANY_REQUESTS beyond the day's cap.
 */
export async function fileReport(ctx: MemberContext, draft: z.output<typeof ReportDraft>): Promise<Filed> {
  const { subjectProfileId: subjectId, category, source, text } = draft;
  if (subjectId === ctx.viewer.profileId) throw new AppError("NOT_ALLOWED");
  if (!(await mayReport(ctx, subjectId))) throw new AppError("NOT_FOUND");
  await limit(ctx.env, `report:${ctx.viewer.profileId}`, REPORTS_PER_DAY_MAX, DAY_MS);

  const messageIds = [...draft.messageIds];
  const pictureIds = [...draft.pictureIds];
  if (source === "message" || source === "broadcast") messageIds.push(draft.sourceId ?? 0);
  if (source === "picture") pictureIds.push(draft.sourceId ?? 0);
  const [profile, messages, pictures, once, voices] = await Promise.all([
    freezeProfile(ctx.db, subjectId, ctx.now),
    freezeMessages(ctx, subjectId, [...new Set(messageIds)]),
    freezePictures(ctx, subjectId, pictureIds),
    freezeOnce(ctx, subjectId, [...new Set(messageIds)]),
    freezeIntroduction(ctx, subjectId, draft.voiceId),
  ]);
  const found = source === "picture" ? pictures : messages;
  if (source !== "profile" && !found.some((item) => item.sourceId === draft.sourceId)) throw new AppError("NOT_FOUND");

  const items = [profile, ...messages, ...pictures, ...once, ...voices];
  await spend(ctx, "reports", ctx.viewer.profileId, { reportBytes: bytesOf(JSON.stringify(items)) + bytesOf(text) });
  const credibility = await credibilityOf(ctx);
  const filed = await openCase(ctx, {
    subjectId,
    category,
    source,
    sourceId: source === "profile" ? subjectId : (draft.sourceId ?? subjectId),
    text,
    reporterId: ctx.viewer.profileId,
    credibility,
    items,
  });
  await withdrawGone(
    ctx,
    subjectId,
    messages.map(({ sourceId }) => sourceId),
  );
  return filed;
}

export interface NewCase {
  readonly subjectId: number;
  readonly category: Rule;
  readonly source: ReportSource;
  readonly sourceId: number;
  readonly text: string;
  /** Null: no member; `filer` says who, a game where it is absent. */
  readonly reporterId: number | null;
  readonly filer?: Filer;
  readonly credibility: number;
  readonly items: readonly FrozenItem[];
}

export interface Filed {
  /** Of the case. */
  readonly id: number;
  /** The same member had reported it before: what is new joined that report. */
  readonly isRepeated: boolean;
}

/** Reports of the same member at the same moment make us read again; more in a row than this are a fault. */
const ATTEMPTS_MAX = 8;

/** What runs in the batch of a new case, all or nothing. */
interface CaseExtras {
  readonly queries: readonly Compiled[];
  readonly events: readonly AuditEvent[];
}

/**
 * Opens a case or merges into the open one, with its evidence and its audit entry. A guard among the queries of `extras`
 * that fails is thrown.
 */
export async function openCase(
  ctx: NotifyContext,
  filed: NewCase,
  extras: CaseExtras = { queries: [], events: [] },
): Promise<Filed> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const open = await findOpenCase(ctx.db, ctx.brand.id, filed);
      const opened = open ? await mergeInto(ctx, open, filed, extras) : await createCase(ctx, filed, extras);
      await holdFiledCase(ctx, opened.id, filed.category);
      return opened;
    } catch (error) {
      const overtaken = failedGuard(error) || /UNIQUE constraint failed: report\./.test(String(error));
      if (attempt === ATTEMPTS_MAX || !overtaken) throw error;
    }
  }
}

async function createCase(ctx: NotifyContext, filed: NewCase, extras: CaseExtras): Promise<Filed> {
  const { db, brand, now } = ctx;
  const { category: rule, credibility, subjectId } = filed;
  const tsCleared = await findCleared(db, subjectId);
  const event = {
    type: "filed",
    rule,
    by: filerOf(filed),
    isPrivate: isPrivate(filed),
    credibility,
    tsCleared,
  } as const;
  const { state, effects } = step({ at: "new" }, event, now);
  const caseRef = randomHex(12);
  const head = { caseRef, brand: brand.id, subjectId, rule, tsCreated: now, juryId: null, state };
  const rows = await withAudit(
    ctx,
    [
      ...extras.queries,
      ...effects.flatMap((effect) =>
        effect.type === "createCase" ? [insertReportQuery(ctx, caseRef, filed, effect)] : [],
      ),
      ...filingQueries(ctx, caseRef, filed, { credibility, isRepeated: false }),
      ...insertEvidenceQueries(db, caseRef, filed.items),
      db.selectFrom("report").select("id").where("case_ref", "=", caseRef).compile(),
    ],
    [
      ...extras.events,
      ...effects.flatMap((effect) => (effect.type === "log" ? [toAuditEvent(head, effect.entry, now)] : [])),
    ],
  );
  const { id } = (rows.at(-1) as { id: number }[])[0]!;
  if (state.at === "staff" && state.reason === null) await createFirstJury(ctx, { ...head, id });
  return { id, isRepeated: false };
}

async function mergeInto(ctx: NotifyContext, open: CaseHead, filed: NewCase, extras: CaseExtras): Promise<Filed> {
  const { db, now } = ctx;
  const before = await readFilings(db, open, filed.reporterId);
  const { isRepeated, jurorId } = before;
  const credibility = isRepeated ? before.credibility : joinCredibility(before.credibility, filed.credibility);
  const { effects } = step(
    open.state,
    {
      type: "merged",
      rule: filed.category,
      by: filerOf(filed),
      isPrivate: isPrivate(filed),
      isRepeated,
      jurorId,
    },
    now,
  );
  const { queries, events } = await prepare(ctx, open, effects);
  await withAudit(
    ctx,
    [
      ...extras.queries,
      requireUnchangedQuery(ctx, open.id, before.filings),
      ...filingQueries(ctx, open.caseRef, filed, { credibility, isRepeated }),
      ...insertEvidenceQueries(db, open.caseRef, filed.items),
      ...queries,
    ],
    [...extras.events, ...events],
  );
  return { id: open.id, isRepeated };
}

function filerOf({ reporterId, filer }: NewCase): Filer {
  return filer ?? (reporterId === null ? "game" : "member");
}

/** About a picture that was not public. */
function isPrivate({ source, sourceId, items }: NewCase): boolean {
  return source === "picture" && items.some((item) => item.staffOnly && item.sourceId === sourceId);
}

/** Nobody joined and nobody decided the case since it was read: its number of filings is its version. */
function requireUnchangedQuery({ db }: NotifyContext, id: number, filings: number): Compiled {
  return guardQuery(
    db,
    sql<boolean>`exists (select 1 from report where id = ${id} and state <> 'decided' and filings = ${filings})`,
  );
}

function insertReportQuery(
  { db, brand, now }: NotifyContext,
  caseRef: string,
  { subjectId, source, sourceId, category }: NewCase,
  { state, reason }: Extract<Effect, { type: "createCase" }>,
): Compiled {
  return db
    .insertInto("report")
    .values({
      case_ref: caseRef,
      brand: brand.id,
      subject_id: subjectId,
      source,
      source_id: sourceId,
      category,
      severity: RULES[category].severity,
      staff_only: RULES[category].staffOnly ? 1 : 0,
      state,
      staff_reason: reason,
      ts_created: now,
    })
    .compile();
}

/** One filing for each reporter and case: what a reporter adds later joins the text, and counts once. */
function filingQueries(
  { db, now }: NotifyContext,
  caseRef: string,
  filed: NewCase,
  { credibility, isRepeated }: { credibility: number; isRepeated: boolean },
): Compiled[] {
  const { category, source, text, reporterId } = filed;
  return [
    db
      .updateTable("report")
      .set({
        credibility,
        severity: sql<number>`max(severity, ${RULES[category].severity})`,
        priority: sql<number>`max(priority, ${priorityOf(category, credibility)})`,
      })
      .set(isRepeated ? {} : { filings: sql<number>`filings + 1` })
      .where("case_ref", "=", caseRef)
      .compile(),
    db
      .insertInto("report_filing")
      .columns(["report_id", "reporter_id", "category", "source", "text", "credibility", "filer", "ts_created"])
      .expression((select) =>
        select
          .selectFrom("report")
          .select(["id as report_id", sql.val(reporterId).as("reporter_id"), sql.val(category).as("category")])
          .select([sql.val(source).as("source"), sql.val(text).as("text")])
          .select([sql.val(filed.credibility).as("credibility"), sql.val(filerOf(filed)).as("filer")])
          .select(sql.val(now).as("ts_created"))
          .where("case_ref", "=", caseRef),
      )
      .onConflict((conflict) =>
        conflict.columns(["report_id", "reporter_id"]).doUpdateSet({
          category,
          source,
          text: sql<string>`case when instr(text, excluded.text) > 0 then text
            else substr(trim(text || char(10) || excluded.text), 1, 4000) end`,
        }),
      )
      .compile(),
  ];
}
