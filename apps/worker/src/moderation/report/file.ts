import { DAY_MS, REPORTS_PER_DAY_MAX } from "@lambda/contract/limits";
import { RULES, type Rule } from "@lambda/contract/moderation";
import type { ReportDraft, ReportSource } from "@lambda/contract/reports";
import { sql } from "kysely";
import type { z } from "zod";
import { blockedBy, visibleTo } from "../../members/visibility/visibility.ts";
import type { Compiled } from "../../platform/db/batch.ts";
import { failedGuard, guardQuery } from "../../platform/db/guard.ts";
import { AppError } from "../../platform/errors.ts";
import { randomHex } from "../../platform/hash.ts";
import { bytesOf } from "../../platform/rate-limits/bytes.ts";
import { limit, spend } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import type { NotifyContext } from "../../social/notifications/notify.ts";
import type { AuditEvent } from "../audit/chain.ts";
import { withAudit } from "../audit/log.ts";
import { staffReason } from "../case/rules.ts";
import { type FrozenItem, freezeMessages, freezePictures, freezeProfile, insertEvidence } from "../evidence/freeze.ts";
import { noteStaffReason, openFirstJury } from "../jury/create-jury.ts";
import { handOver } from "../jury/hand-over.ts";
import { findCleared, findOpenReport } from "./queries.ts";
import { joinCredibility, priorityOf, reporterCredibility } from "./rules.ts";

/**
 * Files a report, or joins it to the open case against the same member. Throws NOT_FOUND for a member that the reporter never had
 * to do with, TOO_MANY_REQUESTS beyond the day's cap. Answers the case's id.
 */
export async function fileReport(ctx: MemberContext, draft: z.output<typeof ReportDraft>): Promise<number> {
  const { subjectProfileId: subjectId, category, source, text } = draft;
  if (subjectId === ctx.viewer.profileId) throw new AppError("NOT_ALLOWED");
  if (!(await mayReport(ctx, subjectId))) throw new AppError("NOT_FOUND");
  await limit(ctx.env, `report:${ctx.viewer.profileId}`, REPORTS_PER_DAY_MAX, DAY_MS);

  const messageIds = [...draft.messageIds];
  const pictureIds = [...draft.pictureIds];
  if (source === "message" || source === "broadcast") messageIds.push(draft.sourceId ?? 0);
  if (source === "picture") pictureIds.push(draft.sourceId ?? 0);
  const [profile, messages, pictures] = await Promise.all([
    freezeProfile(ctx.db, subjectId, ctx.now),
    freezeMessages(ctx, subjectId, [...new Set(messageIds)]),
    freezePictures(ctx, subjectId, pictureIds),
  ]);
  const found = source === "picture" ? pictures : messages;
  if (source !== "profile" && !found.some((item) => item.sourceId === draft.sourceId)) throw new AppError("NOT_FOUND");

  const items = [profile, ...messages, ...pictures];
  await spend(ctx, "reports", ctx.viewer.profileId, { reportBytes: bytesOf(JSON.stringify(items)) + bytesOf(text) });
  const credibility = await credibilityOf(ctx);
  return openCase(ctx, {
    subjectId,
    category,
    source,
    sourceId: source === "profile" ? subjectId : (draft.sourceId ?? subjectId),
    text,
    reporterId: ctx.viewer.profileId,
    credibility,
    items,
  });
}

export interface NewCase {
  readonly subjectId: number;
  readonly category: Rule;
  readonly source: ReportSource;
  readonly sourceId: number;
  readonly text: string;
  /** Null: the consensus of a game. */
  readonly reporterId: number | null;
  readonly credibility: number;
  readonly items: readonly FrozenItem[];
}

/** Others who report the same member at the same moment make us look again; more than this many in a row is a fault. */
const TRIES = 8;

/** What runs in the batch of a new case, all or nothing. */
interface Along {
  readonly queries: readonly Compiled[];
  readonly events: readonly AuditEvent[];
}

/**
 * Opens a case or merges into the open one, with its evidence and its audit entry. A guard among the queries of `along`
 * that fails is thrown.
 */
export async function openCase(
  ctx: NotifyContext,
  filed: NewCase,
  along: Along = { queries: [], events: [] },
): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await openOrJoin(ctx, filed, along);
    } catch (error) {
      const overtaken = failedGuard(error) || /UNIQUE constraint failed: report\./.test(String(error));
      if (tries === TRIES || !overtaken) throw error;
    }
  }
}

