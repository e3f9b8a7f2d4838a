/**
 * The nearest members among those whom likes join to the viewer. Driven from the like tables, since they are few where
 * a search by place would look at everyone: it reads three rows for each like and sorts them here.
 */
import { LIKES_SEARCHED_MAX } from "@lambda/contract/limits";
import type { NearestQuery } from "@lambda/contract/positions";
import { pointOfKey } from "@lambda/geo/curve";
import { distanceMeters } from "@lambda/geo/distance";
import { sql } from "kysely";
import { decodeNearestCursor, encodeNearestCursor } from "../../places/positions/cursor.ts";
import type { NearestPage, NearestSearch } from "../../places/positions/nearest.ts";
import {
  COLUMNS,
  type FoundRow,
  int,
  matching,
  type Searcher,
  visibleInPresence,
} from "../../places/positions/statements.ts";
import type { Database } from "../../platform/db/database.ts";

/** The newest likes of each kind, as ids of the other side. */
const SOURCES = {
  likedMyProfile: (me: string) =>
    `SELECT liker_id AS id FROM profile_like WHERE liked_id = ${me} AND like_type = 'LIKE'`,
  iLikedProfile: (me: string) =>
    `SELECT liked_id AS id FROM profile_like WHERE liker_id = ${me} AND like_type = 'LIKE'`,
  likedMyPics: (me: string) => `SELECT liker_id AS id FROM picture_like WHERE owner_id = ${me} AND like_type = 'LIKE'`,
  iLikedProfilePics: (me: string) =>
    `SELECT owner_id AS id FROM picture_like WHERE liker_id = ${me} AND like_type = 'LIKE'`,
} as const;
export type LikeFilter = keyof typeof SOURCES;

export function likeFiltersOf(query: NearestQuery): LikeFilter[] {
  return (Object.keys(SOURCES) as LikeFilter[]).filter((name) => query[name] === true);
}

/** In order of (distance, tie key), as the search by place; all the given filters must hold. */
export async function listNearestLiked(
  db: Database,
  searcher: Searcher,
  search: NearestSearch,
  likes: readonly LikeFilter[],
): Promise<NearestPage> {
  const me = int(searcher.profileId);
  const source = (name: LikeFilter) =>
    `SELECT id FROM (${SOURCES[name](me)} ORDER BY ts_created DESC LIMIT ${int(LIKES_SEARCHED_MAX)})`;
  const match = matching(search.filters ?? {});
  const { rows } = await sql
    .raw<FoundRow>(
      `WITH joined(id) AS MATERIALIZED (${likes.map(source).join(" INTERSECT ")})
      SELECT ${COLUMNS} FROM (SELECT DISTINCT id FROM joined) j
      CROSS JOIN position s ON s.profile_id = j.id
      CROSS JOIN presence p ON p.key = s.key AND p.profile_id = j.id AND ${visibleInPresence(searcher)}
      ${match ? `WHERE ${match}` : ""}`,
    )
    .execute(db);

  const centre = pointOfKey(search.centreKey);
  const after = search.cursor === undefined ? undefined : decodeNearestCursor(search.cursor);
  const found = rows
    .map((row) => ({ row, meters: distanceMeters(centre, pointOfKey(row.key)) }))
    .filter(({ meters }) => meters <= (search.maxMeters ?? Number.POSITIVE_INFINITY))
    .filter(
      ({ row, meters }) =>
        !after || meters > after.meters || (meters === after.meters && row.random_order > after.randomOrder),
    )
    .sort((a, b) => a.meters - b.meters || a.row.random_order - b.row.random_order);
  const members = found.slice(0, search.size);
  const last = found.length > search.size ? members[members.length - 1] : undefined;
  if (!last) return { members };
  const { meters, row } = last;
  return {
    members,
    nextCursor: encodeNearestCursor({
      meters,
      randomOrder: row.random_order,
      matchesPerSquareMeter: 0,
      seenForMatch: 1,
    }),
  };
}
