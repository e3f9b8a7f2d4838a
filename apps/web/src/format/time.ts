import type { Locale } from "@lambda/contract/accounts";
import { serverDate, serverNow } from "../device/server-clock.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Like `toLocaleString`, but creates each formatter once: a list of 30 rows would block a phone for up to 70 ms. The time zone is part of
 * the key, because a device may travel while the page is open.
 */
function formatDate(date: Date, locale: Locale, options: Intl.DateTimeFormatOptions): string {
  const key = `${date.getTimezoneOffset()} ${locale} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format.format(date);
}

/** The language of the page, which the application and a friend's page of a plan both keep in its element. */
const pageLocale = () => document.documentElement.lang as Locale;

/** "2:05 PM". */
export function clockTime(iso: string, locale = pageLocale()): string {
  return formatDate(new Date(iso), locale, { hour: "numeric", minute: "2-digit" });
}

/** "2:05 AM GMT+1". */
export function clockTimeInZone(iso: string, locale = pageLocale()): string {
  return formatDate(new Date(iso), locale, { hour: "numeric", minute: "2-digit", timeZoneName: "short" });
}

/** For lists: "2:05 PM" today, "Tue" within a week, else "Nov 20". */
export function shortTime(iso: string, locale = pageLocale()): string {
  const date = new Date(iso);
  const age = serverNow() - date.getTime();
  if (date.toDateString() === serverDate().toDateString()) return clockTime(iso, locale);
  if (age < 6 * 86_400_000) return formatDate(date, locale, { weekday: "short" });
  return formatDate(date, locale, { day: "numeric", month: "short" });
}

/** "now", "5m ago", "2h ago", else "Tue", "Nov 20". */
export function timeAgo(iso: string, locale = pageLocale()): string {
  const minutes = Math.max(0, Math.floor((serverNow() - Date.parse(iso)) / 60_000));
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "narrow" });
  if (minutes < 1) return format.format(0, "second");
  if (minutes < 60) return format.format(-minutes, "minute");
  return minutes < 1440 ? format.format(-Math.floor(minutes / 60), "hour") : shortTime(iso, locale);
}

/** "Nov 27, 2:35 PM", for a time within a year. */
export function dayAndTime(iso: string, locale = pageLocale()): string {
  const parts = { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" } as const;
  return formatDate(new Date(iso), locale, parts);
}

/** "Nov 22, 2026, 2:35 PM", for a time in any year. */
export function dateAndTime(iso: string | number, locale = pageLocale()): string {
  return formatDate(new Date(iso), locale, { dateStyle: "medium", timeStyle: "short" });
}

/** "Today", "Yesterday", else "Thursday, November 20", with the year if it is not the current one. */
export function dayName(iso: string, words: { today: string; yesterday: string }, locale = pageLocale()): string {
  const date = new Date(iso);
  const now = serverDate();
  if (date.toDateString() === now.toDateString()) return words.today;
  now.setDate(now.getDate() - 1);
  if (date.toDateString() === now.toDateString()) return words.yesterday;
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: "numeric" as const };
  return formatDate(date, locale, { weekday: "long", day: "numeric", month: "long", ...year });
}

/** "14:05:12" if within two minutes, "14:05" today, "Tue 14:05" later. */
export function dueTime(ms: number, locale = pageLocale()): string {
  const date = new Date(ms);
  const soon = ms - serverNow() < 120_000;
  return formatDate(date, locale, {
    ...(date.toDateString() !== serverDate().toDateString() && { weekday: "short" }),
    hour: "numeric",
    minute: "2-digit",
    ...(soon && { second: "2-digit" }),
  });
}
