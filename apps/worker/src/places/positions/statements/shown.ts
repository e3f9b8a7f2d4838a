/**
 * Discreet members who showed themselves to the searcher. They are in no index by place, and no search reads a row for anybody else's; each
 * adds the latest few of the searcher's own to its pages.
 */
import { SHOWN_PER_SEARCH_MAX } from "@lambda/contract/limits";
import { pointOfKey } from "@lambda/geo/curve";
import { sql } from "kysely";
import type { Database } from "../../../platform/db/database.ts";
import { type ViewerContext, visibleTo } from "../../../visibility/visibility.ts";
import type { CurvePage, PageRequest } from "../by-bounds.ts";
import {
  type CurveCursor,
  decodeCurveCursor,
  decodeNearestCursor,
  encodeCurveCursor,
  encodeNearestCursor,
} from "../cursor.ts";
import { isAfter, sortByDistance } from "../distance-order.ts";
import { matchesFilters, type SearchFilters } from "../filters.ts";
import type { NearestPage, NearestSearch } from "../nearest.ts";
import { COLUMNS, extraColumns, type FoundRow } from "../statements.ts";

/** @param condition on a row `p` like one of presence, with the columns `viewer` and `now` */
export async function listShown(
  db: Database,
  ctx: ViewerContext & { readonly now: number },
  filters: SearchFilters = {},
  condition?: string,
): Promise<FoundRow[]> {
  // A discreet member's first days are told to nobody, not even to those who may see the member.
  if (filters.newHere) return [];
  const { rows } = await sql<FoundRow>`
    select ${sql.raw(`${COLUMNS}${extraColumns(filters, "p.viewer", "p.now")}`)} from (
      select ${ctx.viewer.profileId} as viewer, ${ctx.now} as now, o.key, p.id as profile_id, p.random_order, p.profile_name, p.characteristics, p.height, p.weight, p.pics_public, p.ts_seen,
        cast(julianday(p.birthdate) - 2440587.5 as integer) as birth_day
      from (select profile_id from shown_to where viewer_id = ${ctx.viewer.profileId}
        order by id desc limit ${sql.lit(SHOWN_PER_SEARCH_MAX)}) shown
      cross join position o on o.profile_id = shown.profile_id
      cross join profile p on p.id = shown.profile_id
      where o.ts_effective_until > ${ctx.now} and ${visibleTo(ctx)}) p
    ${sql.raw(condition === undefined ? "" : `where ${condition}`)}`.execute(db);
  return rows.filter((row) => matchesFilters(row, filters));
}

/** Adds them to a page by distance. Those beyond its end come on a later one. */
export function addToNearest(page: NearestPage, rows: readonly FoundRow[], search: NearestSearch): NearestPage {
  const { centerKey, maxMeters = Number.POSITIVE_INFINITY, size } = search;
  const center = pointOfKey(centerKey);
  const from = search.cursor === undefined ? undefined : decodeNearestCursor(search.cursor);
  const end = page.nextCursor === undefined ? undefined : decodeNearestCursor(page.nextCursor);
  const fitting = sortByDistance(rows, center).filter(
    (member) => member.meters <= maxMeters && (!from || isAfter(member, from)) && (!end || !isAfter(member, end)),
  );
  if (fitting.length === 0) return page;
  const all = sortByDistance(
    [...page.members, ...fitting].map(({ row }) => row),
    center,
  );
  const last = all[size - 1];
  if (all.length <= size || !last) return { ...page, members: all };
  const { membersPerSquareMeter = 0, membersPerMatch = 1 } = end ?? {};
  const cursor = { meters: last.meters, randomOrder: last.row.random_order, membersPerSquareMeter, membersPerMatch };
  return { members: all.slice(0, size), nextCursor: encodeNearestCursor(cursor) };
}

/** Adds those at some keys to a page in curve order. */
export function addToCurvePage(
  page: CurvePage,
  rows: readonly FoundRow[],
  { size, after }: PageRequest,
  isInside: (row: FoundRow) => boolean,
): CurvePage {
  const end = page.nextCursor === undefined ? undefined : decodeCurveCursor(page.nextCursor);
  const isBeyond = ({ key, profile_id }: FoundRow, cursor: CurveCursor) =>
    key > cursor.key || (key === cursor.key && profile_id > cursor.profileId);
  const fitting = rows.filter(
    (row) => isInside(row) && (!after || isBeyond(row, after)) && (!end || !isBeyond(row, end)),
  );
  if (fitting.length === 0) return page;
  const all = [...page.rows, ...fitting].sort((a, b) => a.key - b.key || a.profile_id - b.profile_id);
  const last = all[size - 1];
  if (all.length <= size || !last) return { ...page, rows: all };
  return { rows: all.slice(0, size), nextCursor: encodeCurveCursor({ key: last.key, profileId: last.profile_id }) };
}
