/** The end of a site, which its operator announces (docs/OPERATIONS.md, Closing down). */
import { DAY_MS } from "./limits.ts";

/** How long members have to download their data, from the first minute that the site says so. */
export const CLOSING_NOTICE_MS = 30 * DAY_MS;

/** The start of the day after which everything is erased, as milliseconds; undefined for "". Throws if the text is no day. */
export function parseClosingDay(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text)
    throw new Error(`CLOSING_ON is "${text}": write a day as 2026-12-31`);
  return time;
}
