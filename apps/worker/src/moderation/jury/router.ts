import { JuryDocket, JuryVote, Precedent } from "@lambda/contract/arbitration";
import { Rule } from "@lambda/contract/moderation";
import { Flag, Id, Nothing } from "@lambda/contract/primitives";
import { z } from "zod";
import { AppError } from "../../platform/errors.ts";
import { memberProcedure, router } from "../../platform/trpc.ts";
import { excuseJuror } from "./create-jury.ts";
import { castVote, readDocket } from "./inbox.ts";
import { searchPrecedents } from "./precedents.ts";

export const arbitrationRouter = router({
  docket: memberProcedure
    .meta({ rest: { method: "GET", path: "/arbitration", summary: "Cases that wait for the member's vote" } })
    .output(JuryDocket)
    .query(({ ctx }) => readDocket(ctx)),

  vote: memberProcedure
    .meta({ rest: { method: "POST", path: "/arbitration/{juryId}/vote", summary: "Vote as a juror" } })
    .input(JuryVote)
    .output(z.object({ decided: z.boolean() }))
    .mutation(async ({ ctx, input }) => ({ decided: await castVote(ctx, input) })),

  /** The juror knows one of them, or would rather not. The seat stays empty. */
  recuse: memberProcedure
    .meta({
      rest: { method: "POST", path: "/arbitration/{juryId}/recuse", status: 204, summary: "Step back from a jury" },
    })
    .input(z.object({ juryId: Id }))
    .output(Nothing)
    .mutation(async ({ ctx, input }) => {
      const seat = await ctx.db
        .selectFrom("juror as r")
        .innerJoin("jury as j", "j.id", "r.jury_id")
        .select("j.id")
        .where("r.jury_id", "=", input.juryId)
        .where("r.profile_id", "=", ctx.viewer.profileId)
        .where("r.state", "=", "summoned")
        .where("j.state", "=", "open")
        .executeTakeFirst();
      if (!seat) throw new AppError("NOT_FOUND");
      await excuseJuror(ctx, { juryId: input.juryId, jurorId: ctx.viewer.profileId });
      return {};
    }),

  /** Whether he wants to be drawn at all. */
  serve: memberProcedure
    .meta({ rest: { method: "PUT", path: "/arbitration/service", summary: "Take part in juries or not" } })
    .input(z.object({ optedOut: Flag }))
    .output(z.object({ optedOut: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      const opted_out = input.optedOut ? 1 : 0;
      await ctx.db
        .insertInto("juror_record")
        .values({ profile_id: ctx.viewer.profileId, opted_out })
        .onConflict((conflict) => conflict.column("profile_id").doUpdateSet({ opted_out }))
        .execute();
      return { optedOut: input.optedOut };
    }),

  precedents: memberProcedure
    .meta({
      rest: { method: "GET", path: "/arbitration/precedents", summary: "Decided cases, without names", list: true },
    })
    .input(z.object({ category: Rule.optional(), text: z.string().trim().max(100).default("") }))
    .output(z.object({ items: z.array(Precedent) }))
    .query(async ({ ctx, input }) => ({ items: await searchPrecedents(ctx, input) })),
});
