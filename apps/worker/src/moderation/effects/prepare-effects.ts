/** Converts the effects of a transition to queries, audit entries and notifications. */
import { CREDITS_JURY_VOTE } from "@lambda/contract/limits";
import { sql } from "kysely";
import { mailboxOf } from "../../accounts/mailbox.ts";
import { awardCreditsQuery } from "../../games/credits/ledger.ts";
import { insertNotificationQuery, type NotifyContext } from "../../notifications/notify.ts";
import { hideHeldQueries, releaseHeldQueries } from "../../pictures/known/held.ts";
import { inEachLocale } from "../../platform/copy.ts";
import { guardQuery, type Query } from "../../platform/db/database.ts";
import { banMarkQueries } from "../../visibility/bans/marks.ts";
import { type ActionWrites, liftAction, takeAction } from "../action/actions.ts";
import { moderationCopy } from "../action/copy.ts";
import type { AuditEvent } from "../audit/chain.ts";
import type { CaseAction, Effect } from "../case/case.ts";
import type { CaseHeader } from "./find-case.ts";
import { ballotQueries, emptySeatQueries, seatJury } from "./jury-queries.ts";
import { toAuditEvent } from "./log-entries.ts";
import { type NotifiedMember, notifyParties } from "./notify-parties.ts";

export interface PreparedEffects {
  readonly queries: Query[];
  readonly events: AuditEvent[];
  /** To announce once the batch has run. */
  readonly notified: NotifiedMember[];
}

/** Reads from the database only to notify reporters and to ban; everything else is compiled for the batch. */
export async function prepareEffects(
  ctx: NotifyContext,
  found: CaseHeader,
  effects: readonly Effect[],
): Promise<PreparedEffects> {
  const prepared: PreparedEffects = { queries: [], events: [], notified: [] };
  for (const effect of effects) {
    const { queries = [], events = [], notified = [] } = await prepareOne(ctx, found, effect);
    prepared.queries.push(...queries);
    prepared.events.push(...events);
    prepared.notified.push(...notified);
  }
  return prepared;
}

async function prepareOne(ctx: NotifyContext, found: CaseHeader, effect: Effect): Promise<Partial<PreparedEffects>> {
  switch (effect.type) {
    case "takeAction": {
      const { id: reportId, subjectId, caseRef, brand } = found;
      const writes = takeAction(ctx, { ...effect.action, reportId, subjectId, caseRef, brand });
      return withBanMarks(ctx, found, effect.action, writes);
    }
    case "liftActions": {
      const lifted = effect.actions.map((action) => liftAction(ctx, action, "appeal", effect.staffId));
      return { queries: lifted.flatMap(({ queries }) => queries), events: lifted.flatMap(({ events }) => events) };
    }
    case "notify":
      return notifyParties(ctx, found, effect);
    case "log":
      return { events: [toAuditEvent(found, effect.entry, ctx.now)] };
    case "seatJury":
      return { ...seatJury(ctx, found, effect) };
    default:
      return { queries: queriesOf(ctx, found, effect) };
  }
}

/** A ban deletes the account's passkeys and leaves marks that outlive the account. */
async function withBanMarks(
  { env, db, now }: NotifyContext,
  { subjectId: profileId, caseRef, brand }: CaseHeader,
  { kind, rule }: CaseAction,
  { queries, events }: ActionWrites,
): Promise<ActionWrites> {
  if (kind !== "ban") return { queries, events };
  const account = await db.selectFrom("account").select("email").where("id", "=", profileId).executeTakeFirstOrThrow();
  const ban = { profileId, mailbox: mailboxOf(account.email), caseRef, brand, rule };
  return {
    queries: [
      ...queries,
      // A login link still lets a banned member read the reason and appeal.
      db.deleteFrom("passkey").where("account_id", "=", profileId),
      ...(await banMarkQueries({ env, db, now }, ban)),
    ],
    events,
  };
}

type QueryEffect = Exclude<Effect, { type: "takeAction" | "liftActions" | "notify" | "log" | "seatJury" }>;

