/** Converts the effects of a transition to queries, audit entries and notifications. */
import { CREDITS_JURY_VOTE } from "@lambda/contract/limits";
import { sql } from "kysely";
import { awardCreditsQuery } from "../../community/credits/ledger.ts";
import { mailboxOf } from "../../members/accounts/mailbox.ts";
import { banMarkQueries } from "../../members/bans/marks.ts";
import { deleteAllPasskeysQuery } from "../../members/passkeys/queries.ts";
import { inEachLocale } from "../../platform/copy.ts";
import type { Query } from "../../platform/db/batch.ts";
import { guardQuery } from "../../platform/db/guard.ts";
import { insertNotificationQuery, type NotifyContext } from "../../social/notifications/notify.ts";
import { hasRefusal, hideHeldQueries, releaseHeldQueries } from "../../social/pictures/known/held.ts";
import { type ActionWrites, liftAction, takeAction } from "../action/actions.ts";
import { moderationCopy } from "../action/copy.ts";
import type { AuditEvent } from "../audit/chain.ts";
import type { CaseAction, Effect, Outcome } from "../case/case.ts";
import type { CaseHeader } from "./find-case.ts";
import {
  ballotQueries,
  dismissJuryQueries,
  emptySeatQueries,
  releaseJuryQueries,
  seatJury,
  verdictQueries,
} from "./jury-queries.ts";
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
    case "takeAction":
      return withBanMarks(ctx, found, effect.action, takeAction(ctx, toNewAction(found, effect.action)));
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
    queries: [...queries, deleteAllPasskeysQuery(db, profileId), ...(await banMarkQueries({ env, db, now }, ban))],
    events,
  };
}

type QueryEffect = Exclude<Effect, { type: "takeAction" | "liftActions" | "notify" | "log" | "seatJury" }>;

function queriesOf(ctx: NotifyContext, found: CaseHeader, effect: QueryEffect): Query[] {
  switch (effect.type) {
    case "require":
      return [requireStillQuery(ctx, found, effect.still)];
    case "setStaffReason":
      return [ctx.db.updateTable("report").set({ staff_reason: effect.reason }).where("id", "=", found.id)];
    case "assignToJury":
      return [ctx.db.updateTable("report").set({ state: "jury" }).where("id", "=", found.id)];
    case "recordBallot":
      return ballotQueries(ctx, found, effect.ballot);
    case "emptySeat":
      return emptySeatQueries(ctx, found, effect.jurorId);
    case "payJurors":
      return effect.jurors.map((juror) =>
        awardCreditsQuery(ctx, juror, "jury", String(found.juryId), CREDITS_JURY_VOTE),
      );
    case "recordVerdict":
      return verdictQueries(ctx, found, effect);
    case "releaseJury":
      return releaseJuryQueries(ctx, found, effect.reason);
    case "dismissJury":
      return dismissJuryQueries(ctx, found);
    case "decide":
      return [
        decideQuery(ctx, found, effect.outcome),
        ...(effect.outcome === "none" ? releaseHeldQueries(ctx.db, found, ctx.now) : hideHeldQueries(ctx.db, found)),
        tellOfRefusedUploadQuery(ctx, found, effect.outcome === "none"),
      ];
    case "recordPrecedent":
      return [precedentQuery(ctx, found, effect)];
    case "openAppeal":
      return [openAppealQuery(ctx, found, effect)];
    case "closeAppeal":
      return [closeAppealQuery(ctx, found, effect)];
    case "markOverturned":
      return [markOverturnedQuery(ctx, found, effect)];
    case "createCase":
    case "createDecidedCase":
    case "deleteEvidence":
      throw new Error(`${effect.type} must be written by the caller: the case does not exist yet, or no longer.`);
  }
}

/** A member whose upload was refused was promised an answer. */
function tellOfRefusedUploadQuery(ctx: NotifyContext, { id, subjectId }: CaseHeader, accepted: boolean): Query {
  const bodyText = inEachLocale(moderationCopy, (text) => text.refusedUpload(accepted));
  const onlyIf = hasRefusal(id);
  return insertNotificationQuery(ctx, {
    profileId: subjectId,
    kind: "standing",
    bodyText,
    url: "/profilePicUpload",
    onlyIf,
  });
}

function toNewAction(found: CaseHeader, { kind, rule, reason, until, pictureId, by }: CaseAction) {
  const { id: reportId, subjectId, caseRef, brand } = found;
  return { subjectId, caseRef, brand, reportId, kind, rule, reason, until, pictureId, by };
}

/** Queries on a case and its appeals, to run in one batch. */
type EffectOf<Type extends Effect["type"]> = Extract<Effect, { type: Type }>;
type Writer = Pick<NotifyContext, "db" | "now">;

/** Aborts the batch if a concurrent change to the case was faster. */
function requireStillQuery({ db }: Writer, { id, juryId }: CaseHeader, still: EffectOf<"require">["still"]): Query {
  const conditions = {
    undecided: sql<boolean>`exists (select 1 from report where id = ${id} and state <> 'decided')`,
    waiting: sql<boolean>`exists (select 1 from report where id = ${id} and state = 'staff')`,
    juryOpen: sql<boolean>`exists (select 1 from jury where id = ${juryId} and state = 'open')`,
    appealWaiting: sql<boolean>`exists (select 1 from appeal where report_id = ${id} and jury_id is null and result is null)`,
  };
  return guardQuery(db, conditions[still]);
}

function decideQuery({ db, now }: Writer, { id }: CaseHeader, outcome: Outcome): Query {
  return db.updateTable("report").set({ state: "decided", outcome, ts_decided: now }).where("id", "=", id);
}

/** The anonymous summary of the case that later jurors can search. */
function precedentQuery(
  { db, now }: Writer,
  { id, brand, rule }: CaseHeader,
  { outcome, summary }: EffectOf<"recordPrecedent">,
): Query {
  const decided = { outcome, summary, ts_decided: now };
  return db
    .insertInto("precedent")
    .values({ report_id: id, brand, category: rule, ...decided })
    .onConflict((conflict) => conflict.column("report_id").doUpdateSet(decided));
}

function openAppealQuery(
  { db, now }: Writer,
  { id }: CaseHeader,
  { side, profileId, text, round }: EffectOf<"openAppeal">,
): Query {
  const jury = sql<number>`(select id from jury where report_id = ${id} and round = ${round})`;
  const jury_id = round === null ? null : jury;
  return db.insertInto("appeal").values({ report_id: id, side, profile_id: profileId, text, jury_id, ts_created: now });
}

function closeAppealQuery({ db, now }: Writer, { id }: CaseHeader, { side, result }: EffectOf<"closeAppeal">): Query {
  return db.updateTable("appeal").set({ result, ts_decided: now }).where("report_id", "=", id).where("side", "=", side);
}

function markOverturnedQuery(
  { db }: Writer,
  { id }: CaseHeader,
  { round, verdict }: EffectOf<"markOverturned">,
): Query {
  return db
    .updateTable("juror_record")
    .set({ overturned: sql<number>`overturned + 1` })
    .where("profile_id", "in", (earlier) =>
      earlier
        .selectFrom("juror as r")
        .innerJoin("jury as j", "j.id", "r.jury_id")
        .select("r.profile_id")
        .where("j.report_id", "=", id)
        .where("j.round", "<", round)
        .where("r.with_majority", "=", 1)
        .where("j.verdict", "<>", verdict),
    );
}
