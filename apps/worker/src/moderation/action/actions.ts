/**
 * Takes and lifts actions: warn, hide a picture, suspend, ban. Access levels, visibility and sockets follow
 * profile.status, which is derived from the actions, so an action applies everywhere from the next request on.
 */
import { DAY_MS } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { refreshStatusQuery } from "../../accounts/status.ts";
import { insertNotificationQuery, type NotifyContext, scheduledContext } from "../../notifications/notify.ts";
import { isPrivate, isPublic } from "../../pictures/access.ts";
import { type AlbumList, appendPicture } from "../../pictures/album-order.ts";
import { hiddenByDecision, isOpen, PICTURE_STATES } from "../../pictures/hidden.ts";
import { deleteKnownPictureQueries, insertStoredPictureAsKnownQueries } from "../../pictures/known/known.ts";
import { hidePictureQueries } from "../../pictures/queries.ts";
import { callAfterCommit, deliverToMember } from "../../platform/call-object.ts";
import { inEachLocale } from "../../platform/copy.ts";
import { guardQuery, openDatabase, passesGuards, type Query } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDue } from "../../platform/for-each.ts";
import { randomId } from "../../platform/hash.ts";
import { notifySquaresOfMember } from "../../platform/map/squares.ts";
import type { AuditEvent } from "../audit/chain.ts";
import { withAudit } from "../audit/log.ts";
import type { CaseAction } from "../case/case.ts";
import type { ActiveAction } from "../case/rules.ts";
import { type LiftedBy, moderationCopy } from "./copy.ts";

export interface NewAction extends CaseAction {
  readonly subjectId: number;
  readonly caseRef: string;
  readonly brand: string;
  /** A subquery if the same batch creates the case. */
  readonly reportId: number | RawBuilder<number>;
}

/**
 * Queries and audit entries that must run in one `withAudit(ctx, queries, events)`. Afterwards call `closeSockets`, or
 * `notifySquaresOfMember` if they only lift actions.
 */
export interface ActionWrites {
  readonly queries: Query[];
  readonly events: AuditEvent[];
}

/** The first query returns the action's row. */
export function takeAction(ctx: NotifyContext, action: NewAction): ActionWrites {
  const { db, now } = ctx;
  const { subjectId, kind, rule, reason, until, pictureId, caseRef, brand, reportId, by } = action;
  const days = until === null ? null : Math.round((until - now) / DAY_MS);
  const queries: Query[] = [
    db
      .insertInto("moderation_action")
      .values({
        id: randomId(),
        profile_id: subjectId,
        report_id: reportId,
        case_ref: caseRef,
        brand,
        kind,
        picture_id: pictureId,
        rule,
        reason,
        by_jury: by === "jury" ? 1 : 0,
        ts_created: now,
        ts_until: until,
      })
      .returningAll(),
    refreshStatusQuery(db, subjectId, now),
    insertNotificationQuery(ctx, {
      profileId: subjectId,
      kind: "standing",
      bodyText: inEachLocale(moderationCopy, (text) => text.action(kind, days)),
      url: "/games/dungeon",
    }),
    // The next scheduled run deletes its bytes.
    db
      .updateTable("profile_voice")
      .set({ removed: 1 })
      .where("profile_id", "=", subjectId)
      .where("id", "in", (reported) =>
        reported
          .selectFrom("evidence")
          .select("source_id")
          .where("report_id", "=", reportId)
          .where("kind", "=", "voice"),
      ),
  ];
  if (kind === "hide_picture" && pictureId !== null) {
    queries.push(...hidePictureQueries(db, { id: pictureId, profile_id: subjectId }, now));
    if (rule === "intimate" || rule === "minor") {
      queries.push(
        ...insertStoredPictureAsKnownQueries(db, {
          pictureId,
          source: knownPictureSource(caseRef, pictureId),
          rule,
          profileId: subjectId,
          now,
        }),
      );
    }
  }
  return {
    queries,
    events: [
      {
        brand,
        action: `action.${kind}`,
        by: by === "jury" ? "jury" : "staff",
        caseRef,
        details: { rule, days },
        subjectId,
        actorId: by === "jury" ? null : by.staffId,
        privateDetails: { reason, pictureId },
      },
    ],
  };
}

export type LiftableAction = Omit<ActiveAction, "ts_until">;

