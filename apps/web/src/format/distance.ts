import { deviceKey, readDeviceValue, useDeviceValue } from "../device/device-storage.ts";
import { currentLocale } from "./i18n.ts";

export type Units = "miles" | "kilometres";

export const METERS_PER_FOOT = 0.3048;
export const METERS_PER_MILE = 1609.344;
export const METERS_PER_KILOMETER = 1000;
const FEET_PER_MILE = 5280;

/** The unit in which this device shows distances; null follows the region. */
const UNITS = deviceKey<Units | null>("units", null, (value) => value === "miles" || value === "kilometres");

const REGIONS_WITH_MILES: readonly (string | undefined)[] = ["US", "GB"];

/** The part of a language tag that names a region. Browsers also name none, "en_US" or "en-US@posix", which Intl refuses. */
const REGIONAL_TAG = /^[a-z]{2,3}(?:[-_][a-z]{4})?(?:[-_](?:[a-z]{2}|\d{3}))?(?![a-z\d])/i;

/** Miles in the United States and Great Britain, by the language tag of the browser. */
export function regionalUnits(language: string | undefined): Units {
  const tag = REGIONAL_TAG.exec(language ?? "")?.[0].replaceAll("_", "-");
  return tag && REGIONS_WITH_MILES.includes(new Intl.Locale(tag).maximize().region) ? "miles" : "kilometres";
}

const readUnits = (): Units => readDeviceValue(UNITS) ?? regionalUnits(navigator.language);

export function useUnits(): readonly [Units, (units: Units) => void] {
  const [chosen, choose] = useDeviceValue(UNITS);
  return [chosen ?? regionalUnits(navigator.language), choose];
}

export const formatNumber = (value: number, digits = 0) =>
  value.toLocaleString(currentLocale(), { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Formats a search radius with at most one decimal: "1 mi", "2.5 km". */
export function formatRadius(meters: number, units: Units): string {
  const amount = meters / (units === "miles" ? METERS_PER_MILE : METERS_PER_KILOMETER);
  const shown = amount.toLocaleString(currentLocale(), { maximumFractionDigits: 1 });
  return `${shown} ${units === "miles" ? "mi" : "km"}`;
}

/** Members are shown somewhere in a cell of about 550 m, so finer steps would be false precision that looks like a leak. */
const STEP_METERS = 100;

/** The one rounding of a distance to a member: tenths of a mile or 100 m, from ten miles or kilometers on whole ones. Below a mile in feet. */
export function formatDistance(meters: number, units: Units = readUnits()): string {
  if (units === "kilometres" && meters < 950) {
    const steps = Math.round(meters / STEP_METERS) * STEP_METERS;
    return steps === 0 ? `< ${STEP_METERS} m` : `${formatNumber(steps)} m`;
  }
  const amount = meters / (units === "miles" ? METERS_PER_MILE : METERS_PER_KILOMETER);
  const rounded = amount < 9.95 ? Math.round(amount * 10) / 10 : Math.round(amount);
  if (units === "kilometres") return `${formatNumber(rounded, amount < 9.95 ? 1 : 0)} km`;
  if (rounded === 0) return `< ${formatNumber(500)} ft`;
  if (rounded < 1) return `${formatNumber(Math.round((rounded * FEET_PER_MILE) / 100) * 100)} ft`;
  return `${formatNumber(rounded, amount < 9.95 ? 1 : 0)} mi`;
}

/** formatDistance in the member's units; the formatter returns undefined for an unknown distance. */
export function useFormatDistance(): (meters: number | null | undefined) => string | undefined {
  const [units] = useUnits();
  return (meters) => (typeof meters === "number" ? formatDistance(meters, units) : undefined);
}
