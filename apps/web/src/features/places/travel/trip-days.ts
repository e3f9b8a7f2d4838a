import { DAY_MS } from "@lambda/contract/limits";
import type { VisitingMember } from "@lambda/contract/travel";

/** Within this many days, the weekday alone is unambiguous. */
const WEEK_DAYS = 7;

/** "Friday" within a week, otherwise with the date. Days have no time zone. */
export function formatTripDay(day: string, locale: string, today: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const ahead = (date.getTime() - Date.parse(`${today}T00:00:00Z`)) / DAY_MS;
  const isWithinWeek = ahead >= 0 && ahead < WEEK_DAYS;
  return date.toLocaleDateString(locale, {
    timeZone: "UTC",
    ...(isWithinWeek ? { weekday: "long" } : { weekday: "short", day: "numeric", month: "short" }),
  });
}

/** The trip's next date: its start, or its end once it has started. */
export function nextTripDate(
  { from, to }: Pick<VisitingMember, "from" | "to">,
  today: string,
): ["from" | "until", string] {
  return from > today ? ["from", from] : ["until", to];
}
