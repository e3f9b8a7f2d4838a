/**
 * Converts a row of the presence index to the brief that other members get: the allow-list of what a search reveals.
 */
import { ageAt, dayForAges } from "@lambda/contract/birthdate";
import { characteristicsFromBits } from "@lambda/contract/characteristics";
import { SEEN_ROUNDING_MS } from "@lambda/contract/limits";
import type { NearbyBrief } from "@lambda/contract/positions";
import { pointOfKey } from "@lambda/geo/curve";
import { distanceMeters, type Point } from "@lambda/geo/distance";
import { DAY_MS, dayOf } from "@lambda/geo/time";
import { toIso } from "../../platform/iso-time.ts";
import type { FoundRow } from "./statements.ts";

/** @param center the viewer's own published position, since distances are between what both members show; or null */
export function toBrief(row: FoundRow, center: Point | null, now: number): NearbyBrief {
  const point = pointOfKey(row.key);
  return {
    profileId: row.profile_id,
    // The real session number would let others tell the member's devices apart.
    session: 0,
    profileName: row.profile_name,
    profileAge: row.birth_day === null ? null : ageAt(new Date(row.birth_day * DAY_MS), now),
    profileChars: characteristicsFromBits(row.characteristics),
    profileWeight: row.weight,
    profileHeight: row.height,
    profilePicIds: JSON.parse(row.pics_public) as number[],
    lat: point.lat,
    lon: point.lon,
    tsUpdated: toIso(row.ts_seen - (row.ts_seen % SEEN_ROUNDING_MS)),
    distanceMeters: center ? Math.round(distanceMeters(center, point)) : null,
  };
}

/** The latest birthday (in days since 1970) of members who are at least `years` old at `now`. */
export function bornOnOrBefore(years: number, now: number): number {
  const today = dayForAges(now);
  const [year, month, day] = [today.getUTCFullYear() - years, today.getUTCMonth(), today.getUTCDate()];
  // February 29 does not exist in a common year: the last day of its month counts.
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month, Math.min(day, lastOfMonth)));
}
