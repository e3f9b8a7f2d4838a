/** The parts of a decision's batch: ballots and records, the verdict's entry, the action or its lifting, notices. */
import type { JurySanction } from "@lambda/contract/arbitration";
import type { Rule } from "@lambda/contract/moderation";
import { sql } from "kysely";
import type { Compiled } from "../../platform/db/batch.ts";
import { insertNotificationQuery, type NotifyContext } from "../../social/notifications/notify.ts";
import { redact } from "../../social/profiles/redact.ts";
import { liftAction, type Step, takeAction } from "../action/actions.ts";
import { NOTICES } from "../action/notices.ts";
import { publicTime } from "../audit/chain.ts";
import { actionOf, type Decision } from "../case/rules.ts";
import type { Effect, Jury } from "./sitting.ts";
import { tellAppealDecided, tellReporters } from "./tell.ts";

export function addBallots(
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

export function addVerdict(step: Step, jury: Jury, decision: Decision | null, votes: number): void {
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
export function reasonsOf(
  ballots: readonly { verdict: string | null; reason: string }[],
  decision: Decision,
  name: string,
): string {
  const reasons = ballots.filter((ballot) => ballot.verdict === decision.verdict && ballot.reason !== "");
  return redact(reasons.map((ballot) => ballot.reason).join(" · "), [name]).slice(0, 2000);
}

export function addOutcome(ctx: NotifyContext, step: Step, jury: Jury, found: Effect & { reasons: string }): void {
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
export async function addNotices(
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
    return [...notices, insertNotificationQuery(ctx, cleared)];
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
