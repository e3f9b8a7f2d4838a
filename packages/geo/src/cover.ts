/**
 * Covers a shape on the globe with key ranges of the curve. Each range costs one extra row read (the row that ends it), while
 * skipping a gap saves the rows inside it: small gaps are therefore bridged and only large ones skipped.
 */
import { AXIS_BITS, NEXT_BY_PLACE, QUADRANT_OF, UNITS_PER_DEGREE, X_END, Y_END } from "./curve.ts";
import { type Bounds, EARTH_RADIUS_METERS, METERS_PER_DEGREE, type Point } from "./distance.ts";

/** Half open: lo <= key < hi. */
export interface KeyRange {
  readonly lo: number;
  readonly hi: number;
}

/** How a square of the quadtree relates to a shape. */
export type Overlap = "outside" | "inside" | "partial";

/** A shape is a function that classifies squares of units [x, x + size) x [y, y + size). */
export type Shape = (x: number, y: number, size: number) => Overlap;

/**
 * The key ranges of all squares that touch a shape, in curve order.
 *
 * @param finestBits squares of 2^finestBits units are not divided further
 * @param isFineEnough stops dividing a square early, given its key range
 */
export function coverShape(shape: Shape, finestBits: number, isFineEnough?: (square: KeyRange) => boolean): KeyRange[] {
  const ranges: { lo: number; hi: number }[] = [];
  const visit = (x: number, y: number, bits: number, lo: number, orientation: number): void => {
    const size = 2 ** bits;
    if (x >= X_END || y >= Y_END) return;
    const overlap = shape(x, y, size);
    if (overlap === "outside") return;
    if (overlap === "inside" || bits <= finestBits || isFineEnough?.({ lo, hi: lo + size * size })) {
      const last = ranges[ranges.length - 1];
      if (last && last.hi === lo) last.hi = lo + size * size;
      else ranges.push({ lo, hi: lo + size * size });
      return;
    }
    const half = size / 2;
    for (let place = 0; place < 4; place += 1) {
      const quadrant = QUADRANT_OF[orientation * 4 + place]!;
      const next = NEXT_BY_PLACE[orientation * 4 + place]!;
      visit(x + (quadrant & 1) * half, y + (quadrant >> 1) * half, bits - 1, lo + place * half * half, next);
    }
  };
  visit(0, 0, AXIS_BITS, 0, 0);
  return ranges;
}

/** Bridges every gap below `span` keys: with about one member in that many keys, reading through it is cheaper than a seek. */
export function bridgeGaps(ranges: readonly KeyRange[], span: number): KeyRange[] {
  return bridgeGapsWhere(ranges, ({ lo, hi }) => hi - lo < span);
}

export function bridgeGapsWhere(ranges: readonly KeyRange[], isBridged: (gap: KeyRange) => boolean): KeyRange[] {
  const merged: { lo: number; hi: number }[] = [];
  for (const range of ranges) {
    const last = merged[merged.length - 1];
    if (last && isBridged({ lo: last.hi, hi: range.lo })) last.hi = range.hi;
    else merged.push({ ...range });
  }
  return merged;
}

/** Reduces to at most `count` ranges by keeping only the largest gaps, which minimizes the keys to read. */
export function limitRanges(ranges: readonly KeyRange[], count: number): KeyRange[] {
  if (ranges.length <= count) return [...ranges];
  const gaps = ranges.slice(1).map((range, index) => range.lo - ranges[index]!.hi);
  const largestBridged = [...gaps].sort((a, b) => b - a)[count - 1]!;
  return bridgeGaps(ranges, largestBridged + 1);
}

/** `ranges` without the keys of `holes`; both in curve order. */
export function subtractRanges(ranges: readonly KeyRange[], holes: readonly KeyRange[]): KeyRange[] {
  let remaining = [...ranges];
  for (const hole of holes) {
    remaining = remaining.flatMap((range) =>
      range.hi <= hole.lo || range.lo >= hole.hi
        ? [range]
        : [
            { lo: range.lo, hi: hole.lo },
            { lo: hole.hi, hi: range.hi },
          ].filter((part) => part.lo < part.hi),
    );
  }
  return remaining;
}

export function countKeys(ranges: readonly KeyRange[]): number {
  return ranges.reduce((sum, range) => sum + range.hi - range.lo, 0);
}

// ------------------------------------------------------------------------------------------------ circles

const RADIANS = Math.PI / 180;
export const HALF_CIRCUMFERENCE_METERS = 180 * METERS_PER_DEGREE;

