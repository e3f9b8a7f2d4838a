import type { LikeType, ProfileLike } from "@lambda/contract/likes";
import { type CompiledQuery, sql } from "kysely";
import { blockedBy, type Onlooker, visibleTo } from "../../members/visibility/visibility.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TimeCursor } from "./cursor.ts";

/** How the viewer and one other member stand to each other before a change. */
export interface Standing {
  readonly visible: 0 | 1;
  readonly mine: LikeType | null;
  readonly mine_ts: number | null;
  readonly theirs: LikeType | null;
  readonly blocked: 0 | 1;
  /**
   * The viewer knows of him by something of his own, so that he can be blocked though he hides: a conversation, a note, a like. A like
   * that the viewer got does not count: of somebody out of sight the answer would tell it.
   */
  readonly in_contact: 0 | 1;
}

/** No row: no such member. */
export function likeRelationQuery(db: Database, onlooker: Onlooker, otherId: number): CompiledQuery<Standing> {
  const me = onlooker.viewer.profileId;
  return sql<Standing>`
    select ${visibleTo(onlooker)} as visible, mine.like_type as mine, mine.ts_created as mine_ts,
      theirs.like_type as theirs, ${blockedBy(me, sql.ref("p.id"))} as blocked,
      mine.like_type is not null or exists (select 1 from conversation c where c.profile_id = ${me} and c.other_id = p.id)
        or exists (select 1 from profile_note n where n.author_id = ${me} and n.about_id = p.id) as in_contact
    from profile p
    left join profile_like mine on mine.liker_id = ${me} and mine.liked_id = p.id
    left join profile_like theirs on theirs.liker_id = p.id and theirs.liked_id = ${me}
    where p.id = ${otherId} and p.id <> ${me}`.compile(db);
}

/** Writes nothing when the member is not visible, or when the like is what it was. */
export function upsertLikeQuery(db: Database, onlooker: Onlooker, likedId: number, likeType: LikeType, now: number) {
  return sql`
    insert into profile_like (liker_id, liked_id, like_type, ts_created)
    select ${onlooker.viewer.profileId}, p.id, ${likeType}, ${now} from profile p where p.id = ${likedId} and ${visibleTo(onlooker)}
    on conflict (liker_id, liked_id) do update set like_type = excluded.like_type, ts_created = excluded.ts_created
    where profile_like.like_type <> excluded.like_type`.compile(db);
}

/** News of likes between the two, which a like taken back no longer supports. */
export function deleteLikeNotificationQueries(db: Database, profileId: number, otherId: number): CompiledQuery[] {
  return [
    sql`delete from notification where about_id = ${profileId} and profile_id = ${otherId} and kind in ('like', 'match')`,
    sql`delete from notification where about_id = ${otherId} and profile_id = ${profileId} and kind = 'match'`,
  ].map((statement) => statement.compile(db));
}

export interface LikeRow {
  readonly liker_id: number;
  readonly liked_id: number;
  readonly like_type: LikeType;
  readonly ts_created: number;
}

/**
 * One like between the viewer and another, either way; of the other's, LIKE alone is told. Whom the viewer blocked he still
 * reads his own like of, whatever else stands between them: an exception for a block from the other side would tell of it.
 */
export function findLike(db: Database, onlooker: Onlooker, likerId: number, likedId: number) {
  const me = onlooker.viewer.profileId;
  const other = likerId === me ? likedId : likerId;
  const blocked = blockedBy(me, sql.ref("p.id"));
  return db
    .selectFrom("profile as p")
    .innerJoin("profile_like as l", (join) => join.on("l.liker_id", "=", likerId).on("l.liked_id", "=", likedId))
    .select(["l.liker_id", "l.liked_id", "l.like_type", "l.ts_created"])
    .select(sql<number>`${blocked}`.as("blocked"))
    .where("p.id", "=", other)
    .where(sql<boolean>`(${visibleTo(onlooker)} or ${blocked} and ${likerId} = ${me})`)
    .where(sql<boolean>`(${likerId} = ${me} or l.like_type = 'LIKE')`)
    .executeTakeFirst();
}

/** Likes of one type that the viewer gave or got, newest first: one stretch of an index. Invisible members are left out. */
export function listLikes(
  db: Database,
  onlooker: Onlooker,
  side: "given" | "received",
  likeType: LikeType,
  { after, limit }: { readonly after: TimeCursor; readonly limit: number },
) {
  const other = side === "given" ? "l.liked_id" : "l.liker_id";
  return db
    .selectFrom("profile_like as l")
    .innerJoin("profile as p", "p.id", other)
    .select(["l.liker_id", "l.liked_id", "l.like_type", "l.ts_created"])
    .where(side === "given" ? "l.liker_id" : "l.liked_id", "=", onlooker.viewer.profileId)
    .where("l.like_type", "=", likeType)
    .where("l.ts_created", "<=", after.ts)
    .where(sql<boolean>`(l.ts_created < ${after.ts} or ${sql.ref(other)} > ${after.id})`)
    .where(visibleTo(onlooker))
    .orderBy("l.ts_created", "desc")
    .orderBy(other)
    .limit(limit)
    .execute();
}

/** Those of some members whom the viewer likes; invisible members are left out. */
export async function listLikedAmong(
  db: Database,
  onlooker: Onlooker,
  profileIds: readonly number[],
): Promise<LikeRow[]> {
  return db
    .selectFrom("profile_like as l")
    .innerJoin("profile as p", "p.id", "l.liked_id")
    .select(["l.liker_id", "l.liked_id", "l.like_type", "l.ts_created"])
    .where("l.liker_id", "=", onlooker.viewer.profileId)
    .where("l.liked_id", "in", profileIds)
    .where("l.like_type", "=", "LIKE")
    .where(visibleTo(onlooker))
    .execute();
}

export function toProfileLike(row: LikeRow, blocked: boolean): ProfileLike {
  return {
    likerProfileId: row.liker_id,
    likedProfileId: row.liked_id,
    likeType: row.like_type,
    blocked,
    tsCreated: new Date(row.ts_created).toISOString(),
  };
}
