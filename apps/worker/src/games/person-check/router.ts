import { VoteResult } from "@lambda/contract/games";
import {
  CheckedMember,
  CheckedQuery,
  OwnPersonCheck,
  PersonCheckItem,
  PersonCheckStills,
  PersonCheckVote,
  StartPersonCheck,
} from "@lambda/contract/person-check";
import { countShown } from "../../platform/rate-limits/usage.ts";
import { memberList, memberProcedure, router } from "../../platform/trpc.ts";
import { listChecked, readOwnCheck, startCheck, submitStills, withdrawCheck } from "./own-check.ts";
import { answerCheck, drawChecks } from "./play.ts";

export const personCheckRouter = router({
  mine: memberProcedure("GET /person-check", "The viewer's own check")
    .output(OwnPersonCheck)
    .query(({ ctx }) => readOwnCheck(ctx)),

  start: memberProcedure("POST /person-check", "Draw a pose; the minute starts", { status: 200 })
    .input(StartPersonCheck)
    .output(OwnPersonCheck)
    .mutation(({ ctx, input }) => startCheck(ctx, input.evenHere)),

  submit: memberProcedure("POST /person-check/stills", "Hand in the stills, uploaded to be seen once", { status: 200 })
    .input(PersonCheckStills)
    .output(OwnPersonCheck)
    .mutation(({ ctx, input }) => submitStills(ctx, input.pictures)),

  withdraw: memberProcedure("POST /person-check/withdraw", "End the check, delete the stills, give up the badge", {
    status: 200,
  })
    .output(OwnPersonCheck)
    .mutation(({ ctx }) => withdrawCheck(ctx)),

  among: memberList("GET /person-check/among", "Which of these members are checked", CheckedMember)
    .input(CheckedQuery)
    .query(async ({ ctx, input }) => {
      const items = await listChecked(ctx, input.profileIds);
      countShown(
        ctx,
        items.map(({ profileId }) => profileId),
      );
      return { items };
    }),

  draw: memberList("POST /games/ishim/draw", "Checks and exercises to judge", PersonCheckItem, {
    status: 200,
  }).mutation(async ({ ctx }) => ({ items: await drawChecks(ctx) })),

  vote: memberProcedure("POST /games/ishim/vote", "Him, not him, or cannot tell")
    .input(PersonCheckVote)
    .output(VoteResult)
    .mutation(({ ctx, input }) => answerCheck(ctx, input.itemId, input.answer)),
});
