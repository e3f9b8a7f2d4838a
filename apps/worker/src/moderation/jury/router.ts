import { JuryInbox, JuryVote, Precedent } from "@lambda/contract/arbitration";
import { Rule } from "@lambda/contract/moderation";
import { BooleanInput, Id } from "@lambda/contract/primitives";
import { z } from "zod";
import { memberCommand, memberList, memberProcedure, router } from "../../platform/trpc.ts";
import { readInbox, searchPrecedents } from "./inbox.ts";
import { castVote, recuse, setOptedOut } from "./votes.ts";

export const arbitrationRouter = router({
  inbox: memberProcedure("GET /arbitration", "Cases that wait for the member's vote")
    .output(JuryInbox)
    .query(({ ctx }) => readInbox(ctx)),

  vote: memberProcedure("POST /arbitration/{juryId}/vote", "Vote as a juror")
    .input(JuryVote)
    .output(z.object({ decided: z.boolean() }))
    .mutation(async ({ ctx, input }) => ({ decided: await castVote(ctx, input) })),

  /** For a juror who knows one of the sides or prefers not to judge. The seat stays empty. */
  recuse: memberCommand("POST /arbitration/{juryId}/recuse", "Step back from a jury", { status: 204 })
    .input(z.object({ juryId: Id }))
    .mutation(({ ctx, input }) => recuse(ctx, input.juryId)),

  setOptedOut: memberProcedure("PUT /arbitration/service", "Opt in or out of jury service")
    .input(z.object({ optedOut: BooleanInput }))
    .output(z.object({ optedOut: z.boolean() }))
    .mutation(({ ctx, input }) => setOptedOut(ctx, input.optedOut)),

  precedents: memberList("GET /arbitration/precedents", "Decided cases, without names", Precedent)
    .input(z.object({ category: Rule.optional(), text: z.string().trim().max(100).default("") }))
    .query(async ({ ctx, input }) => ({ items: await searchPrecedents(ctx, input) })),
});
