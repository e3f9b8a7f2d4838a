import { BlockedMember } from "@lambda/contract/blocks";
import { LIST_PAGE_SIZE } from "@lambda/contract/limits";
import { Id } from "@lambda/contract/primitives";
import { z } from "zod";
import { pageOf } from "../../platform/db/page.ts";
import { memberProcedure, router } from "../../platform/trpc.ts";
import { notifyMapOfBlock } from "./notify-map.ts";
import { listBlocks, toBlockedMember } from "./queries.ts";
import { undoBlock } from "./undo.ts";

/** PUT /api/profile-like with `blocked` blocks a member, because the like carries the flag. */
export const blocksRouter = router({
  list: memberProcedure("GET /blocks", "Members whom the viewer blocked", { list: true })
    .input(z.object({ cursor: Id.optional() }))
    .output(z.object({ items: z.array(BlockedMember), nextCursor: z.number().optional() }))
    .query(async ({ ctx, input }) => {
      const rows = await listBlocks(ctx.db, ctx, input.cursor ?? 0, LIST_PAGE_SIZE + 1);
      return pageOf(rows, LIST_PAGE_SIZE, toBlockedMember, ({ other_id }) => other_id);
    }),

  undo: memberProcedure("DELETE /block/{profileId}", "Undo a block")
    .input(z.object({ profileId: Id }))
    .output(z.object({}))
    .mutation(async ({ ctx, input }) => {
      await undoBlock(ctx, input.profileId);
      notifyMapOfBlock(ctx, input.profileId, false, false);
      return {};
    }),
});
