import { Id, Nothing } from "@lambda/contract/primitives";
import { SessionEntry } from "@lambda/contract/settings";
import { z } from "zod";
import { AppError } from "../../platform/errors.ts";
import { clearSessionCookies } from "../../platform/http/cookies.ts";
import { router, standingProcedure } from "../../platform/trpc.ts";

export const sessionsRouter = router({
  list: standingProcedure
    .meta({ rest: { method: "GET", path: "/sessions", summary: "Devices that are logged in", list: true } })
    .output(z.object({ items: z.array(SessionEntry) }))
    .query(async ({ ctx }) => {
      const rows = await ctx.db
        .selectFrom("session")
        .select(["id", "device_label", "brand", "ts_created", "ts_last_used"])
        .where("account_id", "=", ctx.viewer.profileId)
        .where("ts_expires", ">", ctx.now)
        .orderBy("ts_last_used", "desc")
        .limit(200)
        .execute();
      const items = rows.map((row) => ({
        id: row.id,
        deviceLabel: row.device_label,
        brand: row.brand,
        tsCreated: new Date(row.ts_created).toISOString(),
        tsLastUsed: new Date(row.ts_last_used).toISOString(),
        thisDevice: row.id === ctx.viewer.sessionId,
      }));
      return { items };
    }),

  end: standingProcedure
    .meta({ rest: { method: "DELETE", path: "/session/{id}", summary: "Log one device out" } })
    .input(z.object({ id: Id }))
    .output(Nothing)
    .mutation(async ({ ctx, input }) => {
      const ended = await ctx.db
        .deleteFrom("session")
        .where("id", "=", input.id)
        .where("account_id", "=", ctx.viewer.profileId)
        .returning("id")
        .executeTakeFirst();
      if (!ended) throw new AppError("NOT_FOUND");
      if (input.id === ctx.viewer.sessionId) clearSessionCookies(ctx.answerHeaders);
      return {};
    }),

  /** Every device, this one too: what a member does who fears that someone is in. */
  endAll: standingProcedure
    .meta({ rest: { method: "DELETE", path: "/sessions", summary: "Log all devices out" } })
    .output(Nothing)
    .mutation(async ({ ctx }) => {
      await ctx.db.deleteFrom("session").where("account_id", "=", ctx.viewer.profileId).execute();
      clearSessionCookies(ctx.answerHeaders);
      return {};
    }),
});
