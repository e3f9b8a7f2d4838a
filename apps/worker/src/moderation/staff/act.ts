import type { ActionDraft, ActionEntry } from "@lambda/contract/admin";
import { DAY_MS } from "@lambda/contract/limits";
import { RULES, type Rule } from "@lambda/contract/moderation";
import { sql } from "kysely";
import type { z } from "zod";
import { batch, type Compiled } from "../../platform/db/batch.ts";
import { guardQuery } from "../../platform/db/guard.ts";
import type { ModerationActionRow } from "../../platform/db/tables.ts";
import { AppError } from "../../platform/errors.ts";
import { randomHex } from "../../platform/hash.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { announce } from "../../social/notifications/announce.ts";
import { afterAction, liftAction, type Step, takeAction } from "../action/actions.ts";
import { NOTICES } from "../action/notices.ts";
import { publicTime } from "../audit/chain.ts";
import { freezePicture, freezeProfile, insertEvidence } from "../evidence/freeze.ts";
import { tellReporters } from "../jury/tell.ts";
import { closeAppeal, findStaffAppeal } from "./appeals.ts";
import { type CaseHead, decideOnce, getCase } from "./cases.ts";
import { toActionEntry } from "./queue.ts";
import { brandInScope, getMemberInScope, listedInScope, mayJudge } from "./scope.ts";

/**
 * Takes an action against a member, for a case or by itself. For a case it decides it; where a reporter's appeal waits for staff,
 * it grants that. Throws NOT_FOUND out of scope, NOT_ALLOWED for who is not his to judge, CONFLICT when the case was decided
 * meanwhile.
 */
export async function act(
  ctx: MemberContext,
  draft: z.output<typeof ActionDraft>,
): Promise<z.output<typeof ActionEntry>> {
  const { now, viewer } = ctx;
  const member = await getMemberInScope(ctx, draft.subjectProfileId);
  const everywhere = draft.kind === "suspend" || draft.kind === "ban";
  if (!mayJudge(ctx, member, everywhere)) throw new AppError("NOT_ALLOWED");
  const picture =
    draft.kind === "hide_picture" ? await getPictureInScope(ctx, member.id, draft.pictureId ?? 0) : undefined;
  const named = draft.reportId === undefined ? undefined : await getCase(ctx, draft.reportId);
  if (named && named.subject_id !== member.id) throw new AppError("BAD_INPUT", { field: "reportId" });
  const appealed = named?.state === "decided" && (await findStaffAppeal(ctx, named.id))?.side === "reporter";
  // A decided case that nobody asks to look at again stays as it is: its time to appeal and its appeals may be used up.
  const report = named?.state !== "decided" || appealed ? named : undefined;
  const opened = report ?? (await openStaffCase(ctx, member.id, draft, picture));
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
  if (report && appealed) {
    closeAppeal(ctx, step, report, "reporter", "reversed", draft.kind);
    step.queries.push(...(await tellReporters(ctx, report.id, NOTICES.appealDecided(true), "appeal", told)));
  } else if (report) {
    const notices = await tellReporters(ctx, report.id, NOTICES.reportDecided(true), "report", told);
    addDecision(ctx, step, report, draft.kind, notices);
  }
  const [row] = (await decideOnce(ctx, step))[0] as [ModerationActionRow];
  announce(ctx, member.id, "standing");
  for (const id of told) announce(ctx, id, appealed ? "appeal" : "report");
  await afterAction(ctx, member.id);
  return toActionEntry(row);
}

