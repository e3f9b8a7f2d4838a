import type { ActionDraft } from "@lambda/contract/admin";
import { DAY_MS } from "@lambda/contract/limits";
import { RULES, type Rule } from "@lambda/contract/moderation";
import type { z } from "zod";
import { batch, type Compiled } from "../../db/batch.ts";
import { AppError } from "../../errors.ts";
import type { MemberContext } from "../../trpc.ts";
import { standingActions, tellReporters } from "../arbitration/settle.ts";
import { afterAction, liftAction, type Step, takeAction } from "../moderation/actions.ts";
import { randomHex, withAudit } from "../moderation/audit.ts";
import { NOTICES } from "../moderation/notices.ts";
import { announce } from "../notifications/announce.ts";
import { freezeProfile, insertEvidence } from "../reports/evidence.ts";
import { brandInScope, getMemberInScope, mayJudge } from "./scope.ts";

/** Takes an action against a member, for a case or by itself. Throws NOT_FOUND out of scope, NOT_ALLOWED for who is not his to judge. */
export async function act(ctx: MemberContext, draft: z.output<typeof ActionDraft>): Promise<void> {
  const { now, viewer } = ctx;
  const member = await getMemberInScope(ctx, draft.subjectProfileId);
  const everywhere = draft.kind === "suspend" || draft.kind === "ban";
  if (!mayJudge(ctx, member, everywhere)) throw new AppError("NOT_ALLOWED");
  if (draft.kind === "hide_picture") await requirePictureOf(ctx, member.id, draft.pictureId ?? 0);
  const report = draft.reportId === undefined ? undefined : await getCase(ctx, draft.reportId);
  if (report && report.subject_id !== member.id) throw new AppError("BAD_INPUT", { field: "reportId" });
  const opened = report ?? (await openStaffCase(ctx, member.id, draft));
  const step = takeAction(ctx, {
    subjectId: member.id,
    caseRef: opened.case_ref,
    brand: opened.brand,
    kind: draft.kind,
    rule: draft.rule,
    reason: draft.reason,
    until: draft.kind === "suspend" ? now + (draft.days ?? 1) * DAY_MS : null,
    pictureId: draft.kind === "hide_picture" ? (draft.pictureId ?? null) : null,
    reportId: opened.id,
    by: { staffId: viewer.profileId },
  });
  const told: number[] = [];
  if (report && report.state !== "decided")
    addDecision(
      ctx,
      step,
      report,
      draft.kind,
      await tellReporters(ctx, report.id, NOTICES.reportDecided(true), "report", told),
    );
  await withAudit(ctx, step.queries, step.events);
  announce(ctx, member.id, "standing");
  for (const id of told) announce(ctx, id, "report");
  await afterAction(ctx, member.id);
}

/** An action that no report asked for gets a case of its own, decided at once, so that it can be appealed like any other. */
async function openStaffCase(
  ctx: MemberContext,
  subjectId: number,
  draft: z.output<typeof ActionDraft>,
): Promise<{ id: number; case_ref: string; brand: string }> {
  const { db, now, brand } = ctx;
  const picture = draft.kind === "hide_picture" ? draft.pictureId : undefined;
  const row = await db
    .insertInto("report")
    .values({
      case_ref: randomHex(12),
      brand: brand.id,
      subject_id: subjectId,
      source: picture === undefined ? "profile" : "picture",
      source_id: picture ?? subjectId,
      category: draft.rule,
      severity: RULES[draft.rule].severity,
      state: "decided",
      outcome: draft.kind,
      ts_created: now,
      ts_decided: now,
    })
    .returning(["id", "case_ref", "brand"])
    .executeTakeFirstOrThrow();
  const profile = await freezeProfile(db, subjectId, now);
  await batch(ctx.d1, [
    db
      .insertInto("report_filing")
      .values({ report_id: row.id, reporter_id: null, text: draft.reason, credibility: 1, ts_created: now })
      .compile(),
    ...insertEvidence(db, row.case_ref, [profile]),
  ]);
  return row;
}

/** Closes a case without action. */
export async function dismiss(ctx: MemberContext, reportId: number, reason: string): Promise<void> {
  const report = await getCase(ctx, reportId);
  if (report.state === "decided") throw new AppError("CONFLICT");
  const step: Step = { queries: [], events: [] };
  const told: number[] = [];
  addDecision(
    ctx,
    step,
    report,
    "none",
    await tellReporters(ctx, report.id, NOTICES.reportDecided(false), "report", told),
    reason,
  );
  await withAudit(ctx, step.queries, step.events);
  for (const id of told) announce(ctx, id, "report");
}

