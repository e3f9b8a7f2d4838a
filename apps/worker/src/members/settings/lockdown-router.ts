import { DAY_MS, LOCKDOWN_CHANGES_PER_DAY_MAX } from "@lambda/contract/limits";
import { LockdownSignal, RecoveryWords, readRecoveryWords, Unlocked } from "@lambda/contract/lockdown";
import { Nothing } from "@lambda/contract/primitives";
import { batch } from "../../platform/db/batch.ts";
import { limit } from "../../platform/rate-limits/limit.ts";
import { type MemberContext, openProcedure, router, sessionProcedure } from "../../platform/trpc.ts";
import { hashPassword } from "../accounts/passwords.ts";
import { insertSignalQueries, lockDownQueries, upsertWords } from "../lockdown/queries.ts";
import { requireFresh } from "../sessions/fresh.ts";
import { hashToken } from "../sessions/tokens.ts";

/** What is prepared here shuts its member out: a phone that somebody found unlocked must not suffice. */
async function requireOwner({ env, viewer, now }: MemberContext): Promise<void> {
  requireFresh(viewer, now);
  await limit(env, `lockdown:${viewer.profileId}`, LOCKDOWN_CHANGES_PER_DAY_MAX, DAY_MS);
}

/** Nothing here reads what a member prepared: whoever holds an unlocked phone must not learn that there is a second PIN. */
export const lockdownRouter = router({
  /**
   * What a device says after each PIN, with or without a session. A token that was prepared hides its member, ends their sessions, pushes
   * and sockets, and refuses every login; any other does nothing, by the same work and the same answer.
   */
  unlocked: openProcedure
    .meta({ rest: { method: "POST", path: "/unlock", status: 204, summary: "This device was unlocked" } })
    .input(Unlocked)
    .output(Nothing)
    .mutation(async ({ ctx, input }) => {
      const queries = lockDownQueries(ctx.db, await hashToken(input.token), ctx.now);
      const answers = await batch<{ account_id: number }[][]>(ctx.d1, queries);
      const locked = answers.at(-2)?.[0];
      // An event without content: the object finds that no session stands, and closes the sockets.
      if (locked) ctx.waitUntil(ctx.env.MEMBER.getByName(String(locked.account_id)).deliver([], null));
      // Pictures of others must not stay on a disk that was locked for a reason.
      ctx.responseHeaders.set("clear-site-data", '"cache"');
      return {};
    }),

  prepare: sessionProcedure
    .meta({ rest: { method: "POST", path: "/lockdown-signal", status: 204, summary: "Prepare a second PIN" } })
    .input(LockdownSignal)
    .output(Nothing)
    .mutation(async ({ ctx, input }) => {
      await requireOwner(ctx);
      const signal = {
        account_id: ctx.viewer.profileId,
        token_hash: new Uint8Array(Buffer.from(input.tokenHash, "hex")),
        hours: input.hours,
      };
      await batch(ctx.d1, insertSignalQueries(ctx.db, signal));
      return {};
    }),

  setWords: sessionProcedure
    .meta({ rest: { method: "PUT", path: "/recovery-words", status: 204, summary: "Words that end a lock-down" } })
    .input(RecoveryWords)
    .output(Nothing)
    .mutation(async ({ ctx, input }) => {
      await requireOwner(ctx);
      await upsertWords(ctx.db, ctx.viewer.profileId, await hashPassword(readRecoveryWords(input.words) ?? ""));
      return {};
    }),
});
