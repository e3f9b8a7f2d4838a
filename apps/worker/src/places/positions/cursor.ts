/** The contents of search cursors. They leave the site only encrypted. */
import { decodeBase64Url } from "../../platform/base64url.ts";
import { decrypt, encrypt, IV_BYTES } from "../../platform/encryption.ts";
import { AppError } from "../../platform/errors.ts";
import { type Keys, mac } from "../../platform/keys.ts";

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

/**
 * Cursors are encrypted before they leave the site, authenticated for one member and one search. Nobody else can read their content (the
 * curve position and random order of the last member), and a forged cursor never reaches a search.
 */
const KEY_LABEL = "cursor";

/** The member and the search that a cursor is valid for. */
interface CursorScope {
  readonly env: Keys;
  readonly profileId: number;
  /** All parameters of the search except the page. */
  readonly search: object;
}

const contextOf = ({ profileId, search }: CursorScope) => `${profileId}:${JSON.stringify(search)}`;

export function encryptCursor(scope: CursorScope, cursor: string): string {
  const context = contextOf(scope);
  // Derived from the content, so that the same page gives the same bytes, and from the key, so that it reveals nothing of the content.
  const iv = mac(scope.env, "cursor-iv", context, ":", cursor).subarray(0, IV_BYTES);
  return encrypt(scope.env, KEY_LABEL, cursor, { context, iv }).toString("base64url");
}

/** Throws BAD_INPUT for a cursor that was not issued to this member for this search. */
export function decryptCursor(scope: CursorScope, encrypted: string, field = "cursor"): string {
  try {
    return decrypt(scope.env, KEY_LABEL, decodeBase64Url(encrypted), { context: contextOf(scope) }).toString();
  } catch {
    throw new AppError("BAD_INPUT", { field, message: `${field}: is not one that was given out` });
  }
}
