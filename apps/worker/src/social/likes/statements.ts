/**
 * Members who like the viewer or whom the viewer likes. A raw statement, so that the intersection is materialized once and drives the
 * joins: it reads three rows per like, while a search by place would read everyone.
 */
import { LIKES_SEARCHED_MAX } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Searcher } from "../../members/visibility/visibility.ts";
import {
  COLUMNS,
  checkedColumn,
  type FoundRow,
  int,
  isOutTonight,
  unjudgedColumn,
  visibleInText,
} from "../../places/positions/statements.ts";
import type { Database } from "../../platform/db/database.ts";

/** For each filter, a query for the ids of the other members. */
const LIKED_IDS_SQL = {
  likedMyProfile: (me: string) =>
    `SELECT liker_id AS id FROM profile_like WHERE liked_id = ${me} AND like_type = 'LIKE'`,
  iLikedProfile: (me: string) =>
    `SELECT liked_id AS id FROM profile_like WHERE liker_id = ${me} AND like_type = 'LIKE'`,
  likedMyPics: (me: string) => `SELECT liker_id AS id FROM picture_like WHERE owner_id = ${me} AND like_type = 'LIKE'`,
  iLikedProfilePics: (me: string) =>
    `SELECT owner_id AS id FROM picture_like WHERE liker_id = ${me} AND like_type = 'LIKE'`,
} as const;

export type LikeFilter = keyof typeof LIKED_IDS_SQL;
export const LIKE_FILTERS = Object.keys(LIKED_IDS_SQL) as LikeFilter[];

/** The same as a condition on a row `p` of a search; undefined without filters. */
export function likedCondition(profileId: number, likes: readonly LikeFilter[]): string | undefined {
  if (likes.length === 0) return undefined;
  const liked = (name: LikeFilter) =>
    `EXISTS (SELECT 1 FROM (${LIKED_IDS_SQL[name](int(profileId))}) WHERE id = p.profile_id)`;
  return likes.map(liked).join(" AND ");
}

/** Members who match all given filters. Considers the newest LIKES_SEARCHED_MAX likes of each kind. */
export async function listMembersByLikes(
  db: Database,
  searcher: Searcher,
  likes: readonly LikeFilter[],
): Promise<FoundRow[]> {
  const me = int(searcher.profileId);
  const source = (name: LikeFilter) =>
    `SELECT id FROM (${LIKED_IDS_SQL[name](me)} ORDER BY ts_created DESC LIMIT ${int(LIKES_SEARCHED_MAX)})`;
  const { rows } = await sql
    .raw<FoundRow>(
      `WITH joined(id) AS MATERIALIZED (${likes.map(source).join(" INTERSECT ")})
      SELECT ${COLUMNS}${unjudgedColumn(searcher)}, ${isOutTonight("p.profile_id", searcher.now)} AS tonight${checkedColumn(searcher.now)} FROM (SELECT DISTINCT id FROM joined) j
      CROSS JOIN position s ON s.profile_id = j.id
      CROSS JOIN presence p ON p.key = s.key AND p.profile_id = j.id AND ${visibleInText(searcher)}`,
    )
    .execute(db);
  return rows;
}
