import { HOUR_MS, MINUTE_MS } from "./limits.ts";

/** A wait in words: seconds below two minutes, minutes below two hours, then hours. Rounded up, so that it is over by then. */
export function waitText(seconds: number, locale: "en" | "es"): string {
  const [minute, hour] = [MINUTE_MS / 1000, HOUR_MS / 1000];
  const [unit, length] =
    seconds < 2 * minute
      ? (["second", 1] as const)
      : seconds < 2 * hour
        ? (["minute", minute] as const)
        : (["hour", hour] as const);
  const count = Math.max(1, Math.ceil(seconds / length));
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(count);
}
