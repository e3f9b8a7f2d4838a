import { Email } from "@lambda/contract/accounts";
import { KeptAwayAddress } from "@lambda/contract/blocks";
import { DAY_MS, KEPT_AWAY_ADDRESSES_MAX, KEPT_AWAY_PER_DAY_MAX } from "@lambda/contract/limits";
import { EmptyObject, Id } from "@lambda/contract/primitives";
import { z } from "zod";
import { batch } from "../../platform/db/batch.ts";
import { isGuardFailure } from "../../platform/db/guard.ts";
import { AppError } from "../../platform/errors.ts";
import { enforceLimit } from "../../platform/rate-limits/limit.ts";
import { memberProcedure, router } from "../../platform/trpc.ts";
import { mailboxOf } from "../accounts/mailbox.ts";
import {
  addressMark,
  deleteKeptAwayAddressQueries,
  insertKeptAwayAddressQueries,
  listKeptAwayAddresses,
  toKeptAwayAddress,
} from "../blocks/kept-away.ts";

/** Nothing here looks an account up, so neither response nor timing reveals whether an address has one. */
export const keptAwayRouter = router({
  list: memberProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/kept-away-addresses",
        summary: "Kept-away addresses, without the addresses themselves",
      },
    })
    .output(z.object({ items: z.array(KeptAwayAddress) }))
    .query(async ({ ctx }) => ({
      items: (await listKeptAwayAddresses(ctx.db, ctx.viewer.profileId)).map(toKeptAwayAddress),
    })),

  add: memberProcedure
    .meta({
      rest: { method: "POST", path: "/kept-away-address", summary: "Block anybody who joins later with an address" },
    })
    .input(z.object({ email: Email }))
    .output(KeptAwayAddress)
    .mutation(async ({ ctx, input }) => {
      const profileId = ctx.viewer.profileId;
      await enforceLimit(ctx.env, `kept-away:${profileId}`, KEPT_AWAY_PER_DAY_MAX, DAY_MS);
      const queries = insertKeptAwayAddressQueries(
        ctx.db,
        profileId,
        addressMark(ctx.env, mailboxOf(input.email)),
        ctx.now,
      );
      const [, , [row]] = await batch<[unknown[], unknown[], { id: number; ts_created: number }[]]>(
        ctx.d1,
        queries,
      ).catch((error: unknown) => {
        if (!isGuardFailure(error)) throw error;
        throw new AppError("BAD_INPUT", {
          field: "email",
          message: `There is room for ${KEPT_AWAY_ADDRESSES_MAX} addresses. Remove one first.`,
        });
      });
      if (!row) throw new AppError("INTERNAL");
      return toKeptAwayAddress(row);
    }),

  remove: memberProcedure
    .meta({ rest: { method: "DELETE", path: "/kept-away-address/{id}", summary: "Remove a kept-away address" } })
    .input(z.object({ id: Id }))
    .output(EmptyObject)
    .mutation(async ({ ctx, input }) => {
      const [, , removed] = await batch<[unknown[], unknown[], unknown[]]>(
        ctx.d1,
        deleteKeptAwayAddressQueries(ctx.db, ctx.viewer.profileId, input.id),
      );
      if (removed.length === 0) throw new AppError("NOT_FOUND");
      return {};
    }),
});
