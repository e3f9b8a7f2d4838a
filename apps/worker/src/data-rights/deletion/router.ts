import { ACCOUNT_DELETION_GRACE_MS } from "@lambda/contract/limits";
import { DeletedAccount, OwnerProof } from "@lambda/contract/settings";
import { confirmOwner } from "../../accounts/proofs/confirm-owner.ts";
import { closeEndedSockets } from "../../accounts/sessions/end-access.ts";
import { clearDeviceCookies } from "../../accounts/sessions/sessions.ts";
import { settingsMailCopy } from "../../accounts/settings/copy.ts";
import { getAccount } from "../../accounts/settings/queries.ts";
import { batch } from "../../platform/db/database.ts";
import { toIso } from "../../platform/iso-time.ts";
import { composeMail, formatDay, prepareMail } from "../../platform/mail/send-mail.ts";
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
      const tsPurge = ctx.now + ACCOUNT_DELETION_GRACE_MS;
      const { brand } = ctx;
      const { subject, lead } = settingsMailCopy[account.locale].accountDeleted;
      const parts = [lead(formatDay(account.locale, tsPurge))];
      const warning = composeMail(brand, account.email, subject(brand.name), parts);
      const mail = prepareMail(ctx.env, brand, warning, "accountDeleted", account.id);
      await batch(ctx.d1, [...deleteAccountQueries(ctx.db, account.id, ctx.now), ...mail.queries]);
      ctx.waitUntil(mail.deliver());
      closeEndedSockets(ctx);
      clearDeviceCookies(ctx);
      return { tsPurge: toIso(tsPurge) };
    }),
});
