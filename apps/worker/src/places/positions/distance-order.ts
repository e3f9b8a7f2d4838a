/** The order of search results: by distance, and at equal distances by a random order that reveals neither id nor position. */
import { pointOfKey } from "@lambda/geo/curve";
import { distanceMeters, type Point } from "@lambda/geo/distance";
import type { NearestCursor } from "./cursor.ts";
import type { FoundRow } from "./statements.ts";

export interface FoundMember {
  readonly row: FoundRow;
  readonly meters: number;
}

export function sortByDistance(rows: readonly FoundRow[], center: Point): FoundMember[] {
  return rows.map((row) => ({ row, meters: distanceMeters(center, pointOfKey(row.key)) })).sort(byDistance);
}

function byDistance(a: FoundMember, b: FoundMember): number {
  return a.meters - b.meters || a.row.random_order - b.row.random_order || a.row.profile_id - b.row.profile_id;
}

export function isAfter({ meters, row }: FoundMember, cursor: NearestCursor): boolean {
  return meters > cursor.meters || (meters === cursor.meters && row.random_order > cursor.randomOrder);
}
