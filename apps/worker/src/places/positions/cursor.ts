/** The contents of search cursors. They leave the site only encrypted (cursor-encryption.ts). */
import { decodeBase64Url } from "../../platform/base64url.ts";
import { AppError } from "../../platform/errors.ts";

export interface NearestCursor {
  /** Distance and random order of the last member returned. */
  readonly meters: number;
  readonly randomOrder: number;
  /** Hints for the next page, never needed for exactness: the density of members, and how many of them there are per match. */
  readonly membersPerSquareMeter: number;
  readonly membersPerMatch: number;
}

function invalidCursor(): AppError {
  return new AppError("BAD_INPUT", { field: "cursor", message: "cursor: is not one that was given out" });
}

function encode(numbers: readonly number[]): string {
  return Buffer.from(new Float64Array(numbers).buffer).toString("base64url");
}

function decode(cursor: string, count: number): number[] {
  if (cursor.length !== Math.ceil((count * 8 * 4) / 3) || !/^[\w-]+$/.test(cursor)) throw invalidCursor();
  const numbers = [...new Float64Array(decodeBase64Url(cursor).buffer)];
  if (!numbers.every((number) => Number.isFinite(number) && number >= 0)) throw invalidCursor();
  return numbers;
}

export function encodeNearestCursor(cursor: NearestCursor): string {
  return encode([cursor.meters, cursor.randomOrder, cursor.membersPerSquareMeter, cursor.membersPerMatch]);
}

/** Throws BAD_INPUT. */
export function decodeNearestCursor(text: string): NearestCursor {
  const [meters, randomOrder, density, perMatch] = decode(text, 4) as [number, number, number, number];
  return {
    meters,
    randomOrder,
    membersPerSquareMeter: Math.min(1e3, Math.max(1e-16, density)),
    membersPerMatch: Math.min(1e7, Math.max(1, perMatch)),
  };
}

/** The last row returned, for pages along the curve. */
export interface CurveCursor {
  readonly key: number;
  readonly profileId: number;
}

export const encodeCurveCursor = ({ key, profileId }: CurveCursor): string => encode([key, profileId]);

export function decodeCurveCursor(text: string): CurveCursor {
  const [key, profileId] = decode(text, 2) as [number, number];
  if (!Number.isSafeInteger(key) || !Number.isSafeInteger(profileId)) {
    throw invalidCursor();
  }
  return { key, profileId };
}
