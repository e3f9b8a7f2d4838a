/**
 * The nearest members by published position: exact, in the order of distance-order.ts, with keyset pagination. How many
 * queries a page takes, and why, is in docs/decisions/2026-11-20-nearest-members-by-curve-neighbors.md.
 */
import {
  bridgeGaps,
  countKeys,
  coverShape,
  discArea,
  discRadius,
  HALF_CIRCUMFERENCE_METERS,
  type KeyRange,
  keysPerSquareMeter,
  limitRanges,
  ringShape,
  subtractRanges,
} from "@lambda/geo/cover";
import { type CurveKey, KEY_END, pointOfKey, UNITS_PER_DEGREE } from "@lambda/geo/curve";
import { METERS_PER_DEGREE, type Point } from "@lambda/geo/distance";
import type { CompiledQuery } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import type { Searcher } from "../../visibility/visibility.ts";
import { coverWithDensity } from "./cover-with-density.ts";
import { decodeNearestCursor, encodeNearestCursor, type NearestCursor } from "./cursor.ts";
import { cachedDensity, densityVersion, readDensity } from "./density.ts";
import { type FoundMember, isAfter, sortByDistance } from "./distance-order.ts";
import { expectedReach } from "./expected-reach.ts";
import { type ExtraColumns, type FoundRow, inRangesQuery, neighborsOnCurveQuery, RANGES_MAX } from "./statements.ts";

export interface NearestSearch {
  /** The viewer's own published position. */
  readonly centerKey: CurveKey;
  readonly size: number;
  readonly maxMeters?: number;
  readonly cursor?: string | undefined;
  readonly extra?: ExtraColumns | undefined;
}

export interface NearestPage {
  readonly members: FoundMember[];
  /** Absent on the last page. A short page may still have one. */
  readonly nextCursor?: string;
}

/** The coarsest squares of a cover: the globe is two of them. */
const COARSEST_BITS = 25;
/** Rows that a ring may return beyond a page; a ring that meets a big city is narrowed and read again. */
const RING_ROWS_MAX = 500;
const RINGS_MAX = 12;
/** Reads of the density before a search does without. */
const DENSITY_READS_MAX = 2;
/** Ranges whose density is read at once. */
const DENSITY_RANGES_MAX = 4;
/** Rows that a disc may return beyond two pages before the result narrows it. */
const DISC_ROWS_MAX = 250;
/** Queries of a first page with the density before it does without, and by how much each looks for more than the one before. */
const QUERIES_MAX = 4;
const GROWTH_MAX = 4;
/** Members to look for per member of a page, since the searcher may not see some. */
const UNSEEN_MARGIN = 1.3;
/** Rings are made this much larger than the density suggests, since members are unevenly spread. */
const RING_MARGIN = 1.4;

export async function listNearest(db: Database, searcher: Searcher, search: NearestSearch): Promise<NearestPage> {
  const run: Run = async (query) => (await db.executeQuery(query)).rows;
  const cursor = search.cursor === undefined ? undefined : decodeNearestCursor(search.cursor);
  const predicted = await predictedPage(db, run, searcher, search, cursor);
  if (predicted) return predicted;
  return cursor ? laterPage(run, searcher, search, cursor) : firstPage(run, searcher, search);
}

type Run = (query: CompiledQuery<FoundRow>) => Promise<FoundRow[]>;

const reachOf = ({ maxMeters }: NearestSearch) =>
  Math.min(maxMeters ?? HALF_CIRCUMFERENCE_METERS, HALF_CIRCUMFERENCE_METERS);

/**
 * Takes one query once the density tells how far out the page reaches, and more if many of the members there are not shown to the
 * searcher, once; undefined if the density is missing or outdated.
 */