/** Great-circle distance in meters from a point to a box that does not cross the date line; 0 inside. Exact on the sphere. */
export function metersToBox(point: Point, lat0: number, lat1: number, lon0: number, lon1: number): number {
  const { lat, lon } = point;
  if (lon >= lon0 && lon <= lon1) {
    return Math.max(lat0 - lat, lat - lat1, 0) * METERS_PER_DEGREE;
  }
  // Outside the box's longitudes, the nearest point is on the nearer meridian: the foot of the perpendicular, or a corner.
  const degreesTo = (edge: number) => {
    const difference = Math.abs(lon - edge) % 360;
    return Math.min(difference, 360 - difference);
  };
  const deltaLon = Math.min(degreesTo(lon0), degreesTo(lon1)) * RADIANS;
  const phi = lat * RADIANS;
  const cosPhi = Math.cos(phi);
  const sinPhi = Math.sin(phi);
  const cosDeltaLon = Math.cos(deltaLon);
  const cosineTo = (edgeLat: number) => sinPhi * Math.sin(edgeLat) + cosPhi * Math.cos(edgeLat) * cosDeltaLon;
  let cosine = Math.max(cosineTo(lat0 * RADIANS), cosineTo(lat1 * RADIANS));
  let foot = lat0;
  if (deltaLon < Math.PI / 2) {
    foot = Math.atan2(sinPhi, cosPhi * cosDeltaLon) / RADIANS;
    if (foot > lat0 && foot < lat1) cosine = Math.max(cosine, cosineTo(foot * RADIANS));
  }
  if (cosine < 0.999_999) return Math.acos(Math.max(-1, cosine)) * EARTH_RADIUS_METERS;
  // The arc cosine is imprecise at short distances, so use haversine for the same candidates.
  const haversineTo = (edgeLat: number) => {
    const halfLat = Math.sin(((edgeLat - lat) * RADIANS) / 2);
    const halfLon = Math.sin(deltaLon / 2);
    const square = halfLat * halfLat + cosPhi * Math.cos(edgeLat * RADIANS) * halfLon * halfLon;
    return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(square)));
  };
  const best = Math.min(haversineTo(lat0), haversineTo(lat1));
  return foot > lat0 && foot < lat1 ? Math.min(best, haversineTo(foot)) : best;
}

/** Absorbs rounding errors: a cover may be slightly too large, never too small. */
const SLACK_METERS = 2;

/** All points between two distances in meters from a center; with `inner` 0 it is a disc. */
export function ringShape(center: Point, inner: number, outer: number): Shape {
  const antipode = { lat: -center.lat, lon: center.lon > 0 ? center.lon - 180 : center.lon + 180 };
  return (x, y, size) => {
    if (size > X_END) return "partial";
    const lat0 = y / UNITS_PER_DEGREE - 90;
    const lon0 = x / UNITS_PER_DEGREE - 180;
    const side = size / UNITS_PER_DEGREE;
    const nearest = metersToBox(center, lat0, Math.min(90, lat0 + side), lon0, Math.min(180, lon0 + side));
    if (nearest > outer + SLACK_METERS) return "outside";
    const farthest =
      HALF_CIRCUMFERENCE_METERS -
      metersToBox(antipode, lat0, Math.min(90, lat0 + side), lon0, Math.min(180, lon0 + side));
    if (farthest < inner - SLACK_METERS) return "outside";
    return farthest <= outer - SLACK_METERS && nearest >= inner + SLACK_METERS ? "inside" : "partial";
  };
}

/** Area in square meters of a disc on the sphere; `discRadius` is the inverse. */
export function discArea(radius: number): number {
  return (
    2 *
    Math.PI *
    EARTH_RADIUS_METERS ** 2 *
    (1 - Math.cos(Math.min(radius, HALF_CIRCUMFERENCE_METERS) / EARTH_RADIUS_METERS))
  );
}
export function discRadius(area: number): number {
  return EARTH_RADIUS_METERS * Math.acos(Math.max(-1, 1 - area / (2 * Math.PI * EARTH_RADIUS_METERS ** 2)));
}

/** Keys per square meter at a latitude: keys count squares of degrees, which shrink toward the poles. */
export function keysPerSquareMeter(lat: number): number {
  const unit = METERS_PER_DEGREE / UNITS_PER_DEGREE;
  return 1 / (unit * unit * Math.max(0.01, Math.cos(lat * RADIANS)));
}

// ------------------------------------------------------------------------------------------------ boxes

/** Half-open box in curve units. */
export interface UnitBox {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

/** Bounds as boxes of curve units, rounded outward; two when the bounds cross the date line. */
export function unitBoxesOfBounds(bounds: Bounds): UnitBox[] {
  const units = (degrees: number) => degrees * UNITS_PER_DEGREE;
  const y0 = Math.max(0, Math.floor(units(bounds.latMin + 90)) - 1);
  const y1 = Math.min(Y_END, Math.ceil(units(bounds.latMax + 90)) + 1);
  const strips =
    bounds.lonMin <= bounds.lonMax
      ? [[bounds.lonMin, bounds.lonMax] as const]
      : [[bounds.lonMin, 180] as const, [-180, bounds.lonMax] as const];
  return strips.map(([west, east]) => ({
    x0: Math.max(0, Math.floor(units(west + 180)) - 1),
    x1: Math.min(X_END, Math.ceil(units(east + 180)) + 1),
    y0,
    y1,
  }));
}

export function boxesShape(list: readonly UnitBox[]): Shape {
  return (x, y, size) => {
    let touches = false;
    for (const { x0, x1, y0, y1 } of list) {
      if (x >= x1 || y >= y1 || x + size <= x0 || y + size <= y0) continue;
      if (x >= x0 && y >= y0 && x + size <= x1 && y + size <= y1) return "inside";
      touches = true;
    }
    return touches ? "partial" : "outside";
  };
}

export function isWithinBounds({ lat, lon }: Point, bounds: Bounds): boolean {
  if (lat < bounds.latMin || lat > bounds.latMax) return false;
  return bounds.lonMin <= bounds.lonMax
    ? lon >= bounds.lonMin && lon <= bounds.lonMax
    : lon >= bounds.lonMin || lon <= bounds.lonMax;
}
