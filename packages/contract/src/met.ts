/** "He is the man in his pictures": said privately, shown only as a rounded number of members who said it of each other. */
import { z } from "zod";
import { Id } from "./primitives.ts";

/** The other member of the three calls of /api/met/{profileId}. */
export const MetRequest = z.object({ profileId: Id });

/** GET /api/met/{profileId}: nothing in it depends on what the other member said. */
export const MetState = z.object({
  said: z.boolean(),
  /** The conversation is long enough, as the viewer sees it. */
  canSay: z.boolean(),
});

/** By how many members a member was met at least: 0, or one of MET_LEVELS. */
export const MetBy = z.number().int();
