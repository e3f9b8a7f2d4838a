import { sql } from "kysely";
import { isGuardFailure } from "../../platform/db/guard.ts";
import type { NotifyContext } from "../../social/notifications/notify.ts";
import { redact } from "../../social/profiles/redact.ts";
import type { CastBallot } from "../case/case.ts";
import { isDecisive, juryOf } from "../case/close-jury.ts";
import { countBallots } from "../case/rules.ts";
import { advanceCase } from "../effects/advance-case.ts";
import { type FoundCase, findCase } from "../effects/find-case.ts";
import { hasWithdrawnEvidence, readJuryFacts } from "./facts.ts";

const SUMMARY_MAX_CHARS = 2000;

interface Ballot extends CastBallot {
  readonly reason: string;
}

/** Closes a jury that waits for nobody; returns whether it did. Safe to call at any time, even concurrently. */
export async function closeCompleteJury(ctx: NotifyContext, juryId: number): Promise<boolean> {
  const found = await findCaseOfJury(ctx, juryId);
  if (!found || juryOf(found.state)?.waiting !== 0) return false;
  const ballots = await listBallots(ctx, juryId);
  const withdrawn = await hasWithdrawnEvidence(ctx.db, found.id);
  const facts = isDecisive({ ballots, withdrawn }) ? await readJuryFacts(ctx, found) : null;
  const summary = summaryOf(ballots, found);
  try {
    await advanceCase(ctx, found, { type: "juryClosed", ballots, withdrawn, facts, summary });
  } catch (error) {
    if (isGuardFailure(error)) return false;
    throw error;
  }
  return true;
}

export async function findCaseOfJury({ db }: NotifyContext, juryId: number): Promise<FoundCase | undefined> {
  const found = await findCase(db, sql<boolean>`r.id = (select report_id from jury where id = ${juryId})`);
  return found?.juryId === juryId ? found : undefined;
}

async function listBallots({ db }: NotifyContext, juryId: number): Promise<Ballot[]> {
  const rows = await db
    .selectFrom("juror")
    .select(["profile_id", "verdict", "sanction", "reason"])
    .where("jury_id", "=", juryId)
    .where("state", "=", "voted")
    .orderBy("ts_voted")
    .execute();
  return rows.map(({ profile_id: jurorId, verdict, sanction, reason }) => ({
    jurorId,
    verdict: verdict ?? "no_violation",
    sanction,
    reason,
  }));
}

/** The majority's reasons, redacted, for the subject and for later jurors. */
function summaryOf(ballots: readonly Ballot[], { subjectName }: FoundCase): string {
  const verdict = countBallots(ballots)?.verdict;
  const reasons = ballots.filter((ballot) => ballot.verdict === verdict && ballot.reason !== "");
  return redact(reasons.map(({ reason }) => reason).join(" · "), [subjectName], SUMMARY_MAX_CHARS);
}
