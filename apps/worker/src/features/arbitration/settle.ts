/** From ballots to effect: verdict, action or its lifting, notices to both sides, precedent, records, credits, audit log. */
import type { JurySanction } from "@lambda/contract/arbitration";
import { JURY_SANCTIONS } from "@lambda/contract/arbitration";
import { CREDITS_JURY_VOTE, JURY_SEATS } from "@lambda/contract/limits";
import type { Rule } from "@lambda/contract/moderation";
import { sql } from "kysely";
import type { Compiled } from "../../db/batch.ts";
import { bookCredits } from "../credits/ledger.ts";
import { afterAction, liftAction, takeAction } from "../moderation/actions.ts";
import { type AuditEvent, publicTime, withAudit } from "../moderation/audit.ts";
import { failedGuard, guard } from "../moderation/guard.ts";
import { NOTICES } from "../moderation/notices.ts";
import { announce } from "../notifications/announce.ts";
import { insertNotification, type NotifyContext } from "../notifications/notify.ts";
import { redact } from "../reports/redact.ts";
import { actionOf, decide } from "./rules.ts";
import { tellAppealDecided, tellReporters } from "./tell.ts";

/** Decides a jury when its votes are in; answers whether it did. Safe to call at any time and twice at once. */
export async function settleJury(ctx: NotifyContext, juryId: number, seats = JURY_SEATS): Promise<boolean> {
  const { db, now } = ctx;
  const jury = await db
    .selectFrom("jury as j")
    .innerJoin("report as r", "r.id", "j.report_id")
    .innerJoin("profile as p", "p.id", "r.subject_id")
    .leftJoin("appeal as a", "a.jury_id", "j.id")
    .select(["j.report_id", "j.round", "j.state", "r.case_ref", "r.brand", "r.subject_id", "r.category", "r.outcome"])
    .select(["r.source", "r.source_id", "r.ts_created", "p.profile_name", "a.side"])
    .where("j.id", "=", juryId)
    .executeTakeFirst();
  if (jury?.state !== "open") return false;
  const ballots = await db
    .selectFrom("juror")
    .select(["profile_id", "verdict", "sanction", "reason"])
    .where("jury_id", "=", juryId)
    .where("state", "=", "voted")
    .orderBy("ts_voted")
    .execute();
  const counted = ballots.map((ballot) => ({ verdict: ballot.verdict ?? "no_violation", sanction: ballot.sanction }));
  const decision = decide(counted.slice(0, seats), seats);
  if (!decision) return false;

  const { report_id: reportId, subject_id: subjectId, brand, case_ref: caseRef } = jury;
  const rule = jury.category as Rule;
  const pictureId = await pictureOf(ctx, jury);
  const sanction = decision.sanction === "hide_picture" && pictureId === null ? "warn" : decision.sanction;
  const reasons = redact(
    ballots
      .filter((ballot) => ballot.verdict === decision.verdict && ballot.reason !== "")
      .map((ballot) => ballot.reason)
      .join(" · "),
    [jury.profile_name],
  ).slice(0, 2000);

  const queries: Compiled[] = [
    guard(db, sql<boolean>`exists (select 1 from jury where id = ${juryId} and state = 'open')`),
    db
      .updateTable("jury")
      .set({ state: "decided", verdict: decision.verdict, sanction, ts_decided: now })
      .where("id", "=", juryId)
      .compile(),
    // Open summonses of a jury that needs them no more.
    db
      .updateTable("juror")
      .set({ state: "excused" })
      .where("jury_id", "=", juryId)
      .where("state", "=", "summoned")
      .compile(),
    db
      .updateTable("juror")
      .set({ with_majority: sql<0 | 1>`verdict = ${decision.verdict}` })
      .where("jury_id", "=", juryId)
      .where("state", "=", "voted")
      .compile(),
    sql`update juror_record set with_majority = with_majority + 1
      where profile_id in (select profile_id from juror where jury_id = ${juryId} and with_majority = 1)`.compile(db),
    ...ballots.map((ballot) => bookCredits(ctx, ballot.profile_id, "jury", String(juryId), CREDITS_JURY_VOTE)),
  ];
  const events: AuditEvent[] = [
    {
      brand,
      action: "jury.verdict",
      by: "jury",
      caseRef,
      details: { round: jury.round, verdict: decision.verdict, sanction, votes: ballots.length },
      subjectId,
    },
  ];

  const before = await standingActions(ctx, reportId);
  const wasViolation = jury.outcome !== null && jury.outcome !== "none";
  const isViolation = decision.verdict === "violation";
  const milder = wasViolation && isViolation && sanction !== null && isMilder(before, sanction, now);
  const changes = jury.round === 1 || wasViolation !== isViolation || (milder && jury.side === "subject");
  if (changes) {
    for (const action of before) {
      const step = liftAction(ctx, action, "appeal");
      queries.push(...step.queries);
      events.push(...step.events);
    }
    if (isViolation && sanction) {
      const { kind, until } = actionOf(sanction, now);
      const step = takeAction(ctx, {
        subjectId,
        caseRef,
        brand,
        kind,
        rule,
        reason: reasons,
        until,
        pictureId: kind === "hide_picture" ? pictureId : null,
        reportId,
        by: "jury",
      });
      queries.push(...step.queries);
      events.push(...step.events);
    }
  }
  const outcome = changes
    ? isViolation && sanction
      ? actionOf(sanction, now).kind
      : "none"
    : (jury.outcome ?? "none");
  queries.push(
    db.updateTable("report").set({ state: "decided", outcome, ts_decided: now }).where("id", "=", reportId).compile(),
    sql`insert into precedent (report_id, brand, category, outcome, summary, ts_decided)
      values (${reportId}, ${brand}, ${rule}, ${outcome}, ${reasons}, ${now})
      on conflict (report_id) do update set outcome = excluded.outcome, summary = excluded.summary, ts_decided = excluded.ts_decided`.compile(
      db,
    ),
  );
  const told: number[] = [];
  if (jury.round === 1) {
    events.push({
      brand,
      action: "report.decided",
      by: "jury",
      caseRef,
      details: { rule, outcome, waitedMs: publicTime(now) - publicTime(jury.ts_created) },
      subjectId,
    });
    queries.push(...(await tellReporters(ctx, reportId, NOTICES.reportDecided(isViolation), "report", told)));
    if (!isViolation) {
      queries.push(
        insertNotification(ctx, {
          profileId: subjectId,
          kind: "report",
          bodyText: NOTICES.cleared,
          url: "/games/dungeon",
        }),
      );
      told.push(subjectId);
    }
  } else {
    const result = changes ? "reversed" : "upheld";
    queries.push(
      db.updateTable("appeal").set({ result, ts_decided: now }).where("jury_id", "=", juryId).compile(),
      ...(await tellAppealDecided(ctx, reportId, subjectId, changes, told)),
    );
    events.push({
      brand,
      action: "appeal.decided",
      by: "jury",
      caseRef,
      details: { result, round: jury.round },
      subjectId,
    });
    if (wasViolation !== isViolation) {
      // The majority that was overturned.
      queries.push(
        sql`update juror_record set overturned = overturned + 1 where profile_id in (
          select r.profile_id from juror r join jury j on j.id = r.jury_id
          where j.report_id = ${reportId} and j.round < ${jury.round} and r.with_majority = 1 and j.verdict <> ${decision.verdict})`.compile(
          db,
        ),
      );
    }
  }
  try {
    await withAudit(ctx, queries, events);
  } catch (error) {
    if (failedGuard(error)) return false;
    throw error;
  }
  for (const id of told) announce(ctx, id, jury.round === 1 ? "report" : "appeal");
  if (changes) await afterAction(ctx, subjectId);
  return true;
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
  const weights = before.map((action) =>
    action.kind === "ban"
      ? JURY_SANCTIONS.length
      : action.kind === "suspend"
        ? JURY_SANCTIONS.indexOf((action.ts_until ?? 0) - now > actionDays(8) ? "suspend_30" : "suspend_7")
        : JURY_SANCTIONS.indexOf(action.kind as JurySanction),
  );
  return weights.length > 0 && JURY_SANCTIONS.indexOf(sanction) < Math.max(...weights);
}

function actionDays(days: number): number {
  return days * 86_400_000;
}

/** The picture that a case is about, or that is among its evidence; null when its owner deleted it meanwhile. */
async function pictureOf(
  { db }: NotifyContext,
  jury: { report_id: number; source: string; source_id: number; subject_id: number },
): Promise<number | null> {
  const candidates =
    jury.source === "picture"
      ? sql`select ${jury.source_id}`
      : sql`select source_id from evidence where report_id = ${jury.report_id} and kind = 'picture'`;
  const { rows } = await sql<{ id: number }>`
    select id from picture where id in (${candidates}) and profile_id = ${jury.subject_id} order by id limit 1`.execute(
    db,
  );
  return rows[0]?.id ?? null;
}
