/** The filters of a search. They are applied to rows that were read by place, because few indexes could serve them all. */
import type { FoundRow } from "./statements.ts";

export interface SearchFilters {
  /** Bit set; all of them must match. */
  readonly characteristics?: number;
  /** Days since 1970: born on or before, and on or after. */
  readonly bornUntilDay?: number;
  readonly bornFromDay?: number;
  readonly hasPicture?: boolean;
  readonly seenSince?: number;
  /** Only members whom the searcher neither liked nor disliked. */
  readonly unjudged?: boolean;
  /** Only members who are out tonight. */
  readonly tonight?: boolean;
  /** Only members with the badge. */
  readonly checked?: boolean;
  readonly newHere?: boolean;
  /** Only members to whom the searcher never wrote. */
  readonly notTalkedTo?: boolean;
}

export const hasFilters = (filters: SearchFilters): boolean => Object.values(filters).some(Boolean);

/** An unknown birthdate matches no age. */
export function matchesFilters(row: FoundRow, filters: SearchFilters): boolean {
  const { characteristics, bornUntilDay, bornFromDay, hasPicture, seenSince, unjudged, tonight, checked } = filters;
  const { newHere, notTalkedTo } = filters;
  return (
    (!characteristics || holdsAll(row.characteristics, characteristics)) &&
    (bornUntilDay === undefined || (row.birth_day !== null && row.birth_day <= bornUntilDay)) &&
    (bornFromDay === undefined || (row.birth_day !== null && row.birth_day >= bornFromDay)) &&
    (!hasPicture || row.pics_public !== "[]") &&
    (seenSince === undefined || row.ts_seen >= seenSince) &&
    (!unjudged || row.unjudged === 1) &&
    (!tonight || row.tonight === 1) &&
    (!checked || row.checked === 1) &&
    (!newHere || row.new_here === 1) &&
    (!notTalkedTo || row.untalked === 1)
  );
}

/** Bit sets have more bits than JavaScript's operators. */
const holdsAll = (bits: number, wanted: number): boolean => (BigInt(bits) & BigInt(wanted)) === BigInt(wanted);
