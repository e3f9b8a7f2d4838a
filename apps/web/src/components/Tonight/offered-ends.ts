import type { Locale } from "@lambda/contract/accounts";
import { HOUR_MS, MINUTE_MS } from "@lambda/contract/limits";
import { clockTime, clockTimeInZone } from "../../format/time.ts";
import { EVENING_FROM, NIGHT_UNTIL } from "./day-part.ts";

const HOURS_OFFERED = 11;
const HOURS_DEFAULT = 3;

/** The full hours on the member's clock, which Kathmandu has at a quarter past ours, until which one can be out. An hour that comes twice, when summer time ends, is told with its time zone. */
export function offeredEnds(now: number, locale: Locale): { readonly value: string; readonly label: string }[] {
  const zoneMs = new Date(now).getTimezoneOffset() * MINUTE_MS;
  const next = Math.ceil((now - zoneMs) / HOUR_MS) * HOUR_MS + zoneMs;
  const ends = Array.from({ length: HOURS_OFFERED }, (_, hours) => new Date(next + hours * HOUR_MS).toISOString());
  const labels = ends.map((end) => clockTime(end, locale));
  const isTwice = (label: string | undefined) => labels.filter((other) => other === label).length > 1;
  return ends.map((value, at) => ({
    value,
    label: isTwice(labels[at]) ? clockTimeInZone(value, locale) : (labels[at] ?? ""),
  }));
}

/** The end to show as chosen, if none was: in three hours, of an evening at 1 AM at the earliest. One that has passed meanwhile, as while the phone slept, becomes the first that is left. */
export function chosenEnd(ends: readonly { readonly value: string }[], chosen: string | undefined): string {
  const [first = { value: "" }] = ends;
  if (chosen !== undefined && chosen < first.value) return first.value;
  const usual = ends.slice(HOURS_DEFAULT);
  const isEvening = new Date(first.value).getHours() > EVENING_FROM;
  const late =
    isEvening && usual.find(({ value }) => new Date(value).getHours() < NIGHT_UNTIL && new Date(value).getHours() > 0);
  return ends.find(({ value }) => value === chosen)?.value ?? (late || usual[0])?.value ?? first.value;
}
