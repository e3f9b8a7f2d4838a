import { ExportLink, OwnerProof } from "@lambda/contract/settings";
import { confirmOwner } from "../../accounts/proofs/confirm-owner.ts";
import { getAccount } from "../../accounts/settings/queries.ts";
import { router, sessionProcedure } from "../../platform/trpc.ts";
import { issueTicket, requireExportsLeft } from "./ticket.ts";

export const exportRouter = router({
  /** The link is of this session alone. Throws TOO_MANY_REQUESTS once the day's downloads are used up, before the browser begins one. */
  link: sessionProcedure("POST /account/export/link", "A link by which the browser downloads the own data", {
    status: 200,
    mayReachRegionsLate: true,
  })
    .input(OwnerProof)
    .output(ExportLink)
    .mutation(async ({ ctx, input }) => {
      const account = await getAccount(ctx.db, ctx.viewer.profileId);
      await confirmOwner(ctx, input.currentPassword, account.password_hash);
      await requireExportsLeft(ctx);
      return { url: `/api/account/export/${issueTicket(ctx)}` };
    }),
});
