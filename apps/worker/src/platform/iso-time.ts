import { DAY_MS } from "@lambda/geo/time";

/** Formats epoch milliseconds as an ISO 8601 time. */
export const toIso = (time: number): string => new Date(time).toISOString();

export const toIsoOrNull = (time: number | null): string | null => (time === null ? null : toIso(time));

export const toIsoDate = (time: number): string => toIso(time).slice(0, 10);

/** The date of a day that is counted since 1970, as YYYY-MM-DD. */
export const dateOfDay = (day: number): string => toIsoDate(day * DAY_MS);
