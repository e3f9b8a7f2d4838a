import { z } from "zod";
import { Id, Time } from "./primitives.ts";
import { ProfileBrief } from "./profiles.ts";

export const LIKE_TYPES = ["LIKE", "DISLIKE", "UNDETERMINED", "ERROR"] as const;
export const LikeType = z.enum(LIKE_TYPES);
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
export const LIKE_TABS = ["profilelikedyou", "profilelikedyourpics", "youlikedprofile", "youlikedprofilepics"] as const;
export const LikeTab = z.enum(LIKE_TABS);
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
