/**
 * The nearest members by published position: exact, in order of (distance, tie key), in pages by keyset.
 *
 * Where this isolate knows how dense members are, a page reads the disc or ring that should hold it, and asks once. Else page one asks
 * twice: the K members before and after the viewer on the curve bound the K-th distance from above, then the rest of that disc is read;
 * and how far out a later page's ring goes is guessed from those whom the page before met and did not show. A search that few match looks
 * at some thousand rows and hands out a shorter page with a cursor that goes on from there.
 */
import {
  bridgeGaps,
  coverShape,
  discArea,
  discRadius,
  HALF_GLOBE_METERS,
  type KeyRange,
  keysIn,
  keysPerSquareMeter,
  limitRanges,
  ring,
  subtractRanges,
} from "@lambda/geo/cover";
import type { CurveKey } from "@lambda/geo/curve";
import { KEY_END, pointOfKey, UNITS_PER_DEGREE } from "@lambda/geo/curve";
import { distanceMeters, METERS_PER_DEGREE, type Point } from "@lambda/geo/distance";
import { CompiledQuery } from "kysely";
import type { Compiled } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import { decodeNearestCursor, encodeNearestCursor, type NearestCursor } from "./cursor.ts";
import { readDensity } from "./density.ts";
import { expectedReach } from "./expected-reach.ts";
import {
  type FoundRow,
  inRangesQuery,
  isFiltered,
  neighboursOnCurveQuery,
  RANGES_MAX,
  type Searcher,
  type SearchFilters,
} from "./statements.ts";

export interface NearestSearch {
  /** The viewer's own published position. */
  readonly centreKey: CurveKey;
  readonly size: number;
  readonly filters?: SearchFilters;
  readonly maxMeters?: number;
  readonly cursor?: string | undefined;
}

export interface FoundMember {
  readonly row: FoundRow;
  readonly meters: number;
}

export interface NearestPage {
  readonly members: FoundMember[];
  /** Absent at the end. A page may be short and still have one. */
  readonly nextCursor?: string;
}

/** The coarsest squares of a cover: the globe is two of them. */
const COARSEST_BITS = 25;
/** So many rows on either side tell a filtered search how dense members are. */
const DENSITY_ROWS = 16;
/** Rows a filtered search looks at before it hands out what it has. */
const FILTERED_SEEN_MAX = 2000;
/** Rows one ring may bring beyond a page; a ring that meets a big city is narrowed and read again. */
const RING_ROWS_MAX = 500;
const RINGS_MAX = 12;
/** Stretches of a disc whose density is read for the next search. */
const DENSITY_RANGES_MAX = 2;
/** Rows one disc may bring beyond two pages, before what it brought narrows it. */
const DISC_ROWS_MAX = 250;
/** A ring is taken so much larger than the density says, since members do not stand evenly. */
const RING_MARGIN = 1.4;

export async function listNearest(db: Database, searcher: Searcher, search: NearestSearch): Promise<NearestPage> {
  const run: Run = async ({ sql, parameters }) =>
    (await db.executeQuery<FoundRow>(CompiledQuery.raw(sql, [...parameters]))).rows;
  const cursor = search.cursor === undefined ? undefined : decodeNearestCursor(search.cursor);
  const foreseen = await foreseenPage(run, searcher, search, cursor);
  if (foreseen) return foreseen;
  return cursor ? laterPage(run, searcher, search, cursor) : firstPage(db, run, searcher, search);
}

type Run = (query: Compiled) => Promise<FoundRow[]>;

/** By one question, where this isolate knows how far out the page is; undefined where it does not, or what it knows is not so any more. */
async function foreseenPage(
  run: Run,
  searcher: Searcher,
  { centreKey, size, filters = {}, maxMeters }: NearestSearch,
  cursor: NearestCursor | undefined,
): Promise<NearestPage | undefined> {
  if (isFiltered(filters)) return undefined;
  const centre = pointOfKey(centreKey);
  const beyond = cursor?.meters ?? 0;
  const coverRing = (outer: number, perKey: number) => cover(centre, beyond, outer, perKey);
  const foreseen = expectedReach(searcher, centreKey, { beyond, members: size }, coverRing);
  if (!foreseen || foreseen.meters > (maxMeters ?? HALF_GLOBE_METERS)) return undefined;
  const ranges = limitRanges(coverRing(foreseen.meters, foreseen.perKey), RANGES_MAX);
  const limit = DISC_ROWS_MAX + 2 * size;
  const rows = await run(inRangesQuery(searcher, { ranges, limit }));
  const members = measure(rows, centre)
    .filter((member) => member.meters <= foreseen.meters && (!cursor || isAfter(member, cursor)))
    .slice(0, size);
  const last = members[size - 1];
  if (!last || rows.length === limit) return undefined;
  // The cursor is made of the page alone: the density counts members whom the searcher may not see.
  return page(members, { size }, { from: beyond, outer: last.meters, end: false, seenForMatch: 1 });
}

