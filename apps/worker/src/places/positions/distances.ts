/** How far some members are, for lists that are not searches: published positions of both sides, and the allow-list of what is told. */
import type { MemberDistance } from "@lambda/contract/positions";
import type { CurveKey } from "@lambda/geo/curve";
import { pointOfKey } from "@lambda/geo/curve";
import { distanceMeters, type Point } from "@lambda/geo/distance";
import { type Onlooker, visibleTo } from "../../members/visibility/visibility.ts";
import { valuesOf } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";

interface PublishedRow {
  readonly profile_id: number;
  readonly key: CurveKey;
}

/** Where those of the members are who may be seen and whose position is alive; the others are left out. */
export function listPublished(
  db: Database,
  onlooker: Onlooker,
  profileIds: readonly number[],
  now: number,
): Promise<PublishedRow[]> {
  // The cross joins keep the order: by an index of positions the planner would begin with everyone whose position is alive.
  return db
    .selectFrom(valuesOf(profileIds, "asked"))
    .crossJoin("position as s")
    .crossJoin("profile as p")
    .select(["s.profile_id", "s.key"])
    .whereRef("s.profile_id", "=", "asked.column1")
    .whereRef("p.id", "=", "asked.column1")
    .where("s.ts_effective_until", ">", now)
    .where(visibleTo(onlooker))
    .execute();
}

/** @param centre the viewer's own published position */
export function toMemberDistance({ profile_id, key }: PublishedRow, centre: Point): MemberDistance {
  return { profileId: profile_id, distanceMeters: Math.round(distanceMeters(centre, pointOfKey(key))) };
}
