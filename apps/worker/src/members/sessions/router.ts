import { EmptyObject, Id } from "@lambda/contract/primitives";
import { SessionEntry } from "@lambda/contract/settings";
import { z } from "zod";
import { AppError } from "../../platform/errors.ts";
import { clearSessionCookies } from "../../platform/http/cookies.ts";
import { router, sessionProcedure } from "../../platform/trpc.ts";
import { closeEndedSockets } from "./close-sockets.ts";
import { deleteAllSessions, deleteOwnSession, listSessions } from "./queries.ts";

export const sessionsRouter = router({
  list: sessionProcedure
    .meta({ rest: { method: "GET", path: "/sessions", summary: "Devices that are logged in", list: true } })
    .output(z.object({ items: z.array(SessionEntry) }))
    .query(async ({ ctx }) => ({ items: await listSessions(ctx) })),

  end: sessionProcedure
    .meta({ rest: { method: "DELETE", path: "/session/{id}", summary: "Log one device out" } })
    .input(z.object({ id: Id }))
    .output(EmptyObject)
    .mutation(async ({ ctx, input }) => {
      if (!(await deleteOwnSession(ctx, input.id))) throw new AppError("NOT_FOUND");
      closeEndedSockets(ctx);
      if (input.id === ctx.viewer.sessionId) clearSessionCookies(ctx.responseHeaders);
      return {};
    }),

  /** Ends all sessions including this one, for a member who fears that somebody else is logged in. */
  endAll: sessionProcedure
    .meta({ rest: { method: "DELETE", path: "/sessions", summary: "Log all devices out" } })
    .output(EmptyObject)
    .mutation(async ({ ctx }) => {
      await deleteAllSessions(ctx.db, ctx.viewer.profileId);
      closeEndedSockets(ctx);
      clearSessionCookies(ctx.responseHeaders);
      return {};
    }),
});