async function firstPage(db: Database, run: Run, searcher: Searcher, search: NearestSearch): Promise<NearestPage> {
  const { centreKey, size, filters = {} } = search;
  const centre = pointOfKey(centreKey);
  const reach = Math.min(search.maxMeters ?? HALF_GLOBE_METERS, HALF_GLOBE_METERS);
  const filtered = isFiltered(filters);
  const each = filtered ? DENSITY_ROWS : size;
  const neighbours = await run(neighboursOnCurveQuery(searcher, centreKey, each));
  const known = coveredRange(neighbours, centreKey, each);
  const perKey = Math.max(1, neighbours.length) / (known.hi - known.lo);

  // What does not match only tells how dense it is here.
  const found = new Map(filtered ? [] : neighbours.map((row) => [row.profile_id, row]));
  const nearest = () => measure([...found.values()], centre);
  let outer = filtered
    ? Math.min(reach, discRadius(FILTERED_SEEN_MAX / (perKey * keysPerSquareMeter(centre.lat))))
    : Math.min(reach, nearest()[size - 1]?.meters ?? reach);
  let limit = DISC_ROWS_MAX + 2 * size;
  let density = perKey;
  for (;;) {
    const disc = cover(centre, 0, outer, density);
    const ranges = limitRanges(filtered ? disc : subtractRanges(disc, [known]), RANGES_MAX);
    if (ranges.length === 0) break;
    const [rows] = await Promise.all([
      run(inRangesQuery(searcher, { ranges, filters, limit })),
      // For who searches here next.
      ...(filtered ? [] : [readDensity(db, searcher, limitRanges(disc, DENSITY_RANGES_MAX), 0)]),
    ]);
    for (const row of rows) found.set(row.profile_id, row);
    if (rows.length < limit) break;
    // The disc met a big city. All that was found bounds the answer anew; where it does not, more has to be read.
    const bound = nearest()[size - 1]?.meters ?? outer;
    if (bound < outer * 0.9) outer = bound;
    else limit *= 8;
    density = Math.max(density, rows.length / keysIn(ranges));
  }
  const all = nearest();
  const members = all.filter((member) => member.meters <= outer);
  const seenForMatch = filtered ? FILTERED_SEEN_MAX / Math.max(1, members.length) : 1;
  // The neighbours on the curve bound page two as well.
  const enough = filtered ? undefined : all[2 * size - 1]?.meters;
  return page(members, search, { from: 0, outer, end: outer >= reach, seenForMatch, enough });
}

/** The range of the curve of which `neighbours` holds every row: up to its ends, which may have more rows of the same key. */
function coveredRange(neighbours: readonly FoundRow[], key: CurveKey, each: number): KeyRange {
  const keys = neighbours.map((row) => row.key);
  const from = keys.filter((other) => other >= key);
  const before = keys.filter((other) => other < key);
  return {
    lo: before.length < each ? 0 : Math.min(...before) + 1,
    hi: from.length < each ? KEY_END : Math.max(key + 1, ...from),
  };
}

