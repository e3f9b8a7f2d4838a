/** Durations in milliseconds, and days as numbers. */
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The UTC day of a time, in days since 1970. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