/** An action that no report asked for gets a case of its own, decided at once, so that it can be appealed like any other. */
async function openStaffCase(
  ctx: MemberContext,
  subjectId: number,
  draft: z.output<typeof ActionDraft>,
  picture: PictureInScope | undefined,
): Promise<{ id: number; case_ref: string; brand: string }> {
  const { db, now, brand } = ctx;
  const row = await db
    .insertInto("report")
    .values({
      case_ref: randomHex(12),
      brand: brand.id,
      subject_id: subjectId,
      source: picture === undefined ? "profile" : "picture",
      source_id: picture?.id ?? subjectId,
      category: draft.rule,
      severity: RULES[draft.rule].severity,
      staff_only: RULES[draft.rule].staffOnly ? 1 : 0,
      state: "decided",
      outcome: draft.kind,
      ts_created: now,
      ts_decided: now,
    })
    .returning(["id", "case_ref", "brand"])
    .executeTakeFirstOrThrow();
  const frozen = [await freezeProfile(db, subjectId, now)];
  // What an appeal against hiding it will be judged by. A picture that members do not see is evidence of its own case only.
  if (picture?.listed) frozen.push(await freezePicture(ctx.env, picture, now));
  await batch(ctx.d1, [
    db
      .insertInto("report_filing")
      .values({
        ...{ report_id: row.id, reporter_id: null, text: draft.reason, credibility: 1, ts_created: now },
        ...{ category: draft.rule, source: picture === undefined ? "profile" : "picture" },
      })
      .compile(),
    ...insertEvidence(db, row.case_ref, frozen),
  ]);
  return row;
}

/** Closes a case without action. Throws CONFLICT when it is decided. */
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
  await decideOnce(ctx, step);
  for (const id of told) announce(ctx, id, "report");
}

/** Ends an action before its time. Throws NOT_FOUND when it is not standing, CONFLICT when it ended meanwhile. */
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
  step.queries.unshift(
    guardQuery(
      ctx.db,
      sql<boolean>`exists (select 1 from moderation_action where id = ${action.id} and ts_lifted is null)`,
    ),
  );
  await decideOnce(ctx, step);
  announce(ctx, member.id, "standing");
}

/** Adds what closes an open case: its state, the jury that is sitting on it with its summonses, its line in the log. */
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
    guardQuery(db, sql<boolean>`exists (select 1 from report where id = ${report.id} and state <> 'decided')`),
    db.updateTable("report").set({ state: "decided", outcome, ts_decided: now }).where("id", "=", report.id).compile(),
    sql`update juror set state = 'excused' where state = 'summoned'
      and jury_id in (select id from jury where report_id = ${report.id} and state = 'open')`.compile(db),
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
    details: { rule: report.category as Rule, outcome, waitedMs: publicTime(now) - publicTime(report.ts_created) },
    subjectId: report.subject_id,
    actorId: ctx.viewer.profileId,
    privateDetails: { reason },
  });
}

interface PictureInScope {
  readonly id: number;
  readonly profile_id: number;
  readonly version: number;
  readonly nsfw: boolean;
  /** Members of a brand that this admin administers see it. */
  readonly listed: boolean;
}

/**
 * The picture that an admin asks to hide: one that members see anyway, or evidence of a case in his scope, so that hiding is no way
 * to look at any other. Throws NOT_FOUND.
 */
async function getPictureInScope(ctx: MemberContext, profileId: number, pictureId: number): Promise<PictureInScope> {
  const listed = sql<number>`(pic.audience = 'public' and pic.hidden_by_staff = 0 and ${listedInScope(ctx)})`;
  const row = await ctx.db
    .selectFrom("picture as pic")
    .innerJoin("profile as p", "p.id", "pic.profile_id")
    .select(["pic.id", "pic.profile_id", "pic.version"])
    .select(sql<number>`pic.nsfw_owner | pic.nsfw_community`.as("nsfw"))
    .select(listed.as("listed"))
    .where("pic.id", "=", pictureId)
    .where("pic.profile_id", "=", profileId)
    .where(
      sql<boolean>`(${listed} or exists (select 1 from report r join evidence e on e.report_id = r.id
        where r.subject_id = p.id and ${brandInScope(ctx, "r.brand")} and e.kind = 'picture' and e.source_id = pic.id))`,
    )
    .executeTakeFirst();
  if (!row) throw new AppError("NOT_FOUND");
  return { ...row, nsfw: row.nsfw === 1, listed: row.listed === 1 };
}
