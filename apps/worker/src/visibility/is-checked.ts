import { CHECK_BADGE_MS } from "@lambda/contract/limits";

/** The check is on where the member of this row of `person_check` is: not in a country that punishes, or chosen there. */
export const CHECK_ALLOWED = `(k.even_here = 1 OR NOT EXISTS (SELECT 1 FROM travel_stay y
  WHERE y.profile_id = k.profile_id AND y.ts_left IS NULL))`;

/**
 * Whether the member with this id has the badge at this time, both expressions of SQL, and a picture that was compared stands for them in lists.
 * Who may see the member is not checked.
 *
 * @param album in the member's own view another than in that of others
 */
export function isChecked(profileId: string, now: string, album = "shown.pics_public"): string {
  return `EXISTS (SELECT 1 FROM person_check k CROSS JOIN profile shown WHERE k.profile_id = ${profileId} AND shown.id = k.profile_id
    AND k.ts_checked > ${now} - ${CHECK_BADGE_MS} AND instr(k.compared, '"' || (${album} ->> 0) || ':') AND ${CHECK_ALLOWED})`;
}
