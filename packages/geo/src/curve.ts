/**
 * Encodes a published position as its index on a Hilbert curve over the globe, 26 bits per axis
 * (docs/decisions/2026-11-20-published-position-on-a-hilbert-curve.md). An axis unit is 1/131072 degree (0.85 m), counted from -180
 * and -90, so that a square of 1 degree (a sector), 2, 4, ... 32 degrees is exactly one key range.
 */
import type { Point } from "./distance.ts";

export const AXIS_BITS = 26;
export const UNITS_PER_DEGREE = 2 ** 17;
export const X_END = 360 * UNITS_PER_DEGREE;
export const Y_END = 180 * UNITS_PER_DEGREE;
export const KEY_END = 2 ** (2 * AXIS_BITS);
/** Keys in a square degree. */
export const KEYS_PER_SECTOR = UNITS_PER_DEGREE ** 2;

declare const CURVE_KEY: unique symbol;
/** A published position as its index on the curve. Bounds of key ranges are plain numbers. */
export type CurveKey = number & { readonly [CURVE_KEY]: true };

/** Brands a stored number as a key, unchecked. */
export const toCurveKey = (value: number) => value as CurveKey;

const HALF_BITS = AXIS_BITS / 2;
const HALF_KEY = 2 ** AXIS_BITS;

/** For each orientation of the curve: the i-th quadrant (2 * y + x) that it visits, and the orientation inside that quadrant. */
const QUADRANT = [
  [0, 2, 3, 1],
  [0, 1, 3, 2],
  [3, 1, 0, 2],
  [3, 2, 0, 1],
] as const;
const INNER_ORIENTATION = [
  [1, 0, 0, 3],
  [0, 1, 1, 2],
  [3, 2, 2, 1],
  [2, 3, 3, 0],
] as const;

/** The same as flat tables indexed by orientation * 4 + quadrant (or place), since the functions below run for every row of a response. */
const PLACE_OF = new Uint8Array(16);
const NEXT_BY_QUADRANT = new Uint8Array(16);
export const QUADRANT_OF = new Uint8Array(16);
export const NEXT_BY_PLACE = new Uint8Array(16);
for (let orientation = 0; orientation < 4; orientation += 1) {
  for (let place = 0; place < 4; place += 1) {
    const quadrant = QUADRANT[orientation]![place]!;
    const next = INNER_ORIENTATION[orientation]![place]!;
    PLACE_OF[orientation * 4 + quadrant] = place;
    NEXT_BY_QUADRANT[orientation * 4 + quadrant] = next;
    QUADRANT_OF[orientation * 4 + place] = quadrant;
    NEXT_BY_PLACE[orientation * 4 + place] = next;
  }
}

/** The key of a unit square; x and y are integers in [0, 2^26). */
export function keyOfUnits(x: number, y: number): CurveKey {
  let orientation = 0;
  let high = 0;
  let low = 0;
  for (let bit = AXIS_BITS - 1; bit >= 0; bit -= 1) {
    const index = orientation * 4 + ((y >> bit) & 1) * 2 + ((x >> bit) & 1);
    if (bit >= HALF_BITS) high = high * 4 + PLACE_OF[index]!;
    else low = low * 4 + PLACE_OF[index]!;
    orientation = NEXT_BY_QUADRANT[index]!;
  }
  return (high * HALF_KEY + low) as CurveKey;
}

export function unitsOfKey(key: number): { x: number; y: number } {
  const high = Math.floor(key / HALF_KEY);
  const low = key - high * HALF_KEY;
  let orientation = 0;
  let x = 0;
  let y = 0;
  for (let step = AXIS_BITS - 1; step >= 0; step -= 1) {
    const half = step >= HALF_BITS ? high : low;
    const index = orientation * 4 + ((half >> (2 * (step % HALF_BITS))) & 3);
    const quadrant = QUADRANT_OF[index]!;
    x = x * 2 + (quadrant & 1);
    y = y * 2 + (quadrant >> 1);
    orientation = NEXT_BY_PLACE[index]!;
  }
  return { x, y };
}

const clamp = (value: number, end: number) => Math.min(end - 1, Math.max(0, value));

function unitsOfPoint({ lat, lon }: Point): { x: number; y: number } {
  return {
    x: clamp(Math.floor((lon + 180) * UNITS_PER_DEGREE), X_END),
    y: clamp(Math.floor((lat + 90) * UNITS_PER_DEGREE), Y_END),
  };
}

export function keyOfPoint(point: Point): CurveKey {
  const { x, y } = unitsOfPoint(point);
  return keyOfUnits(x, y);
}

/** Six decimals (0.1 m) are finer than a curve unit, and what responses carry. */
const round6 = (degrees: number) => Math.round(degrees * 1e6) / 1e6;

/** The center of the key's unit square. All distances shown to members are measured between such points. */
export function pointOfKey(key: CurveKey): Point {
  const { x, y } = unitsOfKey(key);
  return { lat: round6((y + 0.5) / UNITS_PER_DEGREE - 90), lon: round6((x + 0.5) / UNITS_PER_DEGREE - 180) };
}

/** The half-open key range of the aligned square of 2^bits units that contains a unit square. */
export function keysOfSquare(x: number, y: number, bits: number): { lo: number; hi: number } {
  const span = 4 ** bits;
  const lo = Math.floor(keyOfUnits(x, y) / span) * span;
  return { lo, hi: lo + span };
}
