/** From ballots to effect: verdict, action or its lifting, notices to both sides, precedent, records, credits, audit log. */
import type { JurySanction } from "@lambda/contract/arbitration";
import { JURY_SANCTIONS } from "@lambda/contract/arbitration";
import { CREDITS_JURY_VOTE, DAY_MS, JURY_ALONE_POOL_MIN, JURY_ALONE_TESTED_MIN } from "@lambda/contract/limits";
import type { Rule } from "@lambda/contract/moderation";
import { sql } from "kysely";
import type { Compiled } from "../../db/batch.ts";
import { bookCredits } from "../credits/ledger.ts";
import { afterAction, liftAction, type Step, takeAction } from "../moderation/actions.ts";
import { withAudit } from "../moderation/audit.ts";
import { publicTime } from "../moderation/chain.ts";
import { failedGuard, guard } from "../moderation/guard.ts";
import { NOTICES } from "../moderation/notices.ts";
import { announce } from "../notifications/announce.ts";
import { insertNotification, type NotifyContext } from "../notifications/notify.ts";
import { redact } from "../reports/redact.ts";
import { isWithdrawn } from "../reports/withdrawn.ts";
import { handOver } from "./hand-over.ts";
import { actionOf, type Decision, decide, type JuryRecord, needsStaff } from "./rules.ts";
import { tellAppealDecided, tellReporters } from "./tell.ts";

/**
 * Closes a jury that waits for nobody, and answers whether it is closed. It decides, recommends, or leaves the case to staff.
 * Safe to call at any time and twice at once.
 */
export async function settleJury(ctx: NotifyContext, juryId: number): Promise<boolean> {
  const { db } = ctx;
  const jury = await findJury(ctx, juryId);
  if (jury?.state !== "open" || jury.waiting > 0) return false;
  const ballots = await db
    .selectFrom("juror")
    .select(["profile_id", "verdict", "sanction", "reason"])
    .where("jury_id", "=", juryId)
    .where("state", "=", "voted")
    .orderBy("ts_voted")
    .execute();
  const open = guard(db, sql<boolean>`exists (select 1 from jury where id = ${juryId} and state = 'open')`);
  const decision = decide(
    ballots.map((ballot) => ({ verdict: ballot.verdict ?? "no_violation", sanction: ballot.sanction })),
  );
  const withdrawn = await hasWithdrawnEvidence(ctx, jury.report_id);
  const step: Step = {
    queries: [
      open,
      ...ballots.map((ballot) => bookCredits(ctx, ballot.profile_id, "jury", String(juryId), CREDITS_JURY_VOTE)),
    ],
    events: [],
  };
  const told: number[] = [];
  let changes = false;
  if (!decision || withdrawn) {
    step.queries.push(...handOver(ctx, juryId, jury.report_id, withdrawn ? "withdrawn" : "undecided"));
    addVerdict(step, jury, null, ballots.length);
  } else {
    const found = await findEffect(ctx, jury, decision);
    addBallots(ctx, step, juryId, decision, found.sanction);
    addVerdict(step, jury, { ...decision, sanction: found.sanction }, ballots.length);
    if (found.changes && found.sanction && needsStaff(found.sanction, found.record) && !found.milder) {
      step.queries.push(...handOver(ctx, juryId, jury.report_id, "recommended"));
    } else {
      changes = found.changes;
      const reasons = reasonsOf(ballots, decision, jury.profile_name);
      addOutcome(ctx, step, jury, { ...found, reasons });
      step.queries.push(...(await addNotices(ctx, step, jury, decision, found, told)));
    }
  }
  try {
    await withAudit(ctx, step.queries, step.events);
  } catch (error) {
    if (failedGuard(error)) return false;
    throw error;
  }
  for (const id of told) announce(ctx, id, jury.round === 1 ? "report" : "appeal");
  if (changes) await afterAction(ctx, jury.subject_id);
  return true;
}

function findJury({ db }: NotifyContext, juryId: number) {
  return db
    .selectFrom("jury as j")
    .innerJoin("report as r", "r.id", "j.report_id")
    .innerJoin("profile as p", "p.id", "r.subject_id")
    .leftJoin("appeal as a", "a.jury_id", "j.id")
    .select(["j.id", "j.report_id", "j.round", "j.state", "j.pool"])
    .select(["r.case_ref", "r.brand", "r.subject_id", "r.category", "r.outcome", "r.state as case_state"])
    .select(["r.source", "r.source_id", "r.ts_created", "p.profile_name", "a.side"])
    .select(sql<number>`(select count(*) from juror v where v.jury_id = j.id and v.state = 'summoned')`.as("waiting"))
    .where("j.id", "=", juryId)
    .executeTakeFirst();
}