async function openOrJoin(ctx: NotifyContext, filed: NewCase, along: Along): Promise<number> {
  const { db, brand, now } = ctx;
  const { category } = filed;
  const open = await findOpenReport(db, brand.id, filed);
  const caseRef = open?.case_ref ?? randomHex(12);
  const already = open && filed.reporterId !== null ? await hasFiled(ctx, open.id, filed.reporterId) : false;
  const joined = open && !already ? joinCredibility(open.credibility, filed.credibility) : filed.credibility;
  const credibility = already ? open!.credibility : joined;
  const isPrivate =
    filed.source === "picture" && filed.items.some((item) => item.staffOnly && item.sourceId === filed.sourceId);
  // A jury is asked about one rule, and those who have voted did not see what another reporter brings.
  const disturbed = open?.category !== category || isPrivate || (!already && open.votes > 0);

  const rows = await withAudit(
    ctx,
    [
      ...along.queries,
      open ? stillOpen(ctx, open) : insertReport(ctx, caseRef, filed),
      ...addFiling(ctx, caseRef, filed, { credibility, already }),
      ...insertEvidence(db, caseRef, filed.items),
      ...(open?.jury_id != null && disturbed ? handOver(ctx, open.jury_id, open.id, "joined") : []),
      ...(open?.jury_id != null && filed.reporterId !== null ? [excuse(ctx, open.jury_id, filed.reporterId)] : []),
      sql`select id from report where case_ref = ${caseRef}`.compile(db),
    ],
    [...along.events, ...(already ? [] : [filingEvent(ctx, caseRef, filed, open ? "report.joined" : "report.filed")])],
  );
  const { id } = (rows.at(-1) as { id: number }[])[0]!;
  if (open) return id;
  const reason = staffReason({
    ...{ staffOnly: RULES[category].staffOnly, isPrivate, credibility, now },
    tsCleared: await findCleared(db, filed.subjectId),
  });
  if (reason) await noteStaffReason(ctx, id, reason);
  else await openFirstJury(ctx, id, caseRef);
  return id;
}

/** Nobody joined and nobody decided it since it was read: its number of filings is its version. */
function stillOpen({ db }: NotifyContext, open: { id: number; filings: number }): Compiled {
  return guardQuery(
    db,
    sql<boolean>`exists (select 1 from report where id = ${open.id} and state <> 'decided' and filings = ${open.filings})`,
  );
}

function insertReport({ db, brand, now }: NotifyContext, caseRef: string, filed: NewCase): Compiled {
  const { subjectId, source, sourceId, category } = filed;
  return db
    .insertInto("report")
    .values({
      ...{ case_ref: caseRef, brand: brand.id, subject_id: subjectId, source, source_id: sourceId, category },
      severity: RULES[category].severity,
      staff_only: RULES[category].staffOnly ? 1 : 0,
      state: "staff",
      ts_created: now,
    })
    .compile();
}

/** One filing a reporter and case: what they add later joins their text, and they count once. */
function addFiling(
  { db, now }: NotifyContext,
  caseRef: string,
  filed: NewCase,
  { credibility, already }: { credibility: number; already: boolean },
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
      .set(already ? {} : { filings: sql<number>`filings + 1` })
      .where("case_ref", "=", caseRef)
      .compile(),
    sql`insert into report_filing (report_id, reporter_id, category, source, text, credibility, ts_created)
      select id, ${reporterId}, ${category}, ${source}, ${text}, ${filed.credibility}, ${now}
      from report where case_ref = ${caseRef}
      on conflict (report_id, reporter_id) do update set category = excluded.category, source = excluded.source,
        text = case when instr(text, excluded.text) > 0 then text else substr(trim(text || char(10) || excluded.text), 1, 4000) end`.compile(
      db,
    ),
  ];
}

/** Who reports a case judges it no more. */
function excuse({ db }: NotifyContext, juryId: number, profileId: number): Compiled {
  return db
    .updateTable("juror")
    .set({ state: "excused" })
    .where("jury_id", "=", juryId)
    .where("profile_id", "=", profileId)
    .where("state", "=", "summoned")
    .compile();
}

function filingEvent({ brand }: NotifyContext, caseRef: string, filed: NewCase, action: string): AuditEvent {
  return {
    ...{ brand: brand.id, action, caseRef, undecided: true },
    by: filed.reporterId === null ? "game" : "member",
    details: { rule: filed.category },
    subjectId: filed.subjectId,
  };
}

/**
 * Visible now, or met before: written with, or blocked since. Whether he hides, was banned or is deleting his account is not
 * told by the answer.
 */
async function mayReport(ctx: MemberContext, subjectId: number): Promise<boolean> {
  const me = ctx.viewer.profileId;
  const row = await ctx.db
    .selectFrom("profile as p")
    .select("p.id")
    .where("p.id", "=", subjectId)
    .where(
      sql<boolean>`(${visibleTo(ctx)}
        or exists (select 1 from conversation c where c.profile_id = ${me} and c.other_id = p.id)
        or ${blockedBy(me, sql.ref("p.id"))})`,
    )
    .executeTakeFirst();
  return row !== undefined;
}

/** From the reporter's latest fifty decided reports. */
async function credibilityOf(ctx: MemberContext): Promise<number> {
  const { rows } = await sql<{ decided: number; upheld: number }>`
    select count(*) as decided, coalesce(sum(outcome <> 'none'), 0) as upheld from (
      select r.outcome from report_filing f join report r on r.id = f.report_id
      where f.reporter_id = ${ctx.viewer.profileId} and r.state = 'decided' order by f.report_id desc limit 50)`.execute(
    ctx.db,
  );
  return reporterCredibility(rows[0]?.decided ?? 0, rows[0]?.upheld ?? 0);
}

async function hasFiled(ctx: NotifyContext, reportId: number, reporterId: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom("report_filing")
    .select("id")
    .where("report_id", "=", reportId)
    .where("reporter_id", "=", reporterId)
    .executeTakeFirst();
  return row !== undefined;
}
