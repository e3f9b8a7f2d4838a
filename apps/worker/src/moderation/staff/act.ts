import type { ActionDraft, ActionEntry } from "@lambda/contract/admin";
import { DAY_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { z } from "zod";
import { announce } from "../../notifications/notify.ts";
import { callAfterCommit } from "../../platform/call-object.ts";
import { onBrand } from "../../platform/context.ts";
import { guardQuery, hasRow } from "../../platform/db/database.ts";
import type { ModerationActionRow } from "../../platform/db/tables.ts";
import { AppError, notFound } from "../../platform/errors.ts";
import { randomHex } from "../../platform/hash.ts";
import { notifySquaresOfMember } from "../../platform/map/squares.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { liftAction } from "../action/actions.ts";
import { selectSame, staffEvent } from "../audit/log.ts";
import type { Case, NewStaffAction } from "../case/case.ts";
import { step } from "../case/step.ts";
import { advanceCase, runEffects } from "../effects/advance-case.ts";
import { freezePicture, freezeProfile, insertEvidenceQueries } from "../evidence/freeze.ts";
import { listActiveActions } from "../jury/facts.ts";
import { caseIdOf, insertCaseQuery, insertFilingQuery } from "../report/open-case.ts";
import { conflictIfDecided, decideOnce, getCase } from "./cases.ts";
import { toActionEntry } from "./queue.ts";
import {
  brandInScope,
  canActOn,
  caseInScope,
  getMemberInScope,
  hasOtherAdmin,
  listJudged,
  publicInScope,
} from "./scope.ts";

type Draft = z.output<typeof ActionDraft>;

/**
 * Takes an action against a member, with or without a case; it also grants a reporter's appeal that waits for staff.
 * Returns the action that a repeated call has taken already.
 * Throws NOT_FOUND out of scope, NOT_ALLOWED for a member whom this admin cannot judge, CONFLICT if the case has been
 * decided meanwhile.
 */
export async function actOnMember(ctx: MemberContext, draft: Draft): Promise<z.output<typeof ActionEntry>> {
  const member = await getMemberInScope(ctx, draft.subjectProfileId);
  const onAllBrands = draft.kind === "suspend" || draft.kind === "ban";
  if (!canActOn(ctx, member, onAllBrands)) throw new AppError("NOT_ALLOWED");
  const found = draft.reportId === undefined ? undefined : await getCase(ctx, draft.reportId);
  if (found && found.subjectId !== member.id) throw new AppError("BAD_INPUT", { field: "reportId" });
  const { kind, rule, reason } = draft;
  const action = {
    staffId: ctx.viewer.profileId,
    kind,
    rule,
    reason,
    until: kind === "suspend" ? ctx.now + (draft.days ?? 1) * DAY_MS : null,
    pictureId: kind === "hide_picture" ? (draft.pictureId ?? null) : null,
  };
  const decides = found && isActionable(found.state) ? found : undefined;
  // An open case is the guard of its own decision.
  const taken = decides ? undefined : await selectTaken(ctx, member.id, action).executeTakeFirst();
  if (taken) return toActionEntry(taken);
  const picture =
    draft.kind === "hide_picture" ? await getPictureInScope(ctx, member.id, draft.pictureId ?? 0) : undefined;
  const rows = await conflictIfDecided(async () =>
    decides
      ? advanceCase(ctx, decides, { type: "acted", action })
      : openStaffCase(member.here ? ctx : onBrand(ctx, member.home_brand), member, action, picture),
  );
  const [row] = rows[0] as [ModerationActionRow];
  announce(onBrand(ctx, row.brand), member.id, "standing");
  return toActionEntry(row);
}

/** Whether an action can decide this case. Otherwise it opens a new case with its own time to appeal. */
function isActionable(state: Case): boolean {
  if (state.at === "appeal") return state.side === "reporter" && state.jury === null;
  return state.at === "staff" || state.at === "jury";
}

/** Selects the same action by the same admin within the hour, unless it is lifted. */
function selectTaken(ctx: MemberContext, subjectId: number, { kind, rule, reason, until, pictureId }: NewStaffAction) {
  const days = until === null ? null : Math.round((until - ctx.now) / DAY_MS);
  const privateDetails = { reason, pictureId };
  const event = staffEvent(ctx, `action.${kind}`, { details: { rule, days }, subjectId, privateDetails });
  return ctx.db
    .selectFrom("moderation_action as m")
    .selectAll("m")
    .where("m.profile_id", "=", subjectId)
    .where("m.kind", "=", kind)
    .where("m.ts_lifted", "is", null)
    .where("m.case_ref", "in", selectSame(ctx, event));
}

/** Opens a decided case for an action without an open case, so that it can be appealed like any other. */
async function openStaffCase(
  ctx: MemberContext,
  { id: subjectId, listed }: Awaited<ReturnType<typeof getMemberInScope>>,
  action: NewStaffAction,
  picture: Awaited<ReturnType<typeof getPictureInScope>> | undefined,
): Promise<unknown[][]> {
  const { db, env, now, brand } = ctx;
  const { kind, rule, reason } = action;
  const { state, effects } = step({ at: "new" }, { type: "openedByStaff", rule, action }, now);
  // A later appeal is judged by these copies. What members cannot see stays evidence of its original case only.
  const frozen = listed === 1 ? [await freezeProfile(db, subjectId, now)] : [];
  if (picture?.listed) frozen.push(await freezePicture(env, picture, now));
  const caseRef = randomHex(12);
  const id = sql<number>`${caseIdOf(db, caseRef)}`;
  const source = picture === undefined ? "profile" : "picture";
  const filed = { subjectId, source, sourceId: picture?.id ?? subjectId, category: rule } as const;
  return runEffects(
    ctx,
    { id, caseRef, brand: brand.id, subjectId, rule, tsCreated: now, juryId: null, state },
    effects,
    [
      guardQuery(db, sql<boolean>`not exists ${selectTaken(ctx, subjectId, action)}`),
      insertCaseQuery(ctx, caseRef, filed, { state: "decided", outcome: kind, ts_decided: now }),
      insertFilingQuery(ctx, caseRef, { ...filed, text: reason, credibility: 1, filer: "staff" }),
      ...insertEvidenceQueries(db, caseRef, frozen),
    ],
  );
}

/**
 * Closes a case without action. Throws CONFLICT if it is already decided, NOT_ALLOWED for one about an admin, unless no network admin could
 * judge it.
 */
export async function dismissCase(ctx: MemberContext, reportId: number, reason: string): Promise<void> {
  const found = await getCase(ctx, reportId);
  const [member] = await listJudged(ctx, [found.subjectId]);
  if (member && !canActOn(ctx, member, false) && (await hasOtherAdmin(ctx, found.brand, member, false)))
    throw new AppError("NOT_ALLOWED");
  const staffId = ctx.viewer.profileId;
  await conflictIfDecided(() => advanceCase(ctx, found, { type: "dismissed", staffId, reason }));
}

/** Lifts an action early. Throws NOT_FOUND if it is no longer in force, CONFLICT if it is lifted concurrently. */
export async function endAction(ctx: MemberContext, actionId: number): Promise<void> {
  const action = await ctx.db
    .selectFrom("moderation_action as m")
    .select(["m.id", "m.profile_id", "m.case_ref", "m.brand", "m.kind", "m.picture_id"])
    .where("m.id", "=", actionId)
    .where("m.ts_lifted", "is", null)
    .where(brandInScope(ctx, "m.brand"))
    .executeTakeFirstOrThrow(notFound);
  const member = await getMemberInScope(ctx, action.profile_id);
  if (!canActOn(ctx, member, action.kind === "suspend" || action.kind === "ban")) throw new AppError("NOT_ALLOWED");
  const at = onBrand(ctx, action.brand);
  const { queries, events } = liftAction(at, action, "staff", ctx.viewer.profileId);
  const isInForce = sql<boolean>`exists (select 1 from moderation_action where id = ${action.id} and ts_lifted is null)`;
  await decideOnce(ctx, isInForce, queries, events);
  announce(at, member.id, "standing");
  await callAfterCommit(() => notifySquaresOfMember(ctx, member.id));
}

/**
 * Loads a picture that an admin wants to hide. Throws NOT_FOUND unless members can see it or it is evidence of a case
 * in scope, so that hiding a picture never gives access to it.
 */
async function getPictureInScope(ctx: MemberContext, profileId: number, pictureId: number) {
  // Whether members of a brand that this admin administers can see it.
  const listed = publicInScope(ctx);
  const row = await ctx.db
    .selectFrom("picture as pic")
    .innerJoin("profile as p", "p.id", "pic.profile_id")
    .select(["pic.id", "pic.profile_id", "pic.version"])
    .select(sql<number>`pic.nsfw_owner | pic.nsfw_community`.as("nsfw"))
    .select(sql<number>`${listed}`.as("listed"))
    .where("pic.id", "=", pictureId)
    .where("pic.profile_id", "=", profileId)
    .where(
      sql<boolean>`(${listed} or exists (select 1 from report r join evidence e on e.report_id = r.id
        where r.subject_id = p.id and ${caseInScope(ctx)} and e.kind = 'picture' and e.source_id = pic.id))`,
    )
    .executeTakeFirstOrThrow(notFound);
  return { ...row, nsfw: row.nsfw === 1, listed: row.listed === 1 };
}

/** Appeals that staff decide because no jury may or could judge them. */

/**
 * Upholds a decision, or reverses one against the subject; a reporter's appeal is granted by taking an action instead.
 * Throws NOT_FOUND if no appeal is pending, NOT_ALLOWED for the admin who decided the case, unless no other admin could
 * judge it.
 */
export async function decideAppeal(ctx: MemberContext, reportId: number, reversed: boolean): Promise<void> {
  const found = await getCase(ctx, reportId);
  const { state } = found;
  if (state.at !== "appeal" || state.jury !== null) throw new AppError("NOT_FOUND");
  const member = await getMemberInScope(ctx, found.subjectId);
  if (!canActOn(ctx, member, true)) throw new AppError("NOT_ALLOWED");
  if (reversed && state.side === "reporter") {
    throw new AppError("CONFLICT", { message: "Take the action; that decides a reporter's appeal." });
  }
  if ((await hasDecided(ctx, found.caseRef)) && (await hasOtherAdmin(ctx, found.brand, member, true))) {
    throw new AppError("NOT_ALLOWED", { message: "You decided this case: another admin judges its appeal." });
  }
  const activeActions = reversed ? await listActiveActions(ctx.db, reportId) : [];
  const staffId = ctx.viewer.profileId;
  await conflictIfDecided(() => advanceCase(ctx, found, { type: "appealDecided", staffId, reversed, activeActions }));
}

function hasDecided({ db, viewer }: MemberContext, caseRef: string): Promise<boolean> {
  return hasRow(
    db
      .selectFrom("audit_entry as e")
      .innerJoin("audit_private as p", "p.seq", "e.seq")
      .select("e.seq")
      .where("e.case_ref", "=", caseRef)
      .where("p.actor_id", "=", viewer.profileId)
      .where(sql<boolean>`(e.action = 'report.decided' or e.action like 'action.%')`)
      .limit(1),
  );
}
