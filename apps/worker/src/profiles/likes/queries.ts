import type { LikeType, ProfileLike } from "@lambda/contract/likes";
import type { NotificationKind } from "@lambda/contract/notifications";
import { type RawBuilder, sql } from "kysely";
import type { DeletedNotification } from "../../notifications/notify.ts";
import { deleteNotificationsAbout } from "../../notifications/queries.ts";
import { type AlbumList, isInAlbum } from "../../pictures/album-order.ts";
import { type Database, indexedBy, insertIf, type Query, valuesOf } from "../../platform/db/database.ts";
import type { ProfileLikeRow } from "../../platform/db/tables.ts";
import { isAfter, type TimeCursor } from "../../platform/db/time-cursor.ts";
import { toIso } from "../../platform/iso-time.ts";
import { albumOpenTo, blockedBy, memberVisible, type ViewerContext, visibleTo } from "../../visibility/visibility.ts";

/** The relation between the viewer and another member before a change. Returns no row when there is no such member. */
export function likeRelationQuery(db: Database, ctx: ViewerContext, otherId: number) {
  const me = ctx.viewer.profileId;
  // Whether the viewer can block the other while they hide. A received like does not count, because the response would reveal it.
  const inContact = sql<0 | 1>`mine.like_type is not null
    or exists (select 1 from conversation c where c.profile_id = ${me} and c.other_id = p.id)
    or exists (select 1 from profile_note n where n.author_id = ${me} and n.about_id = p.id)`;
  return db
    .selectFrom("profile as p")
    .leftJoin("profile_like as mine", (join) => join.on("mine.liker_id", "=", me).onRef("mine.liked_id", "=", "p.id"))
    .leftJoin("profile_like as theirs", (join) =>
      join.onRef("theirs.liker_id", "=", "p.id").on("theirs.liked_id", "=", me),
    )
    .select(sql<0 | 1>`${visibleTo(ctx)}`.as("visible"))
    .select(["mine.like_type as mine", "mine.ts_created as mine_ts", "theirs.like_type as theirs"])
    .select(sql<0 | 1>`${blockedBy(me, sql.ref("p.id"))}`.as("blocked"))
    .select(inContact.as("in_contact"))
    .where("p.id", "=", otherId)
    .where("p.id", "<>", me);
}

export type LikeRelation = Awaited<ReturnType<ReturnType<typeof likeRelationQuery>["execute"]>>[number];

/** Writes nothing when the member is not visible or the like is unchanged. */
export function upsertLikeQuery(db: Database, ctx: ViewerContext, likedId: number, likeType: LikeType, now: number) {
  const like = { like_type: likeType, ts_created: now };
  const row = { liker_id: ctx.viewer.profileId, liked_id: likedId, ...like };
  return insertIf(db, "profile_like", row, memberVisible(ctx, likedId)).onConflict((conflict) =>
    conflict.columns(["liker_id", "liked_id"]).doUpdateSet(like).where("profile_like.like_type", "<>", likeType),
  );
}

