import { z } from "zod";
import { PICTURES_PER_PROFILE_MAX } from "./limits.ts";
import { Flag, Id, Time } from "./primitives.ts";

/** public: in the profile. private: in the private album. chat: sent in messages, in no album. once: for one message, opened once. */
export const PICTURE_AUDIENCES = ["public", "private", "chat", "once"] as const;
export const PictureAudience = z.enum(PICTURE_AUDIENCES);
export type PictureAudience = z.infer<typeof PictureAudience>;

/** All that a screen needs to leave room for a picture before its bytes are there. */
export const Picture = z.object({
  id: Id,
  profileId: Id,
  audience: PictureAudience,
  /** Of the stored original, pixels. */
  width: z.number().int(),
  height: z.number().int(),
  /** Average colour, "#rrggbb", or "". */
  placeholder: z.string(),
  /** The plain path answers a pixelated version. */
  nsfw: z.boolean(),
  /** Both paths answer a pixelated version until the viewer has proved their age. */
  covered: z.boolean(),
  /** Changes with every replacement; added to the address, it makes a page show the new bytes. */
  version: z.number().int(),
});
export type Picture = z.infer<typeof Picture>;

/** What to show in a tile until a member's first picture is there: base64 of a WebP some pixels wide. */
export const PicturePreview = z.object({ pictureId: Id, preview: z.string() });
export type PicturePreview = z.infer<typeof PicturePreview>;

/** What the owner alone reads besides. */
export const OwnPicture = Picture.extend({
  /** The owner's mark; `nsfw` is also true when the community rated it so. */
  nsfwByOwner: z.boolean(),
  nsfwByCommunity: z.boolean(),
  /** The owner says that it shows no nudity. */
  harmlessByOwner: z.boolean(),
  wantsCrop: z.boolean(),
  hiddenByStaff: z.boolean(),
  tsCreated: Time,
});
export type OwnPicture = z.infer<typeof OwnPicture>;

/** PUT /api/profile-pic/{id}: fields that are absent stay. */
export const PictureUpdate = z
  .object({
    id: Id,
    nsfw: Flag.optional(),
    harmless: Flag.optional(),
    wantsCrop: Flag.optional(),
  })
  .refine(({ nsfw, harmless }) => !(nsfw && harmless), { path: ["harmless"], message: "contradicts nsfw" });

/**
 * PUT /api/profile-pics: both orders at once. A picture that is in the other list than before moves; one that neither list
 * names stays at the end of its own, so that another tab's upload is never lost.
 */
export const PictureOrder = z.object({
  profilePicIds: z.array(Id).max(PICTURES_PER_PROFILE_MAX).optional(),
  profilePicIdsPrivate: z.array(Id).max(PICTURES_PER_PROFILE_MAX).optional(),
});
export type PictureOrder = z.infer<typeof PictureOrder>;
