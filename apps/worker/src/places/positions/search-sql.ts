/**
 * The statements that read the presence index. Their texts are few and fixed, so that the database keeps them prepared:
 * ranges of the curve come as pairs of bound values, filled up with empty ones, in VALUES, which costs no row where
 * json_each costs one for each range.
 */

import type { KeyRange } from "@lambda/geo/cover";
import { notBlockedText } from "../../members/visibility/visibility.ts";
import type { Compiled } from "../../platform/db/batch.ts";

/** Who looks, where and when. */
export interface Onlooker {
  readonly brandBit: number;
  readonly profileId: number;
  readonly now: number;
}

/** What a member can narrow a search by. All of it is in presence. */
export interface SearchFilters {
  /** Bit set; all of them must match. */
  readonly characteristics?: number;
  /** Days since 1970: born on or before, and on or after. */
  readonly bornUntilDay?: number;
  readonly bornFromDay?: number;
  readonly hasPicture?: boolean;
  readonly seenSince?: number;
  /** Whom this member neither liked nor disliked. */
  readonly unjudgedBy?: number;
}

/** What a brief is made of. */
export interface FoundRow {
  readonly key: number;
  readonly profile_id: number;
  readonly random_order: number;
  readonly profile_name: string;
  readonly characteristics: number;
  readonly birth_day: number | null;
  readonly height: string;
  readonly weight: string;
  readonly pics_public: string;
  readonly ts_seen: number;
}

export const COLUMNS = `p.key, p.profile_id, p.random_order, p.profile_name, p.characteristics, p.birth_day, p.height,
  p.weight, p.pics_public, p.ts_seen`;

/** The only way a number gets into the text of these statements. */
export function int(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError("not an integer");
  return String(value);
}

/** Listed rows of the brand that are alive, are not himself, and have no block between, whoever made it. */
function visible(brandBit: number, now: string, me: string): string {
  return `p.brand = ${int(brandBit)} AND p.ts_effective_until > ${now} AND p.profile_id <> ${me}
    AND ${notBlockedText(me, "p.profile_id")}`;
}

/** The same rule with its values in the text, for a statement that binds none. */
export function visibleInPresence({ brandBit, profileId, now }: Onlooker): string {
  return visible(brandBit, int(now), int(profileId));
}

/** ?1 is the time, ?2 the onlooker. */
function seenBy({ brandBit }: Onlooker, keys: string): string {
  return `${keys} AND ${visible(brandBit, "?1", "?2")}`;
}

/** The filters as a condition on `p`; undefined without any. */
export function matching(filters: SearchFilters): string | undefined {
  const { characteristics, bornUntilDay, bornFromDay, hasPicture, seenSince, unjudgedBy } = filters;
  const conditions = [
    characteristics && `p.characteristics & ${int(characteristics)} = ${int(characteristics)}`,
    bornUntilDay !== undefined && `p.birth_day <= ${int(bornUntilDay)}`,
    bornFromDay !== undefined && `p.birth_day >= ${int(bornFromDay)}`,
    hasPicture && `p.pics_public <> '[]'`,
    seenSince !== undefined && `p.ts_seen >= ${int(seenSince)}`,
    unjudgedBy !== undefined &&
      `NOT EXISTS (SELECT 1 FROM profile_like l WHERE l.liker_id = ${int(unjudgedBy)} AND l.liked_id = p.profile_id
        AND l.like_type IN ('LIKE', 'DISLIKE'))`,
  ].filter((condition) => typeof condition === "string");
  // `IS TRUE`: an unknown birthdate matches no age, and must not make the sum of matches null.
  return conditions.length > 0 ? `(${conditions.join(" AND ")}) IS TRUE` : undefined;
}

export function isFiltered(filters: SearchFilters): boolean {
  return matching(filters) !== undefined;
}

/** Statements are made for these numbers of ranges; the last is what 100 bound values hold. */
const RANGE_COUNTS = [1, 2, 4, 8, 16, 32, 48];
/** The few covers that need more have their numbers in the text, within D1's 100 KB a statement. */
export const RANGES_MAX = 300;

export interface InRanges {
  /** At most RANGES_MAX. */
  readonly ranges: readonly KeyRange[];
  readonly filters?: SearchFilters;
  /** Paging along the curve: rows after this one only. */
  readonly after?: { readonly key: number; readonly profileId: number };
  readonly limit: number;
}

/** Members in some stretches of the curve, in its order. */
export function inRangesQuery(onlooker: Onlooker, { ranges, filters = {}, after, limit }: InRanges): Compiled {
  const match = matching(filters);
  const later = after && `(p.key > ${int(after.key)} OR p.profile_id > ${int(after.profileId)})`;
  const count = RANGE_COUNTS.find((most) => most >= ranges.length);
  const filled = Array.from({ length: count ?? 0 }, (_, index) => ranges[index] ?? { lo: 0, hi: 0 });
  const pairs = count
    ? filled.map((_, index) => `(?${3 + 2 * index}, ?${4 + 2 * index})`).join(",")
    : ranges.map(({ lo, hi }) => `(${int(lo)}, ${int(hi)})`).join(",");
  const sql = `WITH stretch(lo, hi) AS (VALUES ${pairs})
  SELECT ${COLUMNS} FROM stretch CROSS JOIN presence p
  WHERE stretch.lo < stretch.hi AND ${seenBy(onlooker, "p.key >= stretch.lo AND p.key < stretch.hi")}
  ${match ? `AND ${match}` : ""} ${later ? `AND ${later}` : ""} LIMIT ${int(limit)}`;
  return { sql, parameters: [onlooker.now, onlooker.profileId, ...filled.flatMap(({ lo, hi }) => [lo, hi])] };
}

/** The rows next to a place on the curve, at most `each` before it and `each` from it on; the curve keeps near what is near. */
export function neighboursOnCurveQuery(onlooker: Onlooker, key: number, each: number): Compiled {
  const side = (keys: string, order: string) =>
    `SELECT * FROM (SELECT ${COLUMNS} FROM presence p WHERE ${seenBy(onlooker, keys)} ORDER BY p.key ${order} LIMIT ${int(each)})`;
  return {
    sql: `${side("p.key >= ?3", "")} UNION ALL ${side("p.key < ?3", "DESC")}`,
    parameters: [onlooker.now, onlooker.profileId, key],
  };
}
