import {
  AgeProofProgress,
  AgeProofRequest,
  AgeProofResponse,
  AgeProofStart,
  AgeState,
  AgeStatus,
} from "@lambda/contract/age";
import { z } from "zod";
import type { Context } from "../../platform/context.ts";
import { dateOfDay } from "../../platform/iso-time.ts";
import { openProcedure, router, sessionCommand } from "../../platform/trpc.ts";
import { ageRule } from "./policy.ts";
import { beginProof, deleteAgeProof, findAgeProof, getProgress, offeredMethods, submitAsHolder } from "./requests.ts";
import { findVisitorTicket } from "./require-proof.ts";

async function getStatus(ctx: Context): Promise<AgeStatus> {
  const { join, seeExplicit } = ageRule(ctx);
  const proof = ctx.viewer ? await findAgeProof(ctx.db, ctx.viewer.profileId) : undefined;
  const day = proof && dateOfDay(proof.day);
  return {
    join,
    seeExplicit,
    proved: proof !== undefined || (!ctx.viewer && (await findVisitorTicket(ctx)) !== null),
    proof: proof && day ? { method: proof.method, day, policy: proof.policy } : null,
    methods: offeredMethods(ctx),
  };
}

/** Open to visitors: where joining needs a proof, it comes before the account. */
export const ageRouter = router({
  status: openProcedure("GET /age", "What the place requires, and the proof of age", { worksUnopened: true })
    .output(AgeStatus)
    .query(({ ctx }) => getStatus(ctx)),

  begin: openProcedure("POST /age/request", "Ask for a proof of age", { worksUnopened: true })
    .input(AgeProofStart)
    .output(AgeProofRequest)
    .mutation(({ ctx, input }) => beginProof(ctx, input.method)),

  progress: openProcedure("GET /age/request/{state}", "The progress of a request", { worksUnopened: true })
    .input(z.object({ state: AgeState }))
    .output(AgeProofProgress)
    .query(({ ctx, input }) => getProgress(ctx, input.state)),

  answer: openProcedure("POST /age/request/{state}", "Submit the response that the browser received", {
    worksUnopened: true,
    status: 200,
  })
    .input(AgeProofResponse)
    .output(AgeProofProgress)
    .mutation(({ ctx, input }) => submitAsHolder(ctx, input.state, input.response)),

  /** Also clears the browser's cache, so that pictures seen with the proof do not stay on the device. */
  remove: sessionCommand("DELETE /age", "Remove the proof of age").mutation(async ({ ctx }) => {
    await deleteAgeProof(ctx.db, ctx.viewer.profileId);
    ctx.responseHeaders.set("clear-site-data", '"cache"');
  }),
});