async function laterPage(
  run: Run,
  searcher: Searcher,
  search: NearestSearch,
  cursor: NearestCursor,
): Promise<NearestPage> {
  const { centreKey, size, filters = {} } = search;
  const centre = pointOfKey(centreKey);
  const reach = Math.min(search.maxMeters ?? HALF_GLOBE_METERS, HALF_GLOBE_METERS);
  const filtered = isFiltered(filters);
  const areaFrom = discArea(cursor.meters);
  const areaEnd = discArea(reach);
  const seenPerArea = cursor.matchesPerSquareMeter * cursor.seenForMatch;
  const areaMax = filtered ? FILTERED_SEEN_MAX / seenPerArea : Number.POSITIVE_INFINITY;

  let inner = cursor.meters;
  let perKey = seenPerArea / keysPerSquareMeter(centre.lat);
  let width = Math.min(size / cursor.matchesPerSquareMeter, areaMax);
  let bound: number | undefined;
  let limit = RING_ROWS_MAX + size;
  let members: FoundMember[] = [];
  // Two rings are the budget; a third is read only where the first two brought nobody.
  for (let attempt = 0; attempt < RINGS_MAX && (attempt < 2 || members.length === 0); attempt += 1) {
    const areaInner = discArea(inner);
    const outer = bound ?? (areaInner + width >= areaEnd ? reach : discRadius(areaInner + width));
    const ranges = limitRanges(cover(centre, inner, outer, perKey), RANGES_MAX);
    const rows = await run(inRangesQuery(searcher, { ranges, filters, limit }));
    const inRing = measure(rows, centre).filter(
      (member) => member.meters <= outer && (inner === cursor.meters ? isAfter(member, cursor) : member.meters > inner),
    );
    if (rows.length >= limit && outer - inner > 1) {
      // The ring met a big city and is not complete. Enough of what it brought bounds the answer: read up to there.
      perKey = rows.length / keysIn(ranges);
      const enough = inRing[size - members.length - 1]?.meters;
      if (enough !== undefined && enough < outer) bound = enough;
      else {
        width /= 8;
        limit *= 4;
      }
      continue;
    }
    bound = undefined;
    members = [...members, ...inRing];
    inner = outer;
    if (members.length >= size || outer >= reach) break;
    // Fewer than foreseen, so it gets emptier outwards: widen by much more than what was found suggests.
    const area = discArea(outer) - areaFrom;
    const missing = size - members.length;
    width = Math.min(Math.max(3 * missing * (area / Math.max(0.5, members.length)), area), 24 * area, areaMax);
  }
  const { seenForMatch } = cursor;
  return page(members, search, { from: cursor.meters, outer: inner, end: inner >= reach, seenForMatch });
}

interface PageEnd {
  readonly from: number;
  readonly outer: number;
  /** Nothing lies beyond `outer`. */
  readonly end: boolean;
  readonly seenForMatch: number;
  /** Known of page two: so far out it is full, at the latest. */
  readonly enough?: number | undefined;
}

function page(found: FoundMember[], { size }: Pick<NearestSearch, "size">, pageEnd: PageEnd): NearestPage {
  const { from, outer, end, seenForMatch, enough } = pageEnd;
  const members = found.slice(0, size);
  if (end && found.length <= size) return { members };
  const last = members[size - 1];
  const meters = last?.meters ?? outer;
  // Those who were met and not shown are on the next page: it is full where as many of them are known as it holds.
  const extra = found.slice(members.length);
  const areaTo = (distance: number) => Math.max(discArea(distance + 0.1) - discArea(meters), 1);
  const met = Math.max(found.length, 0.5) / Math.max(discArea(outer) - discArea(from), 1);
  const guessed = areaTo(outer) + (RING_MARGIN * (size - extra.length + 2)) / met;
  const full = extra[size - 1]?.meters;
  const area = full !== undefined ? areaTo(full) : Math.min(guessed, enough === undefined ? guessed : areaTo(enough));
  return {
    members,
    nextCursor: encodeNearestCursor({
      meters,
      randomOrder: last?.row.random_order ?? Number.MAX_SAFE_INTEGER,
      matchesPerSquareMeter: size / area,
      seenForMatch,
    }),
  };
}

function measure(rows: readonly FoundRow[], centre: Point): FoundMember[] {
  return rows.map((row) => ({ row, meters: distanceMeters(centre, pointOfKey(row.key)) })).sort(byDistance);
}

function byDistance(a: FoundMember, b: FoundMember): number {
  return a.meters - b.meters || a.row.random_order - b.row.random_order || a.row.profile_id - b.row.profile_id;
}

function isAfter(member: FoundMember, cursor: NearestCursor): boolean {
  return (
    member.meters > cursor.meters || (member.meters === cursor.meters && member.row.random_order > cursor.randomOrder)
  );
}

/** A ring as ranges, as finely cut as its members are dense: a boundary square is to hold a fifth of a member. */
function cover(centre: Point, inner: number, outer: number, perKey: number): KeyRange[] {
  const byDensity = perKey > 0 ? Math.log2(0.2 / perKey) / 2 : COARSEST_BITS;
  const bySize = Math.log2(Math.max(1, ((outer / METERS_PER_DEGREE) * UNITS_PER_DEGREE) / 64));
  const finestBits = Math.max(0, Math.min(COARSEST_BITS, Math.floor(Math.max(byDensity, bySize))));
  const ranges = coverShape(ring(centre, inner, outer), finestBits);
  return perKey > 0 ? bridgeGaps(ranges, 1 / perKey) : limitRanges(ranges, 12);
}
