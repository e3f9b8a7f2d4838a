import { Email } from "@lambda/contract/accounts";
import { OpeningState, OpeningStep } from "@lambda/contract/opening";
import { BooleanInput } from "@lambda/contract/primitives";
import { z } from "zod";
import { adminCommand, adminProcedure, router } from "../../../platform/trpc.ts";
import { invite, openBrand, readOpening, tickStep } from "./opening.ts";

export const openingRouter = router({
  state: adminProcedure("GET /admin/opening", "What the law asks before this brand opens, and what is ticked")
    .output(OpeningState)
    .query(({ ctx }) => readOpening(ctx)),

  tick: adminCommand("PUT /admin/opening/{step}", "Tick a step, or take the tick back")
    .input(z.object({ step: OpeningStep, done: BooleanInput }))
    .mutation(({ ctx, input }) => tickStep(ctx, input.step, input.done)),

  invite: adminCommand("POST /admin/opening/invitation", "Let somebody of the team register before the brand opens")
    .input(z.object({ email: Email, invited: BooleanInput.default(true) }))
    .mutation(({ ctx, input }) => invite(ctx, input.email, input.invited)),

  open: adminCommand("POST /admin/opening", "Open the brand to visitors, for good").mutation(({ ctx }) =>
    openBrand(ctx),
  ),
});
