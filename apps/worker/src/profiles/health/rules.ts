import type { Audience, HealthPanel, SharedHealth } from "@lambda/contract/health";
import { AUDIENCES, HEALTH_FIELDS, type HealthField } from "@lambda/contract/health-fields";
import { HOUR_MS } from "@lambda/contract/limits";
import type { Selectable } from "kysely";
import type { HealthPanelTable } from "../../platform/db/tables.ts";
import { toIsoDate } from "../../platform/iso-time.ts";

export type HealthRow = Selectable<HealthPanelTable>;

export function parseAudiences(json: string): HealthPanel["audiences"] {
  const chosen = JSON.parse(json) as Partial<Record<HealthField, Audience>>;
  return Object.fromEntries(
    HEALTH_FIELDS.map((field) => [field, chosen[field] ?? "nobody"]),
  ) as HealthPanel["audiences"];
}

/** The fields that more members than before may read, with their audiences before; undefined if there are none. */
export function widenedAudiences(
  before: HealthPanel["audiences"],
  changes: Partial<HealthPanel["audiences"]>,
): Partial<HealthPanel["audiences"]> | undefined {
  const isWider = (field: HealthField) =>
    AUDIENCES.indexOf(changes[field] ?? "nobody") > AUDIENCES.indexOf(before[field]);
  const fields = HEALTH_FIELDS.filter(isWider);
  return fields.length === 0 ? undefined : Object.fromEntries(fields.map((field) => [field, before[field]]));
}

/** What another member who may see the profile reads: the fields that are open to them and not empty. */
export function sharedHealth(row: HealthRow | undefined, match: boolean): SharedHealth {
  if (!row) return {};
  const audiences = parseAudiences(row.audiences);
  const open = (field: HealthField) => audiences[field] === "members" || (audiences[field] === "matches" && match);
  const vaccines = JSON.parse(row.vaccines) as SharedHealth["vaccines"] & object;
  return {
    ...(open("hivStatus") && row.hiv_status !== null && { hivStatus: row.hiv_status }),
    ...(open("prep") && row.prep !== null && { prep: row.prep }),
    ...(open("doxyPep") && row.doxy_pep !== null && { doxyPep: row.doxy_pep }),
    ...(open("vaccines") && vaccines.length > 0 && { vaccines }),
    ...(open("lastTest") && row.last_test !== null && { lastTestMonth: row.last_test.slice(0, 7) }),
  };
}

/** The time zone that is furthest ahead, where a day begins first. */
const FURTHEST_ZONE_MS = 14 * HOUR_MS;

/** Whether a day has not begun anywhere yet. The member's own day may be tomorrow's in UTC. */
export const isFutureDay = (day: string, now: number) => day > toIsoDate(now + FURTHEST_ZONE_MS);

/**
 * When the next reminder is due: the given number of months after the last test, or after now if that is past or there was no test. Counts
 * calendar months in UTC, and uses the last day of a shorter month.
 */
export function nextReminder(lastTest: string | null, months: number, now: number): number | null {
  if (months === 0) return null;
  const fromTest = lastTest === null ? Number.NaN : addMonths(Date.parse(`${lastTest}T12:00:00Z`), months);
  return fromTest > now ? fromTest : addMonths(now, months);
}

function addMonths(ts: number, months: number): number {
  const date = new Date(ts);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}
