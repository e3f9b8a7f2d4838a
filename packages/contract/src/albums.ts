import { z } from "zod";
import { Id, Time } from "./primitives.ts";

/** requested: a member asks for the owner's private album. granted: that member may see it. */
export const ALBUM_STATES = ["requested", "granted"] as const;

/** Access of one member to another's private album, with what a list shows of the other side. */
export const AlbumGrant = z.object({
  ownerProfileId: Id,
  memberProfileId: Id,
  state: z.enum(ALBUM_STATES),
  /** Null: until it is revoked. */
  tsExpires: Time.nullable(),
  tsCreated: Time,
  /** The other side of the one who asks. */
  profileName: z.string(),
  profilePicId: Id.nullable(),
});
export type AlbumGrant = z.infer<typeof AlbumGrant>;

/** Album access between the viewer and one other member, both ways. */
export const AlbumStatus = z.object({
  profileId: Id,
  /** The viewer's access to the other's album. */
  received: z.enum(["none", ...ALBUM_STATES]),
  receivedTsExpires: Time.nullable(),
  /** The viewer asked for the album, or wrote to its owner: its pictures do not come unasked. */
  asked: z.boolean(),
  /** The other's access to the viewer's album. */
  given: z.enum(["none", ...ALBUM_STATES]),
  givenTsExpires: Time.nullable(),
  /** Whether there is anything in the other's private album. */
  hasPictures: z.boolean(),
});
export type AlbumStatus = z.infer<typeof AlbumStatus>;

export const AlbumRequest = z.object({ ownerProfileId: Id });

export const AlbumGrantUpdate = z.object({
  memberProfileId: Id,
  tsExpires: Time.nullish(),
});