type Jury = NonNullable<Awaited<ReturnType<typeof findJury>>>;

interface Effect {
  readonly isViolation: boolean;
  readonly wasViolation: boolean;
  readonly sanction: JurySanction | null;
  readonly pictureId: number | null;
  readonly before: Awaited<ReturnType<typeof standingActions>>;
  /** Whether the decision differs from what holds. */
  readonly changes: boolean;
  readonly milder: boolean;
  readonly record: JuryRecord;
}

async function findEffect(ctx: NotifyContext, jury: Jury, decision: Decision): Promise<Effect> {
  const pictureId = await pictureOf(ctx, jury);
  const sanction = decision.sanction === "hide_picture" && pictureId === null ? "warn" : decision.sanction;
  const before = await standingActions(ctx, jury.report_id);
  const wasViolation = jury.outcome !== null && jury.outcome !== "none";
  const isViolation = decision.verdict === "violation";
  const milder = wasViolation && isViolation && sanction !== null && isMilder(before, sanction, ctx.now);
  const changes = jury.round === 1 || wasViolation !== isViolation || (milder && jury.side === "subject");
  const record = await readRecord(ctx, jury);
  return { isViolation, wasViolation, sanction, pictureId, before, changes, milder, record };
}

/** How juries of this brand did, as far as it can make a difference. */
async function readRecord({ db }: NotifyContext, jury: Jury): Promise<JuryRecord> {
  if (jury.pool < JURY_ALONE_POOL_MIN) return { pool: jury.pool, tested: 0, confirmed: 0 };
  const { rows } = await sql<{ tested: number; confirmed: number }>`
    select count(*) as tested, coalesce(sum(outcome in ('suspend', 'ban')), 0) as confirmed from (
      select r.outcome from jury j join report r on r.id = j.report_id
      where j.round = 1 and j.sanction in ('suspend_7', 'suspend_30') and r.brand = ${jury.brand} and r.state = 'decided'
      order by j.id desc limit ${sql.lit(JURY_ALONE_TESTED_MIN)})`.execute(db);
  return { pool: jury.pool, tested: rows[0]?.tested ?? 0, confirmed: rows[0]?.confirmed ?? 0 };
}

function addBallots(
  { db, now }: NotifyContext,
  step: Step,
  juryId: number,
  { verdict }: Decision,
  sanction: JurySanction | null,
): void {
  step.queries.push(
    db
      .updateTable("jury")
      .set({ state: "decided", verdict, sanction, ts_decided: now })
      .where("id", "=", juryId)
      .compile(),
    db
      .updateTable("juror")
      .set({ with_majority: sql<0 | 1>`verdict = ${verdict}` })
      .where("jury_id", "=", juryId)
      .where("state", "=", "voted")
      .compile(),
    sql`update juror_record set with_majority = with_majority + 1
      where profile_id in (select profile_id from juror where jury_id = ${juryId} and with_majority = 1)`.compile(db),
  );
}

function addVerdict(step: Step, jury: Jury, decision: Decision | null, votes: number): void {
  step.events.push({
    brand: jury.brand,
    action: "jury.verdict",
    by: "jury",
    caseRef: jury.case_ref,
    undecided: jury.case_state !== "decided",
    details: {
      round: jury.round,
      verdict: decision?.verdict ?? "undecided",
      sanction: decision?.sanction ?? null,
      votes,
    },
    subjectId: jury.subject_id,
  });
}

/** What the majority wrote, for the member and for later jurors. */
function reasonsOf(
  ballots: readonly { verdict: string | null; reason: string }[],
  decision: Decision,
  name: string,
): string {
  const reasons = ballots.filter((ballot) => ballot.verdict === decision.verdict && ballot.reason !== "");
  return redact(reasons.map((ballot) => ballot.reason).join(" · "), [name]).slice(0, 2000);
}

function addOutcome(ctx: NotifyContext, step: Step, jury: Jury, found: Effect & { reasons: string }): void {
  const { db, now } = ctx;
  const { report_id: reportId, subject_id: subjectId, brand, case_ref: caseRef } = jury;
  const { changes, isViolation, sanction, pictureId, before, reasons } = found;
  const rule = jury.category as Rule;
  if (changes) {
    for (const action of before) {
      const lifted = liftAction(ctx, action, "appeal");
      step.queries.push(...lifted.queries);
      step.events.push(...lifted.events);
    }
    if (isViolation && sanction) {
      const { kind, until } = actionOf(sanction, now);
      const taken = takeAction(ctx, {
        ...{ subjectId, caseRef, brand, kind, rule, reason: reasons, until, reportId, by: "jury" },
        pictureId: kind === "hide_picture" ? pictureId : null,
      });
      step.queries.push(...taken.queries);
      step.events.push(...taken.events);
    }
  }
  const decided = isViolation && sanction ? actionOf(sanction, now).kind : "none";
  const outcome = changes ? decided : (jury.outcome ?? "none");
  step.queries.push(
    db.updateTable("report").set({ state: "decided", outcome, ts_decided: now }).where("id", "=", reportId).compile(),
    sql`insert into precedent (report_id, brand, category, outcome, summary, ts_decided)
      values (${reportId}, ${brand}, ${rule}, ${outcome}, ${reasons}, ${now})
      on conflict (report_id) do update set outcome = excluded.outcome, summary = excluded.summary, ts_decided = excluded.ts_decided`.compile(
      db,
    ),
  );
  if (jury.round > 1) return;
  step.events.push({
    brand,
    action: "report.decided",
    by: "jury",
    caseRef,
    details: { rule, outcome, waitedMs: publicTime(now) - publicTime(jury.ts_created) },
    subjectId,
  });
}

