import { SessionLock } from "@lambda/contract/lockdown";
import { EmptyObject, Id } from "@lambda/contract/primitives";
import { SessionEntry } from "@lambda/contract/settings";
import { z } from "zod";
import { batch } from "../../platform/db/batch.ts";
import { AppError } from "../../platform/errors.ts";
import { unlockHashOf } from "../../platform/http/cookies.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { type MemberContext, router, sessionProcedure } from "../../platform/trpc.ts";
import { closeEndedSockets, endAllAccessQueries } from "./end-access.ts";
import { loggedOutMail } from "./mail.ts";
import { deleteOwnSession, getMailRecipient, listSessions, updateSessionLock } from "./queries.ts";
import { clearDeviceCookies } from "./sessions.ts";

/** Ends everything that lets somebody in or could lock the owner out, except the password and the mailbox. */
async function endAllAccess(ctx: MemberContext): Promise<void> {
  const { db, brand, viewer } = ctx;
  const { email, locale } = await getMailRecipient(db, viewer.profileId);
  await batch(ctx.d1, endAllAccessQueries(db, viewer.profileId));
  closeEndedSockets(ctx);
  clearDeviceCookies(ctx);
  ctx.waitUntil(sendMail(ctx.env, brand, loggedOutMail(brand, locale, email)));
}

export const sessionsRouter = router({
  list: sessionProcedure("GET /sessions", "Devices that are logged in", { list: true })
    .output(z.object({ items: z.array(SessionEntry) }))
    .query(async ({ ctx }) => ({ items: await listSessions(ctx) })),

  end: sessionProcedure("DELETE /session/{id}", "Log one device out", { keepsSafe: true })
    .input(z.object({ id: Id }))
    .output(EmptyObject)
    .mutation(async ({ ctx, input }) => {
      if (!(await deleteOwnSession(ctx, input.id))) throw new AppError("NOT_FOUND");
      closeEndedSockets(ctx);
      if (input.id === ctx.viewer.sessionId) clearDeviceCookies(ctx);
      return {};
    }),

  /** For a member who fears that somebody else is logged in. Needs no proof, because they must be quick. */
  endAll: sessionProcedure("DELETE /sessions", "Log all devices out", { keepsSafe: true })
    .output(EmptyObject)
    .mutation(({ ctx }) => endAllAccess(ctx)),

  /**
   * Turns the lock of this session on, with the secret that the request shows, or off. A device repeats it after each unlock, in case
   * an earlier call did not arrive.
   */
  setLock: sessionProcedure("PUT /session/lock", "Lock this session with the app lock of its device", {
    keepsSafe: true,
  })
    .input(SessionLock)
    .output(EmptyObject)
    .mutation(async ({ ctx, input }) => {
      const lockHash = input.on ? await unlockHashOf(ctx.request) : null;
      if (input.on && lockHash === null) throw new AppError("BAD_INPUT", { field: "on" });
      if (lockHash === ctx.viewer.lockHash) return {};
      await updateSessionLock(ctx, lockHash);
      // Sockets of other tabs, which were opened without the secret.
      closeEndedSockets(ctx);
      // What was cached until now; a locked session's responses are not stored.
      if (lockHash !== null) ctx.responseHeaders.set("clear-site-data", '"cache"');
      return {};
    }),
});
