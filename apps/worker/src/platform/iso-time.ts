import { DAY_MS } from "@lambda/geo/time";

/** Formats epoch milliseconds as an ISO 8601 time. */
export function toIso(time: number): string {
  return new Date(time).toISOString();
}

export function toIsoOrNull(time: number | null): string | null {
  return time === null ? null : toIso(time);
}

/** The UTC day as YYYY-MM-DD. */
export function toIsoDate(time: number): string {
  return toIso(time).slice(0, 10);
}

/** The date of a day that is counted since 1970, as YYYY-MM-DD. */
export function dateOfDay(day: number): string {
  return toIsoDate(day * DAY_MS);
}
