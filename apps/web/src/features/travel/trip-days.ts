import type { ComingMember } from "@lambda/contract/travel";

const DAY_MS = 86_400_000;
/** So far ahead the day of the week alone is clear. */
const WEEK_DAYS = 7;

/** A day as one says it: "Friday" within a week, else with its date. Days have no time zone. */
export function dayName(day: string, locale: string, today: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  const ahead = (at.getTime() - Date.parse(`${today}T00:00:00Z`)) / DAY_MS;
  const near = ahead >= 0 && ahead < WEEK_DAYS;
  return at.toLocaleDateString(locale, {
    timeZone: "UTC",
    ...(near ? { weekday: "long" } : { weekday: "short", day: "numeric", month: "short" }),
  });
}

/** The device's own date. */
export function todayHere(now = new Date()): string {
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** What matters of a trip on a day: when it begins, and once it has, when it ends. */
export function nextDay({ from, to }: Pick<ComingMember, "from" | "to">, today: string): ["from" | "until", string] {
  return from > today ? ["from", from] : ["until", to];
}
