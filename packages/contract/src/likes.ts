import { z } from "zod";
import { Id, Time } from "./primitives.ts";
import { ProfileBrief } from "./profiles.ts";

export const LikeType = z.enum(["LIKE", "DISLIKE", "UNDETERMINED", "ERROR"]);
export type LikeType = z.infer<typeof LikeType>;

export const ProfileLike = z.object({
  likerProfileId: Id,
  likedProfileId: Id,
  likeType: LikeType,
  blocked: z.boolean(),
  tsCreated: Time,
});
export type ProfileLike = z.infer<typeof ProfileLike>;

/** PUT /api/profile-like. Without `blocked`, an existing block remains unchanged. */
export const ProfileLikeUpdate = z.object({
  likerProfileId: Id.optional(),
  likedProfileId: Id,
  likeType: LikeType.optional(),
  blocked: z.boolean().optional(),
});

export const ProfilePicLike = z.object({
  likerProfileId: Id,
  profilePicId: Id,
  profilePicProfileId: Id,
  likeType: LikeType,
  tsCreated: Time,
});
export type ProfilePicLike = z.infer<typeof ProfilePicLike>;

export const ProfilePicLikeUpdate = z.object({
  likerProfileId: Id.optional(),
  profilePicId: Id,
  profilePicProfileId: Id.optional(),
  likeType: LikeType,
});

/** The four lists of likes, named like their routes. */
export const LikeTab = z.enum(["profilelikedyou", "profilelikedyourpics", "youlikedprofile", "youlikedprofilepics"]);
export type LikeTab = z.infer<typeof LikeTab>;

/** A member in a list of likes, given or received. Distances come from `positions.distances`. */
export const LikedBrief = ProfileBrief.extend({
  tsLiked: Time,
  /** The liked picture, in the two picture lists. */
  profilePicId: Id.optional(),
  /** A mutual LIKE of profiles; always false in the two picture lists. */
  match: z.boolean(),
});
export type LikedBrief = z.infer<typeof LikedBrief>;