async function predictedPage(
  db: Database,
  run: Run,
  searcher: Searcher,
  search: NearestSearch,
  cursor: NearestCursor | undefined,
): Promise<NearestPage | undefined> {
  const { centerKey, size, extra } = search;
  const center = pointOfKey(centerKey);
  const beyond = cursor?.meters ?? 0;
  const within = reachOf(search);
  const place = [searcher.brandBit, searcher.profileId, centerKey, within, size].join();
  const isFirst = cursor === undefined;
  let wanted = (isFirst && wantedBefore.get(place)) || size;
  /** Too few to look for. */
  let tooFew = 0;
  for (let query = 0; query < (isFirst ? QUERIES_MAX : 2); query += 1) {
    const makePlan = () => planRing(searcher, centerKey, { beyond, members: wanted, within });
    let plan = makePlan();
    for (let read = 0; read < DENSITY_READS_MAX && plan && "unknown" in plan; read += 1) {
      // Reading the density took a trip, so that the page should not need another query.
      wanted = Math.ceil(size * UNSEEN_MARGIN);
      const unknown = limitRanges(plan.unknown, DENSITY_RANGES_MAX);
      await readDensity(db, searcher, unknown, 0);
      plan = cachedDensity(searcher, unknown) && makePlan();
    }
    if (!plan || "unknown" in plan) return undefined;
    const { meters, ranges } = plan;
    const limit = DISC_ROWS_MAX + (isFirst ? Math.max(2 * size, wanted) : 2 * size);
    const rows = await run(inRangesQuery(searcher, { ranges, extra, limit }));
    if (rows.length === limit) {
      // The result is cut off: looks for fewer.
      const fewer = tooFew > 0 ? Math.ceil(Math.sqrt(tooFew * wanted)) : size;
      if (!isFirst || fewer >= wanted) return undefined;
      wantedBefore.delete(place);
      wanted = fewer;
      continue;
    }
    const members = sortByDistance(rows, center).filter(
      (member) => member.meters <= meters && (!cursor || isAfter(member, cursor)),
    );
    const isEnd = meters === within;
    if (members.length >= size || isEnd) {
      // The cursor is made from the page alone: the density counts members whom the searcher may not see.
      const page = members.slice(0, size);
      const outer = page[size - 1]?.meters ?? within;
      const used = discArea(outer) / Math.max(1, discArea(meters));
      if (isFirst && !isEnd && (query > 0 || used < USED_MIN))
        // Members grow with the area where they are evenly spread, and more slowly around a town.
        rememberWanted(place, Math.ceil(Math.max(wanted * Math.sqrt(used), tooFew * WANTED_MARGIN)), size);
      return toPage(page, { size }, { from: beyond, outer, isLast: isEnd && members.length <= size });
    }
    tooFew = wanted;
    const proportional = Math.ceil((UNSEEN_MARGIN * wanted * size) / Math.max(1, members.length));
    wanted = isFirst ? Math.min(GROWTH_MAX * wanted, proportional) : proportional;
  }
  return undefined;
}

/**
 * For how many members to look where a searcher found a first page: more than it holds for whoever blocked many there, or is blocked by many. It
 * only saves queries.
 */
const wantedBefore = new Map<string, number>();
const WANTED_KEPT_MAX = 2000;
/** A page that needed less of what was read is looked for more narrowly next time. */
const USED_MIN = 0.6;
const WANTED_MARGIN = 1.15;

function rememberWanted(place: string, wanted: number, size: number): void {
  if (wantedBefore.size >= WANTED_KEPT_MAX) wantedBefore.clear();
  if (wanted > size) wantedBefore.set(place, wanted);
  else wantedBefore.delete(place);
}

/** How far out a page reaches, and what to read for it. An outdated plan costs rows, not exactness. */
interface RingPlan {
  readonly meters: number;
  readonly ranges: readonly KeyRange[];
}

/** Made with this version of the density. A plan takes a fifth of a search's processor time, and members search from one place again and again. */
let plans = { density: densityVersion(), bySearch: new Map<string, RingPlan>() };
const PLANS_MAX = 500;
const PLAN_KEPT_MS = 600_000;

