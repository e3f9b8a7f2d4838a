/**
 * The nearest members who match some filters: reads the nearest in chunks and filters them here. How far a page looks depends only on
 * members whom the searcher may see, so that the end of a short page tells nothing about others.
 */

import type { Database } from "../../platform/db/database.ts";
import type { Searcher } from "../../visibility/visibility.ts";
import { decodeNearestCursor, encodeNearestCursor } from "./cursor.ts";
import type { FoundMember } from "./distance-order.ts";
import { matchesFilters, type SearchFilters } from "./filters.ts";
import { listNearest, type NearestPage, type NearestSearch } from "./nearest.ts";

/** Members examined for one page; a search that few match then returns what it has, with a cursor. A numbered page goes on with twice as many. */
const EXAMINED_MAX = 200;
const EXAMINED_BY_LATER_STEPS_MAX = 3000;
/** The last one uses up what is left. */
const READS_MAX = 3;
/** Smaller chunks would cost as much. */
const CHUNK_MIN = 16;
const CHUNK_MARGIN = 1.4;
/** Members per match, before any are known. */
const MEMBERS_PER_MATCH_GUESS = 2;

/** @param step how often the same page has looked before */
export async function listNearestMatching(
  db: Database,
  searcher: Searcher,
  { filters, ...search }: NearestSearch & { readonly filters: SearchFilters },
  step = 0,
): Promise<NearestPage> {
  const { size } = search;
  const examinedMax = Math.min(EXAMINED_MAX * 2 ** step, EXAMINED_BY_LATER_STEPS_MAX);
  const matches: FoundMember[] = [];
  let examined = 0;
  let perMatch = search.cursor ? decodeNearestCursor(search.cursor).membersPerMatch : MEMBERS_PER_MATCH_GUESS;
  let { cursor } = search;
  for (let read = 1; read <= READS_MAX; read += 1) {
    const left = examinedMax - examined;
    const expected = Math.ceil((size - matches.length) * perMatch * CHUNK_MARGIN);
    const chunk = read === READS_MAX || expected > left / 2 ? left : Math.max(CHUNK_MIN, expected);
    const page = await listNearest(db, searcher, { ...search, size: chunk, cursor, extra: filters });
    examined += page.members.length;
    matches.push(...page.members.filter(({ row }) => matchesFilters(row, filters)));
    cursor = page.nextCursor;
    perMatch = examined / Math.max(0.5, matches.length);
    if (cursor === undefined || matches.length >= size || examined >= examinedMax) break;
  }
  const members = matches.slice(0, size);
  const last = members[size - 1];
  if (cursor === undefined && matches.length <= size) return { members };
  const end = cursor === undefined ? undefined : decodeNearestCursor(cursor);
  return {
    members,
    nextCursor: encodeNearestCursor({
      meters: last?.meters ?? end?.meters ?? 0,
      randomOrder: last?.row.random_order ?? end?.randomOrder ?? 0,
      membersPerSquareMeter: end?.membersPerSquareMeter ?? 0,
      membersPerMatch: perMatch,
    }),
  };
}
