import { Email } from "@lambda/contract/accounts";
import { KeptAwayAddress } from "@lambda/contract/blocks";
import { DAY_MS, KEPT_AWAY_ADDRESSES_MAX, KEPT_AWAY_PER_DAY_MAX } from "@lambda/contract/limits";
import { Id, Nothing } from "@lambda/contract/primitives";
import { z } from "zod";
import { batch } from "../../platform/db/batch.ts";
import { failedGuard } from "../../platform/db/guard.ts";
import { AppError } from "../../platform/errors.ts";
import { limit } from "../../platform/rate-limits/limit.ts";
import { memberProcedure, router } from "../../platform/trpc.ts";
import { mailboxOf } from "../accounts/mailbox.ts";
import {
  addressMark,
  deleteAddressQueries,
  insertAddressQueries,
  listAddresses,
  toKeptAwayAddress,
} from "../blocks/kept-away.ts";

/** Nothing here looks for an account, so no answer and no time can tell whether an address has one. */
export const keptAwayRouter = router({
  list: memberProcedure
    .meta({
      rest: { method: "GET", path: "/kept-away-addresses", summary: "Addresses kept away, without what they are" },
    })
    .output(z.object({ items: z.array(KeptAwayAddress) }))
    .query(async ({ ctx }) => ({
      items: (await listAddresses(ctx.db, ctx.viewer.profileId)).map(toKeptAwayAddress),
    })),

  add: memberProcedure
    .meta({
      rest: { method: "POST", path: "/kept-away-address", summary: "Block whoever joins later with an address" },
    })
    .input(z.object({ email: Email }))
    .output(KeptAwayAddress)
    .mutation(async ({ ctx, input }) => {
      const me = ctx.viewer.profileId;
      await limit(ctx.env, `kept-away:${me}`, KEPT_AWAY_PER_DAY_MAX, DAY_MS);
      const queries = insertAddressQueries(ctx.db, me, addressMark(ctx.env, mailboxOf(input.email)), ctx.now);
      const [, , [row]] = await batch<[unknown[], unknown[], { id: number; ts_created: number }[]]>(
        ctx.d1,
        queries,
      ).catch((error: unknown) => {
        if (!failedGuard(error)) throw error;
        throw new AppError("BAD_INPUT", {
          field: "email",
          message: `There is room for ${KEPT_AWAY_ADDRESSES_MAX} addresses. Remove one first.`,
        });
      });
      if (!row) throw new AppError("INTERNAL");
      return toKeptAwayAddress(row);
    }),

  remove: memberProcedure
    .meta({ rest: { method: "DELETE", path: "/kept-away-address/{id}", summary: "Keep an address away no longer" } })
    .input(z.object({ id: Id }))
    .output(Nothing)
    .mutation(async ({ ctx, input }) => {
      const [, , removed] = await batch<[unknown[], unknown[], unknown[]]>(
        ctx.d1,
        deleteAddressQueries(ctx.db, ctx.viewer.profileId, input.id),
      );
      if (removed.length === 0) throw new AppError("NOT_FOUND");
      return {};
    }),
});
