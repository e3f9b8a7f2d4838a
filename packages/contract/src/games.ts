import { z } from "zod";
import { BUSTER_ANSWERS, RATING_ANSWERS } from "./game-answers.ts";
import { BooleanInput, Id, Time } from "./primitives.ts";

/** `nsfw`: the player wants to see NSFW pictures too. */
export const DrawInput = z.object({ nsfw: BooleanInput.default(false) });

/** The bytes are at /api/games/ratinggame/picture/{itemId}. The picture's own id is withheld because it would reveal the owner. */
export const RatingItem = z.object({ itemId: Id, nsfw: z.boolean() });
export type RatingItem = z.infer<typeof RatingItem>;
export const BusterItem = z.object({ itemId: Id, text: z.string() });
export type BusterItem = z.infer<typeof BusterItem>;

/** A player's record in one vote game. */
export const PlayerRecord = z.object({
  votes: z.number().int(),
  /** How many of the votes were on test items. */
  tested: z.number().int(),
  /** Share of correct votes on test items, with each possible answer weighted equally; null before the first. */
  accuracy: z.number().nullable(),
  /** Whether this player's votes count, which requires an account of some age and a good record. */
  counts: z.boolean(),
  streak: z.number().int(),
  bestStreak: z.number().int(),
  credits: z.number().int(),
});
export type PlayerRecord = z.infer<typeof PlayerRecord>;

/** The response to a vote. `right` is only set for items with a known answer. */
export const VoteResult = z.object({
  right: z.boolean().nullable(),
  answer: z.string().nullable(),
  /** Whether this vote completed a consensus on the item. */
  settled: z.boolean(),
  creditsEarned: z.number().int(),
  record: PlayerRecord,
});
export type VoteResult = z.infer<typeof VoteResult>;

export const RatingVote = z.object({ itemId: Id, answer: z.enum(RATING_ANSWERS) });
export const BusterVote = z.object({ itemId: Id, answer: z.enum(BUSTER_ANSWERS) });

/** The member's own picture that the community rated NSFW. */
export const MarkedPicture = z.object({
  pictureId: Id,
  waiting: z.boolean(),
  /** When the owner may request the next review; null: now. */
  tsAskAgain: Time.nullable(),
});
export type MarkedPicture = z.infer<typeof MarkedPicture>;

/** An item that voters could not decide, as staff see it: a public picture, or a profile text without names. */
export const GameReview = z.object({
  itemId: Id,
  game: z.enum(["rating", "buster"]),
  /** divided: votes disagree. thin: too few voters overall. doubted: votes contradict staff. owner: the owner requested it. */
  why: z.enum(["divided", "thin", "doubted", "owner"]),
  pictureId: Id.nullable(),
  text: z.string().nullable(),
  tsWaiting: Time,
});
export type GameReview = z.infer<typeof GameReview>;
export const GameReviewDecision = z.object({ itemId: Id, answer: z.enum([...RATING_ANSWERS, ...BUSTER_ANSWERS]) });

/** A public picture of a visible member, to like or dislike. */
export const HotItem = z.object({ pictureId: Id, profileId: Id, nsfw: z.boolean() });
export type HotItem = z.infer<typeof HotItem>;

export const IdentifyOption = z.object({
  profileId: Id,
  name: z.string(),
  age: z.number().nullable(),
  /** Another picture of the same member. */
  pictureId: Id,
});
export const IdentifyRound = z.object({
  /** Until it is answered, the picture's bytes are at /api/games/identify/picture/{round}. */
  round: Id,
  options: z.array(IdentifyOption).length(3),
});
export type IdentifyRound = z.infer<typeof IdentifyRound>;
export const IdentifyResult = z.object({ right: z.boolean(), answerId: Id, record: PlayerRecord });

/** A rectangle in fractions of the picture, from its top left corner. */
export const CropBox = z.object({
  x: z.number().min(0).max(1),
  y: z.number().min(0).max(1),
  width: z.number().min(0.05).max(1),
  height: z.number().min(0.05).max(1),
});
export type CropBox = z.infer<typeof CropBox>;

export const CropTask = z.object({
  pictureId: Id,
  width: z.number().int(),
  height: z.number().int(),
  nsfw: z.boolean(),
});
export type CropTask = z.infer<typeof CropTask>;

export const CropSuggestionDraft = CropBox.extend({ pictureId: Id });

/** As its author and the picture's owner see it; neither learns who the other is. */
export const CropSuggestion = CropTask.extend({
  id: Id,
  box: CropBox,
  state: z.enum(["open", "applied", "declined"]),
  tsCreated: Time,
});
export type CropSuggestion = z.infer<typeof CropSuggestion>;

export const CootiesPlayer = z.object({
  profileId: Id,
  name: z.string(),
  pictureId: Id.nullable(),
  carrier: z.boolean(),
  tags: z.number().int(),
  caught: z.number().int(),
});
export type CootiesPlayer = z.infer<typeof CootiesPlayer>;

export const CootiesState = z.object({
  playing: z.boolean(),
  carrier: z.boolean(),
  /** False if the player currently has no position, so nobody is near. */
  positioned: z.boolean(),
  tsCaught: Time.nullable(),
  tags: z.number().int(),
  caught: z.number().int(),
  /** Players who can be tagged, in an order that does not reveal distances. */
  near: z.array(CootiesPlayer),
  leaders: z.array(CootiesPlayer),
});
export type CootiesState = z.infer<typeof CootiesState>;

export const CreditEntry = z.object({ amount: z.number().int(), reason: z.string(), tsCreated: Time });
export const CreditLedger = z.object({ credits: z.number().int(), entries: z.array(CreditEntry) });
