import { z } from "zod";
import { PICTURE_WIDTHS_PX, PICTURES_PER_PROFILE_MAX } from "./limits.ts";
import { BooleanInput, Id, numeric, Time } from "./primitives.ts";

/** public: in the profile. private: in the private album. chat: only sent in messages. once: for one message that opens once. */
export const PictureAudience = z.enum(["public", "private", "chat", "once"]);
export type PictureAudience = z.infer<typeof PictureAudience>;

/** The requested width of a picture; larger ones get the widest. */
export const PictureScale = numeric(z.number().positive().max(100_000)).default(Math.max(...PICTURE_WIDTHS_PX));

/** What a screen needs to lay out a picture before its bytes have loaded. */
export const Picture = z.object({
  id: Id,
  profileId: Id,
  audience: PictureAudience,
  /** Of the stored original, in pixels. */
  width: z.number().int(),
  height: z.number().int(),
  /** Average color as "#rrggbb", or "". */
  placeholder: z.string(),
  /** The plain path serves a pixelated version. */
  nsfw: z.boolean(),
  /** Both paths serve a pixelated version until the viewer has proved their age. */
  covered: z.boolean(),
  /** Changes with every replacement. Appended to the URL, it busts caches. */
  version: z.number().int(),
});
export type Picture = z.infer<typeof Picture>;

/** Shown in a tile until the member's first picture has loaded: a WebP a few pixels wide, as base64. */
export const PicturePreview = z.object({ pictureId: Id, preview: z.string() });
export type PicturePreview = z.infer<typeof PicturePreview>;

/** Additional fields that only the owner sees. */
export const OwnPicture = Picture.extend({
  /** `nsfw` is true if either the owner or the community marked the picture. */
  nsfwByOwner: z.boolean(),
  nsfwByCommunity: z.boolean(),
  /** The owner declared that it shows no nudity. */
  harmlessByOwner: z.boolean(),
  wantsCrop: z.boolean(),
  hiddenByStaff: z.boolean(),
  tsCreated: Time,
});
export type OwnPicture = z.infer<typeof OwnPicture>;

/** PUT /api/profile-pic/{id}. Absent fields remain unchanged. */
export const PictureUpdate = z
  .object({
    id: Id,
    nsfw: BooleanInput.optional(),
    harmless: BooleanInput.optional(),
    wantsCrop: BooleanInput.optional(),
  })
  .refine(({ nsfw, harmless }) => !(nsfw && harmless), { path: ["harmless"], message: "contradicts nsfw" });

/**
 * PUT /api/profile-pics: the order of both lists. A picture named in the other list moves there; one that neither list names stays at
 * the end of its own, so that an upload from another tab is never lost. With `movedId` no other picture changes its album, so that a
 * device that does not know yet that a picture is private makes it public with no order.
 */
export const PictureOrder = z.object({
  profilePicIds: z.array(Id).max(PICTURES_PER_PROFILE_MAX).optional(),
  profilePicIdsPrivate: z.array(Id).max(PICTURES_PER_PROFILE_MAX).optional(),
  movedId: Id.optional(),
});
export type PictureOrder = z.infer<typeof PictureOrder>;