/** Ends an action before its time. */
export async function lift(ctx: MemberContext, actionId: number): Promise<void> {
  const action = await ctx.db
    .selectFrom("moderation_action as m")
    .select(["m.id", "m.profile_id", "m.case_ref", "m.brand", "m.kind", "m.picture_id"])
    .where("m.id", "=", actionId)
    .where("m.ts_lifted", "is", null)
    .where(brandInScope(ctx, "m.brand"))
    .executeTakeFirst();
  if (!action) throw new AppError("NOT_FOUND");
  const member = await getMemberInScope(ctx, action.profile_id);
  if (!mayJudge(ctx, member, action.kind === "suspend" || action.kind === "ban")) throw new AppError("NOT_ALLOWED");
  const step = liftAction(ctx, action, "staff", ctx.viewer.profileId);
  await withAudit(ctx, step.queries, step.events);
  announce(ctx, member.id, "standing");
}

/** Staff decide an appeal that no jury may see. The admin who took the action does not judge its appeal, unless he is alone. */
export async function decideAppeal(ctx: MemberContext, reportId: number, reversed: boolean): Promise<void> {
  const { db, now } = ctx;
  const report = await getCase(ctx, reportId);
  const appeal = await db
    .selectFrom("appeal")
    .select(["side"])
    .where("report_id", "=", reportId)
    .where("jury_id", "is", null)
    .where("result", "is", null)
    .executeTakeFirst();
  if (!appeal) throw new AppError("NOT_FOUND");
  const member = await getMemberInScope(ctx, report.subject_id);
  if (!mayJudge(ctx, member, true)) throw new AppError("NOT_ALLOWED");
  if (reversed && appeal.side === "reporter") {
    throw new AppError("CONFLICT", { message: "Take the action; that decides a reporter's appeal." });
  }
  const result = reversed ? ("reversed" as const) : ("upheld" as const);
  const queries: Compiled[] = [
    db
      .updateTable("appeal")
      .set({ result, ts_decided: now })
      .where("report_id", "=", reportId)
      .where("side", "=", appeal.side)
      .compile(),
  ];
  const events: Step["events"] = [
    {
      brand: report.brand,
      action: "appeal.decided",
      by: "staff",
      caseRef: report.case_ref,
      details: { result },
      subjectId: report.subject_id,
      actorId: ctx.viewer.profileId,
    },
  ];
  if (reversed) {
    for (const action of await standingActions(ctx, reportId)) {
      const step = liftAction(ctx, action, "appeal", ctx.viewer.profileId);
      queries.push(...step.queries);
      events.push(...step.events);
    }
    queries.push(
      db.updateTable("report").set({ outcome: "none", ts_decided: now }).where("id", "=", reportId).compile(),
    );
  }
  await withAudit(ctx, queries, events);
  announce(ctx, report.subject_id, "appeal");
}

interface CaseHead {
  readonly id: number;
  readonly subject_id: number;
  readonly case_ref: string;
  readonly brand: string;
  readonly category: string;
  readonly state: string;
  readonly ts_created: number;
}

/** Adds what closes a case: its state, a jury that is sitting on it, a reporter's appeal, its line in the log. */
function addDecision(
  ctx: MemberContext,
  step: Step,
  report: CaseHead,
  outcome: "none" | "warn" | "hide_picture" | "suspend" | "ban",
  notices: Compiled[],
  reason = "",
): void {
  const { db, now } = ctx;
  step.queries.push(
    db.updateTable("report").set({ state: "decided", outcome, ts_decided: now }).where("id", "=", report.id).compile(),
    db
      .updateTable("jury")
      .set({ state: "decided", ts_decided: now })
      .where("report_id", "=", report.id)
      .where("state", "=", "open")
      .compile(),
    ...notices,
  );
  step.events.push({
    brand: report.brand,
    action: "report.decided",
    by: "staff",
    caseRef: report.case_ref,
    details: { rule: report.category as Rule, outcome, waitedMs: now - report.ts_created },
    subjectId: report.subject_id,
    actorId: ctx.viewer.profileId,
    privateDetails: { reason },
  });
}

async function getCase(ctx: MemberContext, id: number): Promise<CaseHead> {
  const row = await ctx.db
    .selectFrom("report")
    .select(["id", "subject_id", "case_ref", "brand", "category", "state", "ts_created"])
    .where("id", "=", id)
    .where(brandInScope(ctx, "brand"))
    .executeTakeFirst();
  if (!row) throw new AppError("NOT_FOUND");
  return row;
}

async function requirePictureOf(ctx: MemberContext, profileId: number, pictureId: number): Promise<void> {
  const row = await ctx.db
    .selectFrom("picture")
    .select("id")
    .where("id", "=", pictureId)
    .where("profile_id", "=", profileId)
    .executeTakeFirst();
  if (!row) throw new AppError("NOT_FOUND");
}
