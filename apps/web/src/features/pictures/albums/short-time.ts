import type { Locale } from "../../../format/i18n.ts";

/** "Nov 27, 2:35 PM": the day and time of an end. */
export function shortTime(iso: string, locale: Locale): string {
  return new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" }).format(
    new Date(iso),
  );
}
