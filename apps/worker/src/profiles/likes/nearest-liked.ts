/**
 * The nearest of the members who like the viewer or whom the viewer likes. Starts from the like tables and sorts here, which reads three
 * rows per like, while a search by place would read everyone.
 */
import type { NearestQuery } from "@lambda/contract/positions";
import { pointOfKey } from "@lambda/geo/curve";
import { decodeNearestCursor, encodeNearestCursor } from "../../places/positions/cursor.ts";
import { isAfter, sortByDistance } from "../../places/positions/distance-order.ts";
import { matchesFilters, type SearchFilters } from "../../places/positions/filters.ts";
import type { NearestPage, NearestSearch } from "../../places/positions/nearest.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Searcher } from "../../visibility/visibility.ts";
import { LIKE_FILTERS, type LikeFilter, listMembersByLikes } from "./statements.ts";

export const likeFiltersOf = (query: NearestQuery): LikeFilter[] => LIKE_FILTERS.filter((name) => query[name] === true);

/** Ordered by (distance, random order) like the search by place. All given filters must match. */
export async function listNearestLiked(
  db: Database,
  searcher: Searcher,
  search: NearestSearch & { readonly filters?: SearchFilters },
  likes: readonly LikeFilter[],
): Promise<NearestPage> {
  const { filters = {} } = search;
  const rows = (await listMembersByLikes(db, searcher, likes, filters)).filter((row) => matchesFilters(row, filters));
  const center = pointOfKey(search.centerKey);
  const after = search.cursor === undefined ? undefined : decodeNearestCursor(search.cursor);
  const found = sortByDistance(rows, center)
    .filter(({ meters }) => meters <= (search.maxMeters ?? Number.POSITIVE_INFINITY))
    .filter((member) => !after || isAfter(member, after));
  const members = found.slice(0, search.size);
  const last = found.length > search.size ? members[members.length - 1] : undefined;
  if (!last) return { members };
  const { meters, row } = last;
  return {
    members,
    nextCursor: encodeNearestCursor({
      meters,
      randomOrder: row.random_order,
      membersPerSquareMeter: 0,
      membersPerMatch: 1,
    }),
  };
}