/** Tells both sides; of an appeal also closes it, and marks the majority that it overturned. */
async function addNotices(
  ctx: NotifyContext,
  step: Step,
  jury: Jury,
  decision: Decision,
  { isViolation, wasViolation, changes }: Effect,
  told: number[],
): Promise<Compiled[]> {
  const { db, now } = ctx;
  const { report_id: reportId, subject_id: subjectId } = jury;
  if (jury.round === 1) {
    const notices = await tellReporters(ctx, reportId, NOTICES.reportDecided(isViolation), "report", told);
    if (isViolation) return notices;
    told.push(subjectId);
    const cleared = { profileId: subjectId, kind: "report", bodyText: NOTICES.cleared, url: "/games/dungeon" } as const;
    return [...notices, insertNotification(ctx, cleared)];
  }
  const result = changes ? "reversed" : "upheld";
  step.events.push({
    brand: jury.brand,
    action: "appeal.decided",
    by: "jury",
    caseRef: jury.case_ref,
    details: { result, round: jury.round },
    subjectId,
  });
  const queries = [
    db.updateTable("appeal").set({ result, ts_decided: now }).where("jury_id", "=", jury.id).compile(),
    ...(await tellAppealDecided(ctx, reportId, subjectId, changes, told)),
  ];
  if (wasViolation !== isViolation) {
    queries.push(
      sql`update juror_record set overturned = overturned + 1 where profile_id in (
        select r.profile_id from juror r join jury j on j.id = r.jury_id
        where j.report_id = ${reportId} and j.round < ${jury.round} and r.with_majority = 1 and j.verdict <> ${decision.verdict})`.compile(
        db,
      ),
    );
  }
  return queries;
}

/** Jurors who voted on it may have seen more than those after: staff, who still have all of it, decide. */
async function hasWithdrawnEvidence({ db }: NotifyContext, reportId: number): Promise<boolean> {
  const row = await db
    .selectFrom("evidence as e")
    .select("e.id")
    .where("e.report_id", "=", reportId)
    .where("e.staff_only", "=", 0)
    .where(isWithdrawn("e"))
    .executeTakeFirst();
  return row !== undefined;
}

/** Actions of a case that still stand. */
export function standingActions(ctx: Pick<NotifyContext, "db">, reportId: number) {
  return ctx.db
    .selectFrom("moderation_action")
    .select(["id", "profile_id", "case_ref", "brand", "kind", "picture_id", "ts_until"])
    .where("report_id", "=", reportId)
    .where("ts_lifted", "is", null)
    .execute();
}

function isMilder(
  before: readonly { kind: string; ts_until: number | null }[],
  sanction: JurySanction,
  now: number,
): boolean {
  const weights = before.map((action) => {
    if (action.kind === "ban") return JURY_SANCTIONS.length;
    if (action.kind !== "suspend") return JURY_SANCTIONS.indexOf(action.kind as JurySanction);
    const days = ((action.ts_until ?? 0) - now) / DAY_MS;
    return JURY_SANCTIONS.indexOf(days > 8 ? "suspend_30" : days > 4 ? "suspend_7" : "suspend_3");
  });
  return weights.length > 0 && JURY_SANCTIONS.indexOf(sanction) < Math.max(...weights);
}

/** The picture that a case is about, or that is among its evidence; null when its owner deleted it meanwhile. */
async function pictureOf({ db }: NotifyContext, jury: Jury): Promise<number | null> {
  const candidates =
    jury.source === "picture"
      ? sql`select ${jury.source_id}`
      : sql`select source_id from evidence where report_id = ${jury.report_id} and kind = 'picture' and staff_only = 0`;
  const { rows } = await sql<{ id: number }>`
    select id from picture where id in (${candidates}) and profile_id = ${jury.subject_id} order by id limit 1`.execute(
    db,
  );
  return rows[0]?.id ?? null;
}
