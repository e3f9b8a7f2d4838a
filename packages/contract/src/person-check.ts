/** "Is it him?": a drawn pose, three stills from the camera, and players elsewhere who compare them with the public pictures. */
import { z } from "zod";
import { CHECK_STILLS } from "./limits.ts";
import { BooleanInput, Id, ProfileIds, Time } from "./primitives.ts";

export const CheckAnswer = z.enum(["him", "not_him", "unclear"]);
export type CheckAnswer = z.infer<typeof CheckAnswer>;
/** What a judge may say. `no_pose`: the same face without the pose, as in an exercise or in pictures made before. */
export const CheckVote = z.enum(["him", "no_pose", "not_him", "unclear"]);
export type CheckVote = z.infer<typeof CheckVote>;

/** One of 300,000, so that a picture made before is of no use. */
export const PersonCheckPose = z.object({
  fingers: z.number().int().min(1).max(5),
  hand: z.enum(["left", "right"]),
  turn: z.enum(["left", "right", "up"]),
  /** Written on paper. */
  number: z.string().regex(/^\d{4}$/),
});
export type PersonCheckPose = z.infer<typeof PersonCheckPose>;

export const OwnPersonCheck = z.object({
  /** `none`: never asked. `expired`: nobody judged it in time, or it was withdrawn. */
  state: z.enum(["none", "posing", "judging", "staff", ...CheckAnswer.options, "expired"]),
  pose: PersonCheckPose.nullable(),
  /** How long the pose may still be held, by the server's clock. */
  msLeft: z.number().int(),
  /** yyyy-mm of the badge; null without one. */
  month: z.string().nullable(),
  refusals: z.number().int(),
  /** When the next try may start; null: now. */
  tsAgain: Time.nullable(),
  /** He has a public picture that can be compared. */
  comparable: z.boolean(),
  /** The member is in a country that punishes, where the check is off until chosen. */
  punishing: z.boolean(),
});
export type OwnPersonCheck = z.infer<typeof OwnPersonCheck>;

export const StartPersonCheck = z.object({ evenHere: BooleanInput.default(false) });
/** Ids of the stills, uploaded with the audience `once` since the pose was drawn. */
export const PersonCheckStills = z.object({ pictures: z.array(Id).length(CHECK_STILLS) });

export const CheckedQuery = z.object({ profileIds: ProfileIds });
export const CheckedMember = z.object({ profileId: Id, month: z.string() });
export type CheckedMember = z.infer<typeof CheckedMember>;

/**
 * Three pairs of pictures, at /api/games/ishim/picture/{itemId}/{0 to 5}, each read once and shown for three seconds. An exercise with a known
 * answer has the same shape, and a pose that nobody was asked for.
 */
export const PersonCheckItem = z.object({ itemId: Id, pose: PersonCheckPose });
export type PersonCheckItem = z.infer<typeof PersonCheckItem>;
export const PersonCheckVote = z.object({ itemId: Id, answer: CheckVote });

/** A check that waits for staff. Stills 0 to 2 are at /api/admin/person-check/{profileId}/{index}, the compared pictures after them. */
export const PersonCheckCase = z.object({
  profileId: Id,
  pose: PersonCheckPose,
  refusals: z.number().int(),
  pictures: z.number().int(),
  tsWaiting: Time,
});
export type PersonCheckCase = z.infer<typeof PersonCheckCase>;
export const PersonCheckDecision = z.object({ profileId: Id, answer: CheckAnswer });
