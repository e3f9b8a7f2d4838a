import type { LikeType, ProfilePicLike } from "@lambda/contract/likes";
import { sql } from "kysely";
import { albumPictureOpenTo, type PictureContext } from "../../pictures/access.ts";
import { type Database, type Query, valuesOf } from "../../platform/db/database.ts";
import type { PictureLikeRow } from "../../platform/db/tables.ts";
import type { TimeCursor } from "../../platform/db/time-cursor.ts";
import { notFound } from "../../platform/errors.ts";
import { toIso } from "../../platform/iso-time.ts";
import { albumOpenTo, visibleTo } from "../../visibility/visibility.ts";
import { selectGivenPictureLikes, selectReceivedPictureLikes } from "../likes/queries.ts";

const LIKE_COLUMNS = ["l.liker_id", "l.picture_id", "l.owner_id", "l.like_type", "l.ts_created"] as const;

/** A picture in another member's albums that the viewer may see, and their earlier rating. Throws NOT_FOUND for all others. */
export function getRateablePicture(ctx: PictureContext, pictureId: number) {
  return ctx.db
    .selectFrom("picture as pic")
    .innerJoin("profile as p", "p.id", "pic.profile_id")
    .leftJoin("picture_like as l", (join) =>
      join.onRef("l.picture_id", "=", "pic.id").on("l.liker_id", "=", ctx.viewer.profileId),
    )
    .select(["pic.profile_id as owner_id", "l.like_type as mine"])
    .where("pic.id", "=", pictureId)
    .where(albumPictureOpenTo(ctx))
    .executeTakeFirstOrThrow(notFound);
}

/** Replaces an earlier rating. */
export function upsertPictureLikeQuery(
  db: Database,
  like: { likerId: number; pictureId: number; ownerId: number; likeType: LikeType; now: number },
): Query {
  const row = { like_type: like.likeType, ts_created: like.now };
  return db
    .insertInto("picture_like")
    .values({ liker_id: like.likerId, picture_id: like.pictureId, owner_id: like.ownerId, ...row })
    .onConflict((conflict) => conflict.columns(["liker_id", "picture_id"]).doUpdateSet(row));
}

export function listGivenPictureLikes(ctx: PictureContext, likeType: LikeType, after: TimeCursor, limit: number) {
  const last = { after, pictureId: after.id };
  return selectGivenPictureLikes(ctx.db, ctx, likeType, last, limit).select(LIKE_COLUMNS).execute();
}

/** The viewer's ratings of the pictures of one member that they may see. Reads the open albums first, then the ratings of their pictures. */
export async function listPictureLikesAbout(ctx: PictureContext, profileId: number): Promise<PictureLikeRow[]> {
  const { db, viewer } = ctx;
  const open = db.selectFrom("profile as p").where("p.id", "=", profileId).where(visibleTo(ctx));
  const albums = await open
    .select("p.pics_public as ids")
    .unionAll(open.select("p.pics_private as ids").where(albumOpenTo(ctx, sql.ref("p.id"))))
    .execute();
  const ids = albums.flatMap((album) => JSON.parse(album.ids) as number[]);
  if (ids.length === 0) return [];
  return db
    .selectFrom(valuesOf(ids, "shown"))
    .crossJoin("picture_like as l")
    .select(LIKE_COLUMNS)
    .where("l.liker_id", "=", viewer.profileId)
    .whereRef("l.picture_id", "=", "shown.column1")
    .execute();
}

export function listReceivedPictureLikes(ctx: PictureContext, after: TimeCursor, limit: number) {
  const last = { after, pictureId: after.id, likerId: after.tieBreaker };
  return selectReceivedPictureLikes(ctx.db, ctx, last, limit).select(LIKE_COLUMNS).execute();
}

export function toProfilePicLike(row: PictureLikeRow): ProfilePicLike {
  return {
    likerProfileId: row.liker_id,
    profilePicId: row.picture_id,
    profilePicProfileId: row.owner_id,
    likeType: row.like_type,
    tsCreated: toIso(row.ts_created),
  };
}
