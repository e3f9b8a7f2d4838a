import { OwnRecord } from "@lambda/contract/moderation";
import { router, sessionProcedure } from "../../platform/trpc.ts";
import { readOwnRecord } from "./read-own-record.ts";

export const moderationRouter = router({
  /** The Bad Boy Dungeon. Suspended and banned members need it to appeal. */
  ownRecord: sessionProcedure("GET /standing", "The member's own record and the community's totals")
    .output(OwnRecord)
    .query(({ ctx }) => readOwnRecord(ctx)),
});
