/**
 * Members whom likes join to the viewer. A whole statement, as the intersection is materialized once and drives the joins: three rows
 * for each like, where a search by place would look at everyone.
 */
import { LIKES_SEARCHED_MAX } from "@lambda/contract/limits";
import { sql } from "kysely";
import {
  COLUMNS,
  type FoundRow,
  int,
  matching,
  type Searcher,
  type SearchFilters,
  visibleInPresence,
} from "../../places/positions/statements.ts";
import type { Database } from "../../platform/db/database.ts";

/** The likes of each kind, as ids of the other side. */
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
export const LIKE_FILTERS = Object.keys(SOURCES) as LikeFilter[];

/** All the given likes and filters hold; the newest LIKES_SEARCHED_MAX likes of each kind are looked at. */
export async function listJoinedByLikes(
  db: Database,
  searcher: Searcher,
  likes: readonly LikeFilter[],
  filters: SearchFilters = {},
): Promise<FoundRow[]> {
  const me = int(searcher.profileId);
  const source = (name: LikeFilter) =>
    `SELECT id FROM (${SOURCES[name](me)} ORDER BY ts_created DESC LIMIT ${int(LIKES_SEARCHED_MAX)})`;
  const match = matching(filters);
  const { rows } = await sql
    .raw<FoundRow>(
      `WITH joined(id) AS MATERIALIZED (${likes.map(source).join(" INTERSECT ")})
      SELECT ${COLUMNS} FROM (SELECT DISTINCT id FROM joined) j
      CROSS JOIN position s ON s.profile_id = j.id
      CROSS JOIN presence p ON p.key = s.key AND p.profile_id = j.id AND ${visibleInPresence(searcher)}
      ${match ? `WHERE ${match}` : ""}`,
    )
    .execute(db);
  return rows;
}
