import { defineCopy } from "@lambda/contract/copy";
import { Disclosure, KeptDisclosures } from "@lambda/contract/disclosures";
import { SessionLock } from "@lambda/contract/lockdown";
import { Id } from "@lambda/contract/primitives";
import { SessionEntry } from "@lambda/contract/settings";
import { z } from "zod";
import { batch } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import { isFresh } from "../../platform/fresh.ts";
import { unlockHashOf } from "../../platform/http/cookies.ts";
import { composeMail, prepareMail } from "../../platform/mail/send-mail.ts";
import { type MemberContext, router, sessionCommand, sessionList } from "../../platform/trpc.ts";
import { listDisclosures } from "../../visibility/statements/disclosures.ts";
import { closeEndedSockets, endAllAccessQueries } from "./end-access.ts";
import { deleteOwnSession, getMailRecipient, listSessions, updateSessionLock } from "./queries.ts";
import { clearDeviceCookies } from "./sessions.ts";

const loggedOutMailCopy = defineCopy({
  en: {
    subject: (brand: string) => `You were logged out of ${brand} everywhere`,
    lead: "All devices were logged out. Passkeys, second PINs and recovery words were removed: set up again what you need. Your password stays as it is; if someone else may know it, choose a new one.",
    notYou: (operator: string) => `If it wasn't you, someone had one of your devices. Write to us: ${operator}`,
  },
  es: {
    subject: (brand) => `Se cerró tu sesión de ${brand} en todas partes`,
    lead: "Se cerró la sesión en todos los dispositivos. Se quitaron las llaves de acceso, los segundos PIN y las palabras de recuperación: vuelve a poner lo que necesites. Tu contraseña sigue igual; si otra persona puede saberla, elige otra.",
    notYou: (operator) => `Si no fuiste tú, alguien tuvo uno de tus dispositivos. Escríbenos: ${operator}`,
  },
});

/** Ends everything that lets somebody in or could lock the owner out, except the password and the mailbox. */
async function endAllAccess(ctx: MemberContext, kept: readonly number[]): Promise<void> {
  const { db, brand, viewer, now } = ctx;
  const { email, locale } = await getMailRecipient(db, viewer.profileId);
  const { subject, lead, notYou } = loggedOutMailCopy[locale];
  // Sent because it also takes away what its owner may count on.
  const warning = composeMail(brand, email, subject(brand.name), [lead, notYou(brand.operatorAddress)]);
  const mail = prepareMail(ctx.env, brand, warning, "loggedOutEverywhere", viewer.profileId);
  await batch(ctx.d1, [
    ...endAllAccessQueries(db, viewer.profileId, { now, kept, settles: isFresh(viewer, now) }),
    ...mail.queries,
  ]);
  ctx.waitUntil(mail.deliver());
  closeEndedSockets(ctx);
  clearDeviceCookies(ctx);
}

export const sessionsRouter = router({
  list: sessionList("GET /sessions", "Devices that are logged in", SessionEntry).query(async ({ ctx }) => ({
    items: await listSessions(ctx),
  })),

  end: sessionCommand("DELETE /session/{id}", "Log one device out", { keepsSafe: true })
    .input(z.object({ id: Id }))
    .mutation(async ({ ctx, input }) => {
      if (!(await deleteOwnSession(ctx, input.id))) throw new AppError("NOT_FOUND");
      closeEndedSockets(ctx);
      if (input.id === ctx.viewer.sessionId) clearDeviceCookies(ctx);
      return {};
    }),

  /** For a member who fears that somebody else is logged in. Needs no proof, because they must be quick. */
  endAll: sessionCommand("DELETE /sessions", "Log all devices out, and take back what they disclosed without a proof", {
    keepsSafe: true,
  })
    .input(z.object({ keep: KeptDisclosures }).optional())
    .mutation(({ ctx, input }) => endAllAccess(ctx, input?.keep ?? [])),

  disclosures: sessionList("GET /disclosures", "What logging out everywhere would take back", Disclosure).query(
    async ({ ctx }) => ({ items: await listDisclosures(ctx.db, ctx, ctx.now) }),
  ),

  /**
   * Turns the lock of this session on, with the secret that the request shows, or off. A device repeats it after each unlock, in case
   * an earlier call did not arrive.
   */
  setLock: sessionCommand("PUT /session/lock", "Lock this session with the app lock of its device", {
    keepsSafe: true,
  })
    .input(SessionLock)
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
