/** A juror's choices: to vote, to step back, or never to be drawn. */
import type { JuryVote } from "@lambda/contract/arbitration";
import type { z } from "zod";
import { isGuardFailure } from "../../platform/db/guard.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import type { CaseEvent } from "../case/case.ts";
import { IllegalTransition } from "../case/step.ts";
import { advanceCase } from "../effects/advance-case.ts";
import { closeCompleteJury, findCaseOfJury } from "./close-jury.ts";

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

export async function setOptedOut({ db, viewer }: MemberContext, optedOut: boolean): Promise<void> {
  const opted_out = optedOut ? 1 : 0;
  await db
    .insertInto("juror_record")
    .values({ profile_id: viewer.profileId, opted_out })
    .onConflict((conflict) => conflict.column("profile_id").doUpdateSet({ opted_out }))
    .execute();
}
