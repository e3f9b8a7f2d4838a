/**
 * The nearest members among those whom likes join to the viewer. Driven from the like tables, since they are few where
 * a search by place would look at everyone: it reads three rows for each like and sorts them here.
 */
import type { NearestQuery } from "@lambda/contract/positions";
import { pointOfKey } from "@lambda/geo/curve";
import { distanceMeters } from "@lambda/geo/distance";
import { decodeNearestCursor, encodeNearestCursor } from "../../places/positions/cursor.ts";
import type { NearestPage, NearestSearch } from "../../places/positions/nearest.ts";
import type { Searcher } from "../../places/positions/statements.ts";
import type { Database } from "../../platform/db/database.ts";
import { LIKE_FILTERS, type LikeFilter, listJoinedByLikes } from "./statements.ts";

export function likeFiltersOf(query: NearestQuery): LikeFilter[] {
  return LIKE_FILTERS.filter((name) => query[name] === true);
}

/** In order of (distance, random order), as the search by place; all the given filters must hold. */
export async function listNearestLiked(
  db: Database,
  searcher: Searcher,
  search: NearestSearch,
  likes: readonly LikeFilter[],
): Promise<NearestPage> {
  const rows = await listJoinedByLikes(db, searcher, likes, search.filters);
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
