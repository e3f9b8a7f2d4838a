/** From ballots to effect: a jury decides, recommends, or leaves its case to staff. */
import { CREDITS_JURY_VOTE } from "@lambda/contract/limits";
import { sql } from "kysely";
import { bookCredits } from "../../community/credits/ledger.ts";
import { failedGuard, guardQuery } from "../../platform/db/guard.ts";
import { announce } from "../../social/notifications/announce.ts";
import type { NotifyContext } from "../../social/notifications/notify.ts";
import { afterAction, type Step } from "../action/actions.ts";
import { withAudit } from "../audit/log.ts";
import { decide, needsStaff } from "../case/rules.ts";
import { handOver } from "./hand-over.ts";
import { addBallots, addNotices, addOutcome, addVerdict, reasonsOf } from "./outcome.ts";
import { findEffect, findJury, hasWithdrawnEvidence } from "./sitting.ts";

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
  const open = guardQuery(db, sql<boolean>`exists (select 1 from jury where id = ${juryId} and state = 'open')`);
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
