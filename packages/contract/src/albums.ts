import { z } from "zod";
import { ALBUM_GRANT_MAX_MS } from "./limits.ts";
import { Id, Time } from "./primitives.ts";

/** requested: a member asked to see the owner's private album. granted: that member may see it. */
export const ALBUM_STATES = ["requested", "granted"] as const;

/** One member's access to another's private album, as listed for either of them. */
export const AlbumGrant = z.object({
  ownerProfileId: Id,
  memberProfileId: Id,
  state: z.enum(ALBUM_STATES),
  /** null: valid until revoked. */
  tsExpires: Time.nullable(),
  tsCreated: Time,
  /** The other member, as seen by the viewer. */
  profileName: z.string(),
  profilePicId: Id.nullable(),
});
export type AlbumGrant = z.infer<typeof AlbumGrant>;

/** Album access between the viewer and one other member, in both directions. */
export const AlbumStatus = z.object({
  profileId: Id,
  /** The viewer's access to the other's album. */
  received: z.enum(["none", ...ALBUM_STATES]),
  receivedTsExpires: Time.nullable(),
  /** The viewer requested the album or wrote to its owner, so its pictures are not unsolicited. */
  asked: z.boolean(),
  /** The other's access to the viewer's album. */
  given: z.enum(["none", ...ALBUM_STATES]),
  givenTsExpires: Time.nullable(),
  /** Whether the other's private album contains any pictures. */
  hasPictures: z.boolean(),
});
export type AlbumStatus = z.infer<typeof AlbumStatus>;

export const AlbumRequest = z.object({ ownerProfileId: Id });

export const AlbumGrantUpdate = z.object({
  memberProfileId: Id,
  tsExpires: Time.nullish(),
  /** Instead of `tsExpires`, from a device whose clock may be wrong. */
  expiresInMs: z.number().int().min(1).max(ALBUM_GRANT_MAX_MS).nullish(),
});