function queriesOf(ctx: NotifyContext, found: CaseHeader, effect: QueryEffect): Query[] {
  const { db, now } = ctx;
  const { id, juryId } = found;
  switch (effect.type) {
    case "require": {
      // Aborts the batch if a concurrent change to the case was faster.
      const conditions = {
        undecided: sql<boolean>`exists (select 1 from report where id = ${id} and state <> 'decided')`,
        waiting: sql<boolean>`exists (select 1 from report where id = ${id} and state = 'staff')`,
        juryOpen: sql<boolean>`exists (select 1 from jury where id = ${juryId} and state = 'open')`,
        appealWaiting: sql<boolean>`exists (select 1 from appeal where report_id = ${id} and jury_id is null and result is null)`,
      };
      return [guardQuery(db, conditions[effect.still])];
    }
    case "setStaffReason":
      return [db.updateTable("report").set({ staff_reason: effect.reason }).where("id", "=", id)];
    case "assignToJury":
      return [db.updateTable("report").set({ state: "jury" }).where("id", "=", id)];
    case "recordBallot":
      return ballotQueries(ctx, found, effect.ballot);
    case "emptySeat":
      return emptySeatQueries(ctx, found, effect.jurorId);
    case "payJurors":
      return effect.jurors.map((juror) => awardCreditsQuery(ctx, juror, "jury", String(juryId), CREDITS_JURY_VOTE));
    case "recordVerdict":
      return [
        db
          .updateTable("jury")
          .set({ state: "decided", verdict: effect.verdict, sanction: effect.sanction, ts_decided: now })
          .where("id", "=", juryId),
        db
          .updateTable("juror")
          .set({ with_majority: sql<0 | 1>`verdict = ${effect.verdict}` })
          .where("jury_id", "=", juryId)
          .where("state", "=", "voted"),
        db
          .updateTable("juror_record")
          .set({ with_majority: sql<number>`with_majority + 1` })
          .where("profile_id", "in", (agreed) =>
            agreed
              .selectFrom("juror")
              .select("profile_id")
              .where("jury_id", "=", juryId)
              .where("with_majority", "=", 1),
          ),
      ];
    case "releaseJury":
      return [
        // Keeps its verdict if it has one.
        db.updateTable("jury").set({ state: "decided", ts_decided: now }).where("id", "=", juryId),
        db.updateTable("juror").set({ state: "excused" }).where("jury_id", "=", juryId).where("state", "=", "summoned"),
        db
          .updateTable("report")
          .set({
            staff_reason: effect.reason,
            state: sql<"staff" | "decided">`case state when 'jury' then 'staff' else state end`,
          })
          .where("id", "=", id),
        db.updateTable("appeal").set({ jury_id: null }).where("jury_id", "=", juryId),
      ];
    case "dismissJury":
      return [
        db
          .updateTable("juror")
          .set({ state: "excused" })
          .where("state", "=", "summoned")
          .where("jury_id", "in", (open) =>
            open.selectFrom("jury").select("id").where("report_id", "=", id).where("state", "=", "open"),
          ),
        db
          .updateTable("jury")
          .set({ state: "decided", ts_decided: now })
          .where("report_id", "=", id)
          .where("state", "=", "open"),
      ];
    case "decide": {
      // A member whose upload was refused was promised an answer.
      const bodyText = inEachLocale(moderationCopy, (text) => text.refusedUpload(effect.outcome === "none"));
      const onlyIf = sql<boolean>`exists (select 1 from known_picture_match m where m.report_id = ${id} and m.effect = 'refused')`;
      return [
        db
          .updateTable("report")
          .set({ state: "decided", outcome: effect.outcome, ts_decided: now })
          .where("id", "=", id),
        ...(effect.outcome === "none" ? releaseHeldQueries(db, found, now) : hideHeldQueries(db, found)),
        insertNotificationQuery(ctx, {
          profileId: found.subjectId,
          kind: "standing",
          bodyText,
          url: "/profilePicUpload",
          onlyIf,
        }),
      ];
    }
    case "recordPrecedent": {
      const decided = { outcome: effect.outcome, summary: effect.summary, ts_decided: now };
      return [
        db
          .insertInto("precedent")
          .values({ report_id: id, brand: found.brand, category: found.rule, ...decided })
          .onConflict((conflict) => conflict.column("report_id").doUpdateSet(decided)),
      ];
    }
    case "openAppeal": {
      const { side, profileId: profile_id, text, round } = effect;
      // Null for an appeal before staff, which has no round.
      const jury_id = sql<number | null>`(select id from jury where report_id = ${id} and round = ${round})`;
      return [db.insertInto("appeal").values({ report_id: id, side, profile_id, text, jury_id, ts_created: now })];
    }
    case "closeAppeal":
      return [
        db
          .updateTable("appeal")
          .set({ result: effect.result, ts_decided: now })
          .where("report_id", "=", id)
          .where("side", "=", effect.side),
      ];
    case "markOverturned":
      return [
        db
          .updateTable("juror_record")
          .set({ overturned: sql<number>`overturned + 1` })
          .where("profile_id", "in", (earlier) =>
            earlier
              .selectFrom("juror as r")
              .innerJoin("jury as j", "j.id", "r.jury_id")
              .select("r.profile_id")
              .where("j.report_id", "=", id)
              .where("j.round", "<", effect.round)
              .where("r.with_majority", "=", 1)
              .where("j.verdict", "<>", effect.verdict),
          ),
      ];
  }
}
