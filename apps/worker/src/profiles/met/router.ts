import { MetBy, MetRequest, MetState } from "@lambda/contract/met";
import { z } from "zod";
import { refreshStay } from "../../places/travel/whereabouts.ts";
import { AppError } from "../../platform/errors.ts";
import { spendQuota } from "../../platform/rate-limits/limit.ts";
import { memberCommand, memberProcedure, router } from "../../platform/trpc.ts";
import { findOwnMetBy, getMetState, sayMet, takeMetBack } from "./queries.ts";

export const metRouter = router({
  own: memberProcedure("GET /met", "By how many men the viewer was met, as others see it")
    .output(z.object({ metBy: MetBy }))
    .query(async ({ ctx }) => ({ metBy: await findOwnMetBy(ctx.db, ctx.viewer.profileId) })),

  state: memberProcedure(
    "GET /met/{profileId}",
    "Whether the viewer said, or may say, that this member is the man in his pictures",
  )
    .input(MetRequest)
    .output(MetState)
    .query(({ ctx, input }) => getMetState(ctx, input.profileId)),

  say: memberCommand("PUT /met/{profileId}", "Say privately that a member is the man in his pictures")
    .input(MetRequest)
    .mutation(async ({ ctx, input }) => {
      const { canSay } = await getMetState(ctx, input.profileId);
      if (!canSay) throw new AppError("NOT_ALLOWED", { message: "Talk for two days first, with three messages each." });
      if ((await refreshStay(ctx)).stay)
        throw new AppError("NOT_ALLOWED", { message: "Where you are, this would not be safe." });
      await spendQuota(ctx, "relations", ctx.viewer.profileId, { relations: 1 });
      await sayMet(ctx, input.profileId);
      return {};
    }),

  takeBack: memberCommand("DELETE /met/{profileId}", "Take it back")
    .input(MetRequest)
    .mutation(async ({ ctx, input }) => {
      await takeMetBack(ctx.db, ctx.viewer.profileId, input.profileId);
      return {};
    }),
});
