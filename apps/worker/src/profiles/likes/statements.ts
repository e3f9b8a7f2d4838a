/**
 * Members who like the viewer, or whom the viewer likes or starred. A raw statement, so that the intersection is materialized once and drives the
 * joins: it reads three rows per like, while a search by place would read everyone.
 */
import { LIKES_SEARCHED_MAX } from "@lambda/contract/limits";
import { STAR_TAG } from "@lambda/contract/notes";
import { CompiledQuery } from "kysely";
import {
  COLUMNS,
  type ExtraColumns,
  extraColumns,
  type FoundRow,
  int,
  visibleRows,
} from "../../places/positions/statements.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Searcher } from "../../visibility/visibility.ts";

/** For each filter, a query for the ids of the other members. */
const LIKED_IDS_SQL = {
  likedMyProfile: (me: string) =>
    `SELECT liker_id AS id FROM profile_like WHERE liked_id = ${me} AND like_type = 'LIKE'`,
  iLikedProfile: (me: string) =>
    `SELECT liked_id AS id FROM profile_like WHERE liker_id = ${me} AND like_type = 'LIKE'`,
  likedMyPics: (me: string) => `SELECT liker_id AS id FROM picture_like WHERE owner_id = ${me} AND like_type = 'LIKE'`,
  iLikedProfilePics: (me: string) =>
    `SELECT owner_id AS id FROM picture_like WHERE liker_id = ${me} AND like_type = 'LIKE'`,
  /** A star is a private tag of the author's; only the rows of a small index are read. */
  starred: (me: string) =>
    `SELECT about_id AS id FROM (SELECT author_id, about_id, private_tags, ts_updated AS ts_created FROM profile_note)
      WHERE author_id = ${me} AND instr(private_tags, '"${STAR_TAG}"')`,
} as const;

export type LikeFilter = keyof typeof LIKED_IDS_SQL;
export const LIKE_FILTERS = Object.keys(LIKED_IDS_SQL) as LikeFilter[];

/** The same as a condition on a row `p` with the column `viewer`; undefined without filters. */
export function likedCondition(likes: readonly LikeFilter[]): string | undefined {
  if (likes.length === 0) return undefined;
  const liked = (name: LikeFilter) =>
    `EXISTS (SELECT 1 FROM (${LIKED_IDS_SQL[name]("p.viewer")}) WHERE id = p.profile_id)`;
  return likes.map(liked).join(" AND ");
}

/** Members who match all given filters, with the extra columns. Considers the newest LIKES_SEARCHED_MAX likes of each kind. */
export async function listMembersByLikes(
  db: Database,
  searcher: Searcher,
  likes: readonly LikeFilter[],
  extra: ExtraColumns = {},
) {
  const source = (name: LikeFilter) =>
    `SELECT id FROM (${LIKED_IDS_SQL[name]("?2")} ORDER BY ts_created DESC LIMIT ${int(LIKES_SEARCHED_MAX)})`;
  const text = `WITH joined(id) AS MATERIALIZED (${likes.map(source).join(" INTERSECT ")})
    SELECT ${COLUMNS}${extraColumns(extra)} FROM (SELECT DISTINCT id FROM joined) j
    CROSS JOIN position s ON s.profile_id = j.id
    CROSS JOIN presence p ON ${visibleRows(searcher, "p.key = s.key AND p.profile_id = j.id")}`;
  return (await db.executeQuery<FoundRow>(CompiledQuery.raw(text, [searcher.now, searcher.profileId]))).rows;
}
