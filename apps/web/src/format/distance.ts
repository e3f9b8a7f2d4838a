import { type DeviceKey, readDeviceValue, useDeviceValue } from "../device/device-storage.ts";
import { currentLocale } from "./i18n.ts";

export type Units = "miles" | "kilometres";

export const METERS_PER_FOOT = 0.3048;
export const METERS_PER_MILE = 1609.344;
export const METERS_PER_KILOMETER = 1000;

/** The unit in which this device shows distances. */
const UNITS: DeviceKey<Units> = {
  name: "units",
  fallback: "miles",
  isValid: (value): value is Units => value === "miles" || value === "kilometres",
};

export function useUnits(): readonly [Units, (units: Units) => void] {
  return useDeviceValue(UNITS);
}

const formatNumber = (value: number, digits = 0) =>
  value.toLocaleString(currentLocale(), { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Formats a search radius with at most one decimal: "1 mi", "2.5 km". */
export function formatRadius(meters: number, units: Units): string {
  const amount = meters / (units === "miles" ? METERS_PER_MILE : METERS_PER_KILOMETER);
  const shown = amount.toLocaleString(currentLocale(), { maximumFractionDigits: 1 });
  return `${shown} ${units === "miles" ? "mi" : "km"}`;
}

/** Feet below a mile, else miles with `decimals` decimals; meters below a kilometer, else kilometers likewise. */
export function formatDistance(meters: number, units: Units = readDeviceValue(UNITS), decimals = 2): string {
  if (units === "kilometres")
    return meters < 1000 ? `${formatNumber(meters)} m` : `${formatNumber(meters / 1000, decimals)} km`;
  return meters < METERS_PER_MILE
    ? `${formatNumber(meters / METERS_PER_FOOT)} ft`
    : `${formatNumber(meters / METERS_PER_MILE, decimals)} mi`;
}

/** Members are shown somewhere in a cell of about 1,800 ft, so finer distances would be false precision. */
const STEPS = { feet: 500, meters: 100 };

/**
 * Formats a distance for lists and tiles: in steps of 500 ft or 100 m, then tenths up to ten, then whole numbers. View Profile uses
 * formatDistance, as the specification requires.
 */
export function formatCoarseDistance(meters: number, units: Units = readDeviceValue(UNITS)): string {
  const inSteps = (amount: number, step: number, unit: string) =>
    amount < step / 2 ? `< ${formatNumber(step)} ${unit}` : `${formatNumber(Math.round(amount / step) * step)} ${unit}`;
  const [metersPerUnit, unit] = units === "miles" ? [METERS_PER_MILE, "mi"] : [METERS_PER_KILOMETER, "km"];
  if (meters >= metersPerUnit) {
    return `${formatNumber(meters / metersPerUnit, meters < 9.95 * metersPerUnit ? 1 : 0)} ${unit}`;
  }
  return units === "miles" ? inSteps(meters / METERS_PER_FOOT, STEPS.feet, "ft") : inSteps(meters, STEPS.meters, "m");
}

/** formatDistance in the member's units; the formatter returns undefined for an unknown distance. */
export function useFormatDistance(): (meters: number | null | undefined, decimals?: number) => string | undefined {
  const [units] = useUnits();
  return (meters, decimals) => (typeof meters === "number" ? formatDistance(meters, units, decimals) : undefined);
}

export function useFormatCoarseDistance(): (meters: number | null | undefined) => string | undefined {
  const [units] = useUnits();
  return (meters) => (typeof meters === "number" ? formatCoarseDistance(meters, units) : undefined);
}
