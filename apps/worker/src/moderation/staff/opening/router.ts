import { Email } from "@lambda/contract/accounts";
import { OpeningState, OpeningStep } from "@lambda/contract/opening";
import { BooleanInput, EmptyObject } from "@lambda/contract/primitives";
import { z } from "zod";
import { adminProcedure, router } from "../../../platform/trpc.ts";
import { invite, openBrand, readOpening, tickStep } from "./opening.ts";

export const openingRouter = router({
  state: adminProcedure("GET /admin/opening", "What the law asks before this brand opens, and what is ticked")
    .output(OpeningState)
    .query(({ ctx }) => readOpening(ctx)),

  tick: adminProcedure("PUT /admin/opening/{step}", "Tick a step, or take the tick back", { status: 200 })
    .input(z.object({ step: OpeningStep, done: BooleanInput }))
    .output(EmptyObject)
    .mutation(({ ctx, input }) => tickStep(ctx, input.step, input.done)),

  invite: adminProcedure("POST /admin/opening/invitation", "Let somebody of the team register before the brand opens", {
    status: 200,
  })
    .input(z.object({ email: Email, invited: BooleanInput.default(true) }))
    .output(EmptyObject)
    .mutation(({ ctx, input }) => invite(ctx, input.email, input.invited)),

  open: adminProcedure("POST /admin/opening", "Open the brand to visitors, for good", { status: 200 })
    .output(EmptyObject)
    .mutation(({ ctx }) => openBrand(ctx)),
});