/** Whether this request changed the like: writing an unchanged like keeps its earlier time. */
export function wasLikeSetAt(likerId: number, likedId: number, now: number): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from profile_like mine
    where mine.liker_id = ${likerId} and mine.liked_id = ${likedId} and mine.ts_created = ${now})`;
}

/** Deletes notifications of likes between the two members that a changed like has made obsolete. For the batch that changes it. */
export function deleteLikeNotificationQueries(
  db: Database,
  profileId: number,
  otherId: number,
  now: number,
): [Query<DeletedNotification>, Query<DeletedNotification>] {
  const about = (aboutId: number, readerId: number, kinds: readonly NotificationKind[]) =>
    deleteNotificationsAbout(db, aboutId, readerId, kinds)
      .where(wasLikeSetAt(profileId, otherId, now))
      .returning(["kind", "brand"]);
  return [about(profileId, otherId, ["like", "match"]), about(otherId, profileId, ["match"])];
}

type LikeRow = Omit<ProfileLikeRow, "mutual">;
const LIKE_COLUMNS = ["l.liker_id", "l.liked_id", "l.like_type", "l.ts_created"] as const;

/**
 * One like between the viewer and another member, in either direction; the other's is returned only if it is a LIKE. The viewer can still
 * read their own like of a member whom they blocked, even if that member blocked them too: otherwise the difference would reveal it.
 */
export function findLike(db: Database, ctx: ViewerContext, likerId: number, likedId: number) {
  const me = ctx.viewer.profileId;
  const other = likerId === me ? likedId : likerId;
  const blocked = blockedBy(me, sql.ref("p.id"));
  return db
    .selectFrom("profile as p")
    .innerJoin("profile_like as l", (join) => join.on("l.liker_id", "=", likerId).on("l.liked_id", "=", likedId))
    .select(LIKE_COLUMNS)
    .select(sql<number>`${blocked}`.as("blocked"))
    .where("p.id", "=", other)
    .where(sql<boolean>`(${visibleTo(ctx)} or ${blocked} and ${likerId} = ${me})`)
    .where(sql<boolean>`(${likerId} = ${me} or l.like_type = 'LIKE')`)
    .executeTakeFirst();
}

export interface TimePage {
  readonly after: TimeCursor;
  readonly limit: number;
}

/** Selects likes of one type that the viewer gave or received, newest first. Reads one index range, and leaves out invisible members. */
export function selectLikes(
  db: Database,
  ctx: ViewerContext,
  side: "given" | "received",
  likeType: LikeType,
  { after, limit }: TimePage,
) {
  const other = side === "given" ? "l.liked_id" : "l.liker_id";
  return db
    .selectFrom("profile_like as l")
    .innerJoin("profile as p", "p.id", other)
    .where(side === "given" ? "l.liker_id" : "l.liked_id", "=", ctx.viewer.profileId)
    .where("l.like_type", "=", likeType)
    .where((row) => isAfter(after, row.ref("l.ts_created"), [row.ref(other), after.id]))
    .where(visibleTo(ctx))
    .orderBy("l.ts_created", "desc")
    .orderBy(other)
    .limit(limit);
}

export const listLikes = (...list: Parameters<typeof selectLikes>) =>
  selectLikes(...list)
    .select(LIKE_COLUMNS)
    .execute();

/** Selects likes of the viewer's pictures, newest first, after the last one of an earlier page. Dislikes are never shown to the owner. */
export function selectReceivedPictureLikes(
  db: Database,
  ctx: ViewerContext,
  { after, pictureId, likerId }: { readonly after: TimeCursor; readonly pictureId: number; readonly likerId: number },
  limit: number,
) {
  return db
    .selectFrom("picture_like as l")
    .innerJoin("profile as p", "p.id", "l.liker_id")
    .where("l.owner_id", "=", ctx.viewer.profileId)
    .where("l.like_type", "=", "LIKE")
    .where((row) => {
      const [picture, liker] = [row.ref("l.picture_id"), row.ref("l.liker_id")];
      return isAfter(after, row.ref("l.ts_created"), [picture, pictureId], [liker, likerId]);
    })
    .where(visibleTo(ctx))
    .orderBy("l.ts_created", "desc")
    .orderBy("l.picture_id")
    .orderBy("l.liker_id")
    .limit(limit);
}

/**
 * Selects the viewer's ratings of one type, newest first, of pictures that they may still see: public ones, and those in an album that is
 * open to them. The album columns tell which album a picture is in, without reading a row of `picture`.
 */
export function selectGivenPictureLikes(
  db: Database,
  ctx: ViewerContext & { readonly now: number },
  likeType: LikeType,
  { after, pictureId }: { readonly after: TimeCursor; readonly pictureId: number },
  limit: number,
) {
  const isIn = (list: AlbumList) => isInAlbum(list, sql.ref("l.picture_id"));
  return db
    .selectFrom(indexedBy("picture_like", "l", "picture_like_given"))
    .innerJoin("profile as p", "p.id", "l.owner_id")
    .where("l.liker_id", "=", ctx.viewer.profileId)
    .where("l.like_type", "=", likeType)
    .where((row) => isAfter(after, row.ref("l.ts_created"), [row.ref("l.picture_id"), pictureId]))
    .where(visibleTo(ctx))
    .where((album) =>
      album.or([isIn("pics_public"), album.and([isIn("pics_private"), albumOpenTo(ctx, sql.ref("p.id"))])]),
    )
    .orderBy("l.ts_created", "desc")
    .orderBy("l.picture_id")
    .limit(limit);
}

/** The viewer's likes among the given members. Leaves out invisible members. */
export async function listLikedOf(db: Database, ctx: ViewerContext, profileIds: readonly number[]): Promise<LikeRow[]> {
  return db
    .selectFrom(valuesOf(profileIds, "requested"))
    .crossJoin("profile_like as l")
    .crossJoin("profile as p")
    .select(LIKE_COLUMNS)
    .where("l.liker_id", "=", ctx.viewer.profileId)
    .whereRef("l.liked_id", "=", "requested.column1")
    .whereRef("p.id", "=", "requested.column1")
    .where("l.like_type", "=", "LIKE")
    .where(visibleTo(ctx))
    .execute();
}

export function toProfileLike(row: LikeRow, blocked: boolean): ProfileLike {
  return {
    likerProfileId: row.liker_id,
    likedProfileId: row.liked_id,
    likeType: row.like_type,
    blocked,
    tsCreated: toIso(row.ts_created),
  };
}
