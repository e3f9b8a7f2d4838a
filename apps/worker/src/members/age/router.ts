import { AgeAnswer, AgeBegin, AgeProgress, AgeRequest, AgeState, AgeStatus } from "@lambda/contract/age";
import { DAY_MS } from "@lambda/contract/limits";
import { Nothing } from "@lambda/contract/primitives";
import { z } from "zod";
import type { Context } from "../../platform/context.ts";
import { openProcedure, router, sessionProcedure } from "../../platform/trpc.ts";
import { ageRule } from "./policy.ts";
import { deleteAgeProof, findAgeProof } from "./queries.ts";
import { answerAsHolder, beginProof, offeredMethods, readProgress } from "./requests.ts";
import { visitorProof } from "./standing.ts";

async function readStatus(ctx: Context): Promise<AgeStatus> {
  const { join, seeExplicit } = ageRule(ctx);
  const proof = ctx.viewer ? await findAgeProof(ctx.db, ctx.viewer.profileId) : undefined;
  const day = proof && new Date(proof.day * DAY_MS).toISOString().slice(0, 10);
  return {
    join,
    seeExplicit,
    proved: proof !== undefined || (!ctx.viewer && (await visitorProof(ctx)) !== null),
    proof: proof && day ? { method: proof.method, day, policy: proof.policy } : null,
    methods: offeredMethods(ctx),
  };
}

/** Open to visitors too: where a proof is needed to join, it comes before the account. */
export const ageRouter = router({
  status: openProcedure
    .meta({ rest: { method: "GET", path: "/age", summary: "What the place asks for, and the own proof of age" } })
    .output(AgeStatus)
    .query(({ ctx }) => readStatus(ctx)),

  begin: openProcedure
    .meta({ rest: { method: "POST", path: "/age/request", summary: "Ask for a proof of age" } })
    .input(AgeBegin)
    .output(AgeRequest)
    .mutation(({ ctx, input }) => beginProof(ctx, input.method)),

  progress: openProcedure
    .meta({ rest: { method: "GET", path: "/age/request/{state}", summary: "How an own request stands" } })
    .input(z.object({ state: AgeState }))
    .output(AgeProgress)
    .query(({ ctx, input }) => readProgress(ctx, input.state)),

  answer: openProcedure
    .meta({ rest: { method: "POST", path: "/age/request/{state}", status: 200, summary: "What the browser got" } })
    .input(AgeAnswer)
    .output(AgeProgress)
    .mutation(({ ctx, input }) => answerAsHolder(ctx, input.state, input.response)),

  /** What was seen with it must not stay on the device. */
  remove: sessionProcedure
    .meta({ rest: { method: "DELETE", path: "/age", summary: "Remove the own proof of age" } })
    .output(Nothing)
    .mutation(async ({ ctx }) => {
      await deleteAgeProof(ctx.db, ctx.viewer.profileId);
      ctx.responseHeaders.set("clear-site-data", '"cache"');
      return {};
    }),
});
