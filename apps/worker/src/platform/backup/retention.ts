/** How long backups are kept: nothing that a member deleted is in any of them after 30 days. */
import { DAY_MS } from "@lambda/contract/limits";
import { toIsoDate } from "../iso-time.ts";

export const COPIES_KEPT_DAYS = 30;
const DAILY_KEPT_DAYS = 14;
const SUNDAY = 0;

/** Daily backups are kept for two weeks, Sunday's for 30 days. */
export function isKept(day: string, now: number): boolean {
  const then = Date.parse(`${day}T00:00:00Z`);
  const days = Math.round((Date.parse(`${toIsoDate(now)}T00:00:00Z`) - then) / DAY_MS);
  if (days <= DAILY_KEPT_DAYS) return true;
  return days <= COPIES_KEPT_DAYS && new Date(then).getUTCDay() === SUNDAY;
}
