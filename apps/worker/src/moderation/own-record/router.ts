import { OwnRecord } from "@lambda/contract/moderation";
import { router, sessionProcedure } from "../../platform/trpc.ts";
import { readOwnRecord } from "./read.ts";

export const moderationRouter = router({
  /** The Bad Boy Dungeon. A suspended or banned member reads it too, to appeal. */
  ownRecord: sessionProcedure
    .meta({ rest: { method: "GET", path: "/standing", summary: "The own standing and the community's totals" } })
    .output(OwnRecord)
    .query(({ ctx }) => readOwnRecord(ctx)),
});
