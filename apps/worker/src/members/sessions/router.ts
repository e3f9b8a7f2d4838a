import { EmptyObject, Id } from "@lambda/contract/primitives";
import { SessionEntry } from "@lambda/contract/settings";
import { z } from "zod";
import { batch } from "../../platform/db/batch.ts";
import { AppError } from "../../platform/errors.ts";
import { clearSessionCookies } from "../../platform/http/cookies.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { type MemberContext, router, sessionProcedure } from "../../platform/trpc.ts";
import { closeEndedSockets } from "./close-sockets.ts";
import { endAllAccessQueries } from "./end-access.ts";
import { loggedOutMail } from "./mail.ts";
import { deleteOwnSession, getMailRecipient, listSessions } from "./queries.ts";

/** Ends everything that lets somebody in or could lock the owner out, except the password and the mailbox. */
async function endAllAccess(ctx: MemberContext): Promise<void> {
  const { db, brand, viewer } = ctx;
  const { email, locale } = await getMailRecipient(db, viewer.profileId);
  await batch(ctx.d1, endAllAccessQueries(db, viewer.profileId));
  closeEndedSockets(ctx);
  clearSessionCookies(ctx.responseHeaders);
  ctx.waitUntil(sendMail(ctx.env, brand, loggedOutMail(brand, locale, email)));
}

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

  /** For a member who fears that somebody else is logged in. Needs no proof, because they must be quick. */
  endAll: sessionProcedure
    .meta({ rest: { method: "DELETE", path: "/sessions", summary: "Log all devices out" } })
    .output(EmptyObject)
    .mutation(async ({ ctx }) => {
      await endAllAccess(ctx);
      return {};
    }),
});
