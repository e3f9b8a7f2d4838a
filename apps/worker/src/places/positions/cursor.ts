/** What cursors hold. It leaves the site sealed alone (sealed-cursor.ts). */
import { AppError } from "../../platform/errors.ts";

export interface NearestCursor {
  /** Distance and tie key of the last member handed out. */
  readonly meters: number;
  readonly randomOrder: number;
  /** What to expect beyond: in how large an area the next page lies, by its members, and how many rows one match cost.
   * Hints, never needed for exactness. */
  readonly matchesPerSquareMeter: number;
  readonly seenForMatch: number;
}

function encode(numbers: readonly number[]): string {
  const bytes = new Uint8Array(new Float64Array(numbers).buffer);
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
}

function decode(cursor: string, count: number): number[] {
  const bad = () => new AppError("BAD_INPUT", { field: "cursor", message: "cursor: is not one that was given out" });
  if (cursor.length !== Math.ceil((count * 8 * 4) / 3) || !/^[\w-]+$/.test(cursor)) throw bad();
  const binary = atob(cursor.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const numbers = [...new Float64Array(bytes.buffer)];
  if (!numbers.every((number) => Number.isFinite(number) && number >= 0)) throw bad();
  return numbers;
}

export function encodeNearestCursor(cursor: NearestCursor): string {
  return encode([cursor.meters, cursor.randomOrder, cursor.matchesPerSquareMeter, cursor.seenForMatch]);
}

/** Throws BAD_INPUT. */
export function decodeNearestCursor(text: string): NearestCursor {
  const [meters, randomOrder, density, seen] = decode(text, 4) as [number, number, number, number];
  return {
    meters,
    randomOrder,
    matchesPerSquareMeter: Math.min(1e3, Math.max(1e-16, density)),
    seenForMatch: Math.min(1e7, Math.max(1, seen)),
  };
}

/** Paging along the curve: the last row handed out. */
export interface CurveCursor {
  readonly key: number;
  readonly profileId: number;
}

export function encodeCurveCursor({ key, profileId }: CurveCursor): string {
  return encode([key, profileId]);
}

export function decodeCurveCursor(text: string): CurveCursor {
  const [key, profileId] = decode(text, 2) as [number, number];
  if (!Number.isSafeInteger(key) || !Number.isSafeInteger(profileId)) {
    throw new AppError("BAD_INPUT", { field: "cursor", message: "cursor: is not one that was given out" });
  }
  return { key, profileId };
}
