import type { Locale } from "@lambda/contract/accounts";
import { HOUR_MS, MINUTE_MS } from "@lambda/contract/limits";
import { clockTime, clockTimeInZone } from "../../format/time.ts";

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

/** The end to show as chosen: one that has passed meanwhile, as while the phone slept, becomes the first that is left. */
export function chosenEnd(ends: readonly { readonly value: string }[], chosen: string | undefined): string {
  const [first = { value: "" }] = ends;
  if (chosen !== undefined && chosen < first.value) return first.value;
  return ends.find(({ value }) => value === chosen)?.value ?? ends[HOURS_DEFAULT]?.value ?? first.value;
}
