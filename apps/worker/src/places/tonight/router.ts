import { TONIGHT_MAX_MS, TONIGHT_ROUNDING_MS } from "@lambda/contract/limits";
import { MemberTonight, TonightPlan, TonightQuery } from "@lambda/contract/tonight";
import { AppError } from "../../platform/errors.ts";
import { countShown } from "../../platform/rate-limits/usage.ts";
import { type MemberContext, memberCommand, memberList, memberProcedure, router } from "../../platform/trpc.ts";
import { refreshStay } from "../travel/whereabouts.ts";
import { deleteTonight, findOwnTonight, listTonight, toMemberTonight, toPlan, upsertTonight } from "./queries.ts";

/**
 * Throws HIDING, and NOT_ALLOWED for a member without a place of their own choice or in a country that punishes, and BAD_INPUT for an end
 * that has passed or is too far away.
 */
async function requireOut(ctx: MemberContext, until: number): Promise<void> {
  const { viewer, now } = ctx;
  const { position } = viewer;
  if (until <= now || until > now + TONIGHT_MAX_MS + TONIGHT_ROUNDING_MS)
    throw new AppError("BAD_INPUT", { field: "tsUntil", message: "tsUntil: within the next 12 hours" });
  if (viewer.hidden) throw new AppError("HIDING");
  if (!position || position.use === "RANDOM" || position.ts_effective_until <= now)
    throw new AppError("NOT_ALLOWED", { message: "Put yourself on the map first, by hand or by GPS." });
  if ((await refreshStay(ctx)).stay)
    throw new AppError("NOT_ALLOWED", { message: "Where you are, this would not be safe." });
}

export const tonightRouter = router({
  mine: memberProcedure("GET /tonight", "The viewer's own night out, or null")
    .output(TonightPlan.nullable())
    .query(async ({ ctx }) => {
      const row = await findOwnTonight(ctx.db, ctx.viewer.profileId, ctx.now);
      return row ? toPlan(row) : null;
    }),

  put: memberProcedure("PUT /tonight", "Say that one is out tonight; needs a place set by hand or GPS")
    .input(TonightPlan)
    .output(TonightPlan)
    .mutation(async ({ ctx, input }) => {
      const until = Math.ceil(Date.parse(input.tsUntil) / TONIGHT_ROUNDING_MS) * TONIGHT_ROUNDING_MS;
      await requireOut(ctx, until);
      await upsertTonight(ctx.db, ctx.viewer.profileId, input.wishes, until);
      return { wishes: input.wishes, tsUntil: new Date(until).toISOString() };
    }),

  end: memberCommand("DELETE /tonight", "End it").mutation(({ ctx }) => deleteTonight(ctx.db, ctx.viewer.profileId)),

  among: memberList("GET /tonight/among", "Which of these members are out tonight", MemberTonight)
    .input(TonightQuery)
    .query(async ({ ctx, input }) => {
      const rows = await listTonight(ctx.db, ctx, input.profileIds, ctx.now);
      countShown(
        ctx,
        rows.map(({ profile_id }) => profile_id),
      );
      return { items: rows.map(toMemberTonight) };
    }),
});
