import { DAY_MS, LOCKDOWN_CHANGES_PER_DAY_MAX } from "@lambda/contract/limits";
import { LockdownSignal, normalizeRecoveryWords, RecoveryWords, Unlocked } from "@lambda/contract/lockdown";
import { EmptyObject } from "@lambda/contract/primitives";
import type { CurveKey } from "@lambda/geo/curve";
import { batch } from "../../platform/db/batch.ts";
import { notifySquares } from "../../platform/map/squares.ts";
import { enforceLimit } from "../../platform/rate-limits/limit.ts";
import { type MemberContext, openProcedure, router, sessionProcedure } from "../../platform/trpc.ts";
import { hashPassword } from "../accounts/passwords.ts";
import { insertLockdownSignalQueries, lockDownQueries, upsertRecoveryWords } from "../lockdown/queries.ts";
import { requireFresh } from "../sessions/fresh.ts";
import { hashToken } from "../sessions/tokens.ts";

/** A lock-down shuts its member out, so a phone found unlocked must not suffice to prepare one. */
async function requireOwner({ env, viewer, now }: MemberContext): Promise<void> {
  requireFresh(viewer, now);
  await enforceLimit(env, `lockdown:${viewer.profileId}`, LOCKDOWN_CHANGES_PER_DAY_MAX, DAY_MS);
}

/**
 * Nothing here reads what a member prepared: somebody who holds the unlocked phone must not learn that there is a
 * second PIN.
 */
export const lockdownRouter = router({
  /**
   * Called by a device after each PIN, with or without a session. A prepared token hides its member, ends their
   * sessions, pushes and sockets, and makes every login fail; any other token does nothing, with the same work and the
   * same response.
   */
  unlocked: openProcedure
    .meta({ rest: { method: "POST", path: "/unlock", status: 204, summary: "This device was unlocked" } })
    .input(Unlocked)
    .output(EmptyObject)
    .mutation(async ({ ctx, input }) => {
      const queries = lockDownQueries(ctx.db, await hashToken(input.token), ctx.now);
      const results = await batch<unknown[][]>(ctx.d1, queries);
      const [hidden] = results[1] as { id: number; shared_on: number; key: CurveKey | null }[];
      const [locked] = results.at(-2) as { account_id: number }[];
      // On an event without content, the object finds that the sessions have ended and closes the sockets.
      if (locked) ctx.waitUntil(ctx.env.MEMBER.getByName(String(locked.account_id)).deliver([], null));
      if (hidden) ctx.waitUntil(notifySquares(ctx.env, [hidden.key], { id: hidden.id, was: hidden.shared_on }));
      // Pictures of other members must not stay in the cache of a device that needs a PIN.
      ctx.responseHeaders.set("clear-site-data", '"cache"');
      return {};
    }),

  prepare: sessionProcedure
    .meta({ rest: { method: "POST", path: "/lockdown-signal", status: 204, summary: "Prepare a second PIN" } })
    .input(LockdownSignal)
    .output(EmptyObject)
    .mutation(async ({ ctx, input }) => {
      await requireOwner(ctx);
      const signal = {
        account_id: ctx.viewer.profileId,
        token_hash: new Uint8Array(Buffer.from(input.tokenHash, "hex")),
        hours: input.hours,
      };
      await batch(ctx.d1, insertLockdownSignalQueries(ctx.db, signal));
      return {};
    }),

  setWords: sessionProcedure
    .meta({ rest: { method: "PUT", path: "/recovery-words", status: 204, summary: "Words that end a lock-down" } })
    .input(RecoveryWords)
    .output(EmptyObject)
    .mutation(async ({ ctx, input }) => {
      await requireOwner(ctx);
      await upsertRecoveryWords(
        ctx.db,
        ctx.viewer.profileId,
        await hashPassword(normalizeRecoveryWords(input.words) ?? ""),
      );
      return {};
    }),
});
