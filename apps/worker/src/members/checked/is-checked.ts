import { CHECK_BADGE_MS } from "@lambda/contract/limits";

/** The check is on where the member of this row of `person_check` is: not in a country that punishes, or chosen there. */
export const CHECK_ALLOWED = `(k.even_here = 1 OR NOT EXISTS (SELECT 1 FROM travel_stay y
  WHERE y.profile_id = k.profile_id AND y.ts_left IS NULL))`;

/** Whether the member with this id has the badge at this time, both expressions of SQL. Who may see the member is not checked. */
export function isChecked(profileId: string, now: string): string {
  return `EXISTS (SELECT 1 FROM person_check k WHERE k.profile_id = ${profileId}
    AND k.ts_checked > ${now} - ${CHECK_BADGE_MS} AND ${CHECK_ALLOWED})`;
}