function planRing(
  searcher: Searcher,
  centerKey: CurveKey,
  ring: { readonly beyond: number; readonly members: number; readonly within: number },
): RingPlan | { readonly unknown: readonly KeyRange[] } | undefined {
  const density = densityVersion();
  if (plans.density !== density || plans.bySearch.size >= PLANS_MAX) plans = { density, bySearch: new Map() };
  const period = Math.floor(searcher.now / PLAN_KEPT_MS);
  const search = [searcher.brandBit, centerKey, ring.beyond, ring.members, ring.within, period].join();
  const known = plans.bySearch.get(search);
  if (known) return known;
  const center = pointOfKey(centerKey);
  const expected = expectedReach(searcher, centerKey, ring, (outer, perKey) =>
    cover(center, ring.beyond, outer, perKey),
  );
  if (!expected || "unknown" in expected) return expected;
  const { meters } = expected;
  const plan = { meters, ranges: coverWithDensity(ringShape(center, ring.beyond, meters), expected.density) };
  plans.bySearch.set(search, plan);
  return plan;
}

async function firstPage(run: Run, searcher: Searcher, search: NearestSearch): Promise<NearestPage> {
  const { centerKey, size, extra } = search;
  const center = pointOfKey(centerKey);
  const reach = reachOf(search);
  const neighbors = await run(neighborsOnCurveQuery(searcher, centerKey, size, extra));
  const known = coveredRange(neighbors, centerKey, size);
  const found = new Map(neighbors.map((row) => [row.profile_id, row]));
  const nearest = () => sortByDistance([...found.values()], center);
  let outer = Math.min(reach, nearest()[size - 1]?.meters ?? reach);
  let limit = DISC_ROWS_MAX + 2 * size;
  let density = Math.max(1, neighbors.length) / (known.hi - known.lo);
  for (;;) {
    const ranges = limitRanges(subtractRanges(cover(center, 0, outer, density), [known]), RANGES_MAX);
    if (ranges.length === 0) break;
    const rows = await run(inRangesQuery(searcher, { ranges, extra, limit }));
    for (const row of rows) found.set(row.profile_id, row);
    if (rows.length < limit) break;
    // The disc met a big city. What was found narrows it, or else more rows have to be read.
    const bound = nearest()[size - 1]?.meters ?? outer;
    if (bound < outer * 0.9) outer = bound;
    else limit *= 8;
    density = Math.max(density, rows.length / countKeys(ranges));
  }
  const all = nearest();
  const members = all.filter((member) => member.meters <= outer);
  // The neighbors on the curve also bound page two.
  return toPage(members, search, { from: 0, outer, isLast: outer >= reach, nextFullWithin: all[2 * size - 1]?.meters });
}

/**
 * The range of the curve of which `neighbors` holds every row. Its ends are excluded, since more rows may have the same
 * key.
 */
function coveredRange(neighbors: readonly FoundRow[], key: CurveKey, perSide: number): KeyRange {
  const keys = neighbors.map((row) => row.key);
  const from = keys.filter((other) => other >= key);
  const before = keys.filter((other) => other < key);
  return {
    lo: before.length < perSide ? 0 : Math.min(...before) + 1,
    hi: from.length < perSide ? KEY_END : Math.max(key + 1, ...from),
  };
}

