import { NoticeFigures } from "@lambda/contract/notices";
import { numeric } from "@lambda/contract/primitives";
import { AuditEntry, CaseRef, OwnAuditEntry, Transparency } from "@lambda/contract/transparency";
import { z } from "zod";
import { openList, openProcedure, router, sessionList } from "../../platform/trpc.ts";
import { readNoticeFigures } from "../notices/figures.ts";
import { listChain, listOwnCase, readTransparency } from "./queries.ts";

export const transparencyRouter = router({
  summary: openProcedure("GET /transparency", "Counts of reports, actions and reversals, and the time to decide")
    .output(Transparency)
    .query(({ ctx }) => readTransparency(ctx)),

  notices: openList("GET /transparency/notices", "Counts of notices by quarter", NoticeFigures).query(
    async ({ ctx }) => ({ items: await readNoticeFigures(ctx) }),
  ),

  chain: openProcedure("GET /transparency/chain", "The public audit chain, oldest first", { list: true })
    .input(z.object({ after: numeric(z.number().int().min(0)).default(0) }))
    .output(z.object({ items: z.array(AuditEntry), nextCursor: z.number().optional() }))
    .query(async ({ ctx, input }) => {
      const items = await listChain(ctx, input.after);
      return { items, nextCursor: items.at(-1)?.seq };
    }),

  case: sessionList(
    "GET /transparency/case/{caseRef}",
    "The chain's entries about the member's own case",
    OwnAuditEntry,
  )
    .input(z.object({ caseRef: CaseRef }))
    .query(async ({ ctx, input }) => ({ items: await listOwnCase(ctx, input.caseRef) })),
});
