/**
 * Distances to given members, for lists that are not searches: from published positions of both, with an allow-list of
 * what is revealed.
 */
import type { MemberDistance } from "@lambda/contract/positions";
import { type CurveKey, pointOfKey } from "@lambda/geo/curve";
import { distanceMeters, type Point } from "@lambda/geo/distance";
import { type Database, valuesOf } from "../../platform/db/database.ts";
import { type ViewerContext, visibleTo } from "../../visibility/visibility.ts";

interface PublishedRow {
  readonly profile_id: number;
  readonly key: CurveKey;
}

/** The published positions of those members whom the viewer may see and whose position has not expired. */
export function listPublishedPositions(
  db: Database,
  viewerContext: ViewerContext,
  profileIds: readonly number[],
  now: number,
): Promise<PublishedRow[]> {
  // Cross joins keep the order: the planner would otherwise begin with an index of all unexpired positions.
  return db
    .selectFrom(valuesOf(profileIds, "asked"))
    .crossJoin("position as s")
    .crossJoin("profile as p")
    .select(["s.profile_id", "s.key"])
    .whereRef("s.profile_id", "=", "asked.column1")
    .whereRef("p.id", "=", "asked.column1")
    .where("s.ts_effective_until", ">", now)
    .where(visibleTo(viewerContext))
    .execute();
}

/** @param center the viewer's own published position */
export function toMemberDistance({ profile_id, key }: PublishedRow, center: Point): MemberDistance {
  return { profileId: profile_id, distanceMeters: Math.round(distanceMeters(center, pointOfKey(key))) };
}