async function laterPage(
  run: Run,
  searcher: Searcher,
  search: NearestSearch,
  cursor: NearestCursor,
): Promise<NearestPage> {
  const { centerKey, size, extra } = search;
  const center = pointOfKey(centerKey);
  const reach = reachOf(search);
  const areaFrom = discArea(cursor.meters);
  const areaEnd = discArea(reach);

  let inner = cursor.meters;
  let perKey = cursor.membersPerSquareMeter / keysPerSquareMeter(center.lat);
  let width = size / cursor.membersPerSquareMeter;
  let bound: number | undefined;
  let limit = RING_ROWS_MAX + size;
  let members: FoundMember[] = [];
  // Reads two rings at most, and more only while nobody was found.
  for (let attempt = 0; attempt < RINGS_MAX && (attempt < 2 || members.length === 0); attempt += 1) {
    const areaInner = discArea(inner);
    const outer = bound ?? (areaInner + width >= areaEnd ? reach : discRadius(areaInner + width));
    const ranges = limitRanges(cover(center, inner, outer, perKey), RANGES_MAX);
    const rows = await run(inRangesQuery(searcher, { ranges, extra, limit }));
    const inRing = sortByDistance(rows, center).filter(
      (member) => member.meters <= outer && (inner === cursor.meters ? isAfter(member, cursor) : member.meters > inner),
    );
    if (rows.length >= limit && outer - inner > 1) {
      // The ring met a big city and is incomplete. If it holds enough members, they bound the page: reads up to there.
      perKey = rows.length / countKeys(ranges);
      const fullWithin = inRing[size - members.length - 1]?.meters;
      if (fullWithin !== undefined && fullWithin < outer) bound = fullWithin;
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
    // Fewer than expected, so density falls further out: widens by much more than the result suggests.
    const area = discArea(outer) - areaFrom;
    const missing = size - members.length;
    width = Math.min(Math.max(3 * missing * (area / Math.max(0.5, members.length)), area), 24 * area);
  }
  return toPage(members, search, { from: cursor.meters, outer: inner, isLast: inner >= reach });
}

interface PageEnd {
  readonly from: number;
  readonly outer: number;
  /** Nothing is beyond `outer`. */
  readonly isLast: boolean;
  /** The distance at which page two is full, at the latest. */
  readonly nextFullWithin?: number | undefined;
}

function toPage(found: FoundMember[], { size }: Pick<NearestSearch, "size">, pageEnd: PageEnd): NearestPage {
  const { from, outer, isLast, nextFullWithin } = pageEnd;
  const members = found.slice(0, size);
  if (isLast && found.length <= size) return { members };
  const last = members[size - 1];
  const meters = last?.meters ?? outer;
  // Members who were found but not returned are on the next page, and tell where it ends if they fill it.
  const extra = found.slice(members.length);
  const areaTo = (distance: number) => Math.max(discArea(distance + 0.1) - discArea(meters), 1);
  const perArea = Math.max(found.length, 0.5) / Math.max(discArea(outer) - discArea(from), 1);
  const guessed = areaTo(outer) + (RING_MARGIN * (size - extra.length + 2)) / perArea;
  const full = extra[size - 1]?.meters;
  const area =
    full !== undefined
      ? areaTo(full)
      : Math.min(guessed, nextFullWithin === undefined ? guessed : areaTo(nextFullWithin));
  return {
    members,
    nextCursor: encodeNearestCursor({
      meters,
      randomOrder: last?.row.random_order ?? Number.MAX_SAFE_INTEGER,
      membersPerSquareMeter: size / area,
      membersPerMatch: 1,
    }),
  };
}

/** Covers a ring with ranges, cut finer where members are denser: a boundary square is to hold a fifth of a member. */
function cover(center: Point, inner: number, outer: number, perKey: number): KeyRange[] {
  const byDensity = perKey > 0 ? Math.log2(0.2 / perKey) / 2 : COARSEST_BITS;
  const bySize = Math.log2(Math.max(1, ((outer / METERS_PER_DEGREE) * UNITS_PER_DEGREE) / 64));
  const finestBits = Math.max(0, Math.min(COARSEST_BITS, Math.floor(Math.max(byDensity, bySize))));
  const ranges = coverShape(ringShape(center, inner, outer), finestBits);
  return perKey > 0 ? bridgeGaps(ranges, 1 / perKey) : limitRanges(ranges, 12);
}
