import type { JuryVote } from "@lambda/contract/arbitration";
import { JURY_VOTING_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { z } from "zod";
import { type NotifyContext, scheduledContext } from "../../notifications/notify.ts";
import { hasRow, isGuardFailure, openDatabase, passesGuards } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { AppError } from "../../platform/errors.ts";
import { forEachDue } from "../../platform/for-each.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { redact } from "../../profiles/redact.ts";
import type { CaseEvent } from "../case/case.ts";
import { isDecisive, juryOf } from "../case/close-jury.ts";
import { countBallots } from "../case/rules.ts";
import { IllegalTransition } from "../case/step.ts";
import { advanceCase } from "../effects/advance-case.ts";
import { type FoundCase, findCase } from "../effects/find-case.ts";
import { isWithdrawn } from "../evidence/withdrawn.ts";
import { readJuryFacts } from "./facts.ts";

/** Juries closed in one run; the rest follow a minute later. */
const CLOSED_PER_RUN_MAX = 50;

/** Scheduled: empties seats whose jurors did not vote in time, and closes juries that wait for nobody. */
export async function maintainJuries(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  await db
    .updateTable("juror")
    .set({ state: "excused" })
    .where("state", "=", "summoned")
    .where("ts_summoned", "<=", now - JURY_VOTING_MS)
    .execute();
  const complete = await db
    .selectFrom("jury as j")
    .innerJoin("report as c", "c.id", "j.report_id")
    .select(["j.id", "c.brand"])
    .where("j.state", "=", "open")
    .where(sql<boolean>`not exists (select 1 from juror r where r.jury_id = j.id and r.state = 'summoned')`)
    .limit(CLOSED_PER_RUN_MAX)
    .execute();
  await forEachDue(complete, ({ id, brand }) => closeCompleteJury(scheduledContext(env, brand, now), id));
}

/** Casts a juror's vote; the last vote closes the jury. Throws NOT_FOUND if the member has no open summons to it. */
export function castVote(ctx: MemberContext, vote: z.output<typeof JuryVote>): Promise<boolean> {
  const { juryId, verdict, reason } = vote;
  const sanction = verdict === "violation" ? (vote.sanction ?? null) : null;
  return answerSummons(ctx, juryId, {
    type: "voted",
    ballot: { jurorId: ctx.viewer.profileId, verdict, sanction, reason },
  });
}

/** Steps back from a jury; the seat stays empty. Throws NOT_FOUND if the member has no open summons to it. */
export function recuse(ctx: MemberContext, juryId: number): Promise<boolean> {
  return answerSummons(ctx, juryId, { type: "excused", jurorId: ctx.viewer.profileId });
}

/** Returns whether the jury is closed now. */
async function answerSummons(ctx: MemberContext, juryId: number, event: CaseEvent): Promise<boolean> {
  const found = await findCaseOfJury(ctx, juryId);
  if (found?.brand !== ctx.brand.id) throw new AppError("NOT_FOUND");
  try {
    await advanceCase(ctx, found, event);
  } catch (error) {
    if (isGuardFailure(error) || error instanceof IllegalTransition) throw new AppError("NOT_FOUND");
    throw error;
  }
  return closeCompleteJury(ctx, juryId);
}

export async function setOptedOut({ db, viewer }: MemberContext, optedOut: boolean) {
  const opted_out = optedOut ? 1 : 0;
  await db
    .insertInto("juror_record")
    .values({ profile_id: viewer.profileId, opted_out })
    .onConflict((conflict) => conflict.column("profile_id").doUpdateSet({ opted_out }))
    .execute();
  return { optedOut };
}

const SUMMARY_MAX_CHARS = 2000;

/** Closes a jury that waits for nobody; returns whether it did. Safe to call at any time, even concurrently. */
async function closeCompleteJury(ctx: NotifyContext, juryId: number): Promise<boolean> {
  const found = await findCaseOfJury(ctx, juryId);
  if (!found || juryOf(found.state)?.waiting !== 0) return false;
  const rows = await ctx.db
    .selectFrom("juror")
    .select(["profile_id", "verdict", "sanction", "reason"])
    .where("jury_id", "=", juryId)
    .where("state", "=", "voted")
    .orderBy("ts_voted")
    .execute();
  const ballots = rows.map(({ profile_id: jurorId, verdict, sanction, reason }) => ({
    jurorId,
    verdict: verdict ?? "no_violation",
    sanction,
    reason,
  }));
  // If evidence was withdrawn, earlier voters saw more than later ones, so staff decide, who still have all of it.
  const gone = ctx.db
    .selectFrom("evidence as e")
    .select("e.id")
    .where("e.report_id", "=", found.id)
    .where("e.staff_only", "=", 0)
    .where(isWithdrawn());
  const withdrawn = await hasRow(gone);
  const facts = isDecisive({ ballots, withdrawn }) ? await readJuryFacts(ctx, found) : null;
  const verdict = countBallots(ballots)?.verdict;
  const reasons = ballots.filter((ballot) => ballot.verdict === verdict && ballot.reason !== "");
  // The majority's reasons, redacted, for the subject and for later jurors.
  const summary = redact(reasons.map(({ reason }) => reason).join(" · "), [found.subjectName], SUMMARY_MAX_CHARS);
  return passesGuards(advanceCase(ctx, found, { type: "juryClosed", ballots, withdrawn, facts, summary }));
}

async function findCaseOfJury({ db }: NotifyContext, juryId: number): Promise<FoundCase | undefined> {
  const found = await findCase(db, sql<boolean>`r.id = (select report_id from jury where id = ${juryId})`);
  return found?.juryId === juryId ? found : undefined;
}
