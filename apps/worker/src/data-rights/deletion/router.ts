import { ACCOUNT_DELETION_GRACE_MS } from "@lambda/contract/limits";
import { DeletedAccount, OwnerProof } from "@lambda/contract/settings";
import { confirmOwner } from "../../accounts/proofs/confirm-owner.ts";
import { closeEndedSockets } from "../../accounts/sessions/end-access.ts";
import { clearDeviceCookies } from "../../accounts/sessions/sessions.ts";
import { settingsMailCopy } from "../../accounts/settings/copy.ts";
import { getAccount } from "../../accounts/settings/queries.ts";
import { batch } from "../../platform/db/database.ts";
import { toIso } from "../../platform/iso-time.ts";
import { composeMail, formatDay, sendMail } from "../../platform/mail/send-mail.ts";
import { router, sessionProcedure } from "../../platform/trpc.ts";
import { deleteAccountQueries } from "./queries.ts";

export const deletionRouter = router({
  /** Starts the grace period of 28 days: the member is hidden and logged out everywhere at once, and a login link restores the account. */
  request: sessionProcedure("POST /account/deletion", "Delete the account", { status: 200 })
    .input(OwnerProof)
    .output(DeletedAccount)
    .mutation(async ({ ctx, input }) => {
      const account = await getAccount(ctx.db, ctx.viewer.profileId);
      await confirmOwner(ctx, input.currentPassword, account.password_hash);
      await batch(ctx.d1, deleteAccountQueries(ctx.db, account.id, ctx.now));
      closeEndedSockets(ctx);
      clearDeviceCookies(ctx);
      const tsPurge = ctx.now + ACCOUNT_DELETION_GRACE_MS;
      const { brand } = ctx;
      const { subject, lead } = settingsMailCopy[account.locale].accountDeleted;
      const parts = [lead(formatDay(account.locale, tsPurge))];
      const mail = composeMail(brand, account.email, subject(brand.name), parts);
      ctx.waitUntil(sendMail(ctx.env, brand, mail, { kind: "accountDeleted", by: account.id }));
      return { tsPurge: toIso(tsPurge) };
    }),
});
