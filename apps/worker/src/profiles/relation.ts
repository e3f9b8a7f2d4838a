/** The relation between the viewer and another member: likes, distance and shared health, read in one query. */
import { ONLINE_WITHIN_MS } from "@lambda/contract/limits";
import type { ProfileRelation } from "@lambda/contract/profiles";
import { type CurveKey, pointOfKey } from "@lambda/geo/curve";
import { distanceMeters } from "@lambda/geo/distance";
import type { Database } from "../platform/db/database.ts";
import { toIso } from "../platform/iso-time.ts";
import { type ViewerContext, visibleTo } from "../visibility/visibility.ts";
import { type HealthRow, sharedHealth } from "./health/rules.ts";
import { metBy } from "./met/queries.ts";

type RelationRow = NonNullable<Awaited<ReturnType<typeof findRelation>>>;

/** Undefined when the viewer may not see the member. Expired positions are left out. */
export function findRelation(db: Database, ctx: ViewerContext, id: number, now: number) {
  const me = ctx.viewer.profileId;
  return db
    .selectFrom("profile as p")
    .leftJoin("profile_like as mine", (join) => join.on("mine.liker_id", "=", me).onRef("mine.liked_id", "=", "p.id"))
    .leftJoin("profile_like as theirs", (join) =>
      join.onRef("theirs.liker_id", "=", "p.id").on("theirs.liked_id", "=", me),
    )
    .leftJoin("position as s", (join) => join.onRef("s.profile_id", "=", "p.id").on("s.ts_effective_until", ">", now))
    .leftJoin("health_panel as h", "h.profile_id", "p.id")
    .selectAll("h")
    .select(["p.id", "p.ts_seen", "mine.like_type as mine", "theirs.like_type as theirs", "s.key"])
    .select(metBy(me).as("metBy"))
    .where("p.id", "=", id)
    .where(visibleTo(ctx))
    .executeTakeFirst();
}

/** @param centerKey the published position that the distance is measured from */
export function toRelation(row: RelationRow, centerKey: CurveKey, now: number): ProfileRelation {
  const match = row.mine === "LIKE" && row.theirs === "LIKE";
  const point = row.key === null ? null : pointOfKey(row.key);
  return {
    profileId: row.id,
    likeType: row.mine,
    likesYou: row.theirs === "LIKE",
    match,
    metBy: row.metBy,
    online: now - row.ts_seen <= ONLINE_WITHIN_MS,
    tsSeen: toIso(row.ts_seen),
    distanceMeters: point && Math.round(distanceMeters(pointOfKey(centerKey), point)),
    lat: point?.lat ?? null,
    lon: point?.lon ?? null,
    health: sharedHealth(row.profile_id === null ? undefined : (row as HealthRow), match),
  };
}