/** Ends an action and restores what it took away: the status, the place in searches, the picture. */
export function liftAction(
  ctx: NotifyContext,
  action: LiftableAction,
  liftedBy: LiftedBy,
  actorId: number | null = null,
): ActionWrites {
  const { db, now } = ctx;
  const queries: Query[] = [
    db
      .updateTable("moderation_action")
      .set({ ts_lifted: now, lifted_by: liftedBy })
      .where("id", "=", action.id)
      .where("ts_lifted", "is", null),
    refreshStatusQuery(db, action.profile_id, now),
    insertNotificationQuery(ctx, {
      profileId: action.profile_id,
      kind: "standing",
      bodyText: inEachLocale(moderationCopy, (text) => text.lifted(action.kind, liftedBy)),
      url: "/games/dungeon",
    }),
  ];
  if (action.kind === "hide_picture" && action.picture_id !== null) {
    queries.push(...restorePictureQueries(ctx, action.picture_id, action.profile_id));
    queries.push(...deleteKnownPictureQueries(db, { source: knownPictureSource(action.case_ref, action.picture_id) }));
  }
  if (action.kind === "ban") queries.push(db.deleteFrom("ban_mark").where("case_ref", "=", action.case_ref));
  return {
    queries,
    events: [
      {
        brand: action.brand,
        action: `lift.${action.kind}`,
        by: liftedBy === "time" ? "clock" : liftedBy === "appeal" ? "jury" : "staff",
        caseRef: action.case_ref,
        details: { because: liftedBy },
        subjectId: action.profile_id,
        actorId,
        privateDetails: { actionId: action.id },
      },
    ],
  };
}

/** Names the source of a known picture that an action hid. */
const knownPictureSource = (caseRef: string, pictureId: number) => `staff:${caseRef}:${pictureId}` as const;

/**
 * Shows a picture again unless another action, a notice or an open known-picture case still hides it. Must follow the
 * query that ends the original hiding, in the same batch.
 */
export function restorePictureQueries(
  { db, now }: Pick<NotifyContext, "db" | "now">,
  pictureId: number,
  profileId: number,
): Query[] {
  const stillHidden = sql`(${hiddenByDecision(pictureId)}
    or exists (select 1 from known_picture_match m left join report r on r.id = m.report_id
      where m.picture_id = ${pictureId} and m.effect <> 'none' and (r.id is null or r.state <> 'decided')))`;
  const restored = (list: AlbumList, isInList: RawBuilder<boolean>) => (own: boolean) => {
    const column = own ? (`own_${list}` as const) : list;
    // Restored while its owner's explicit pictures are withdrawn, it stays out of what others read.
    const isShown = own ? sql`1` : isOpen("pic");
    return sql<string>`case
      when exists (select 1 from picture pic where pic.id = ${pictureId} and ${isInList} and ${isShown})
        and not exists (select 1 from json_each(${sql.ref(`profile.${column}`)}) o where o.value = ${pictureId})
      then ${appendPicture(column, pictureId)} else ${sql.ref(`profile.${column}`)} end`;
  };
  const publicList = restored("pics_public", isPublic("pic"));
  const privateList = restored("pics_private", isPrivate("pic"));
  return [
    db
      .updateTable("picture")
      .set({ hidden_by_staff: PICTURE_STATES.open, ts_updated: now })
      .where("id", "=", pictureId)
      .where("profile_id", "=", profileId)
      .where(sql<boolean>`not ${stillHidden}`),
    db
      .updateTable("profile")
      .set({ pics_public: publicList(false), pics_private: privateList(false) })
      .set({ own_pics_public: publicList(true), own_pics_private: privateList(true) })
      .where("id", "=", profileId)
      .where(sql<boolean>`not ${stillHidden}`),
  ];
}

/** Call after the batch of an action: closes a suspended or banned member's sockets and removes them from open maps. */
export async function closeSockets(ctx: NotifyContext, profileId: number): Promise<void> {
  await Promise.all([
    deliverToMember(ctx.env, profileId, [], null),
    callAfterCommit(() => notifySquaresOfMember(ctx, profileId)),
  ]);
}

/** Scheduled: lifts suspensions whose time is over, so that the member is visible again everywhere. */
export async function liftDueActions(env: Env, now: number): Promise<void> {
  const due = await openDatabase(env.DB)
    .selectFrom("moderation_action")
    .select(["id", "profile_id", "case_ref", "brand", "kind", "picture_id"])
    .where("ts_lifted", "is", null)
    .where("ts_until", "is not", null)
    .where("ts_until", "<=", now)
    .limit(100)
    .execute();
  await forEachDue(due, (action) => liftDueAction(env, action, now));
}

async function liftDueAction(env: Env, action: LiftableAction, now: number): Promise<void> {
  const ctx = scheduledContext(env, action.brand, now);
  const { queries, events } = liftAction(ctx, action, "time");
  // Of concurrent runs only the first finds the action in force; the guard keeps the others from logging and
  // notifying again.
  const inForce = sql<boolean>`exists (select 1 from moderation_action a where a.id = ${action.id} and a.ts_lifted is null)`;
  if (await passesGuards(withAudit(ctx, [guardQuery(ctx.db, inForce), ...queries], events)))
    await notifySquaresOfMember(ctx, action.profile_id);
}
