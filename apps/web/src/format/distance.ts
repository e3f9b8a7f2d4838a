import { type DeviceKey, readDevice, useDevice } from "../device/device-storage.ts";
import { currentLocale } from "./i18n.ts";

export type Units = "miles" | "kilometres";

const METERS_PER_FOOT = 0.3048;
export const METERS_PER_MILE = 1609.344;
export const METERS_PER_KILOMETER = 1000;

/** How this device shows distances. Miles by default. */
const UNITS: DeviceKey<Units> = {
  name: "units",
  fallback: "miles",
  accepts: (value): value is Units => value === "miles" || value === "kilometres",
};

export function useUnits(): readonly [Units, (units: Units) => void] {
  return useDevice(UNITS);
}

/** A chosen distance in the member's units, as short as it is round: "1 mi", "2.5 km". */
export function roundDistance(meters: number, units: Units): string {
  const amount = meters / (units === "miles" ? METERS_PER_MILE : METERS_PER_KILOMETER);
  const shown = amount.toLocaleString(currentLocale(), { maximumFractionDigits: 1 });
  return `${shown} ${units === "miles" ? "mi" : "km"}`;
}

/** Feet below a mile, else miles with two decimals (or `decimals`); metres below a kilometre, else kilometres alike. */
export function formatDistance(meters: number, units: Units = readDevice(UNITS), decimals = 2): string {
  const number = (value: number, digits: number) =>
    value.toLocaleString(currentLocale(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
  if (units === "kilometres") return meters < 1000 ? `${number(meters, 0)} m` : `${number(meters / 1000, decimals)} km`;
  return meters < METERS_PER_MILE
    ? `${number(meters / METERS_PER_FOOT, 0)} ft`
    : `${number(meters / METERS_PER_MILE, decimals)} mi`;
}

/** The same as a function that follows the member's choice; undefined for an unknown distance. */
export function useDistance(): (meters: number | null | undefined, decimals?: number) => string | undefined {
  const [units] = useUnits();
  return (meters, decimals) => (typeof meters === "number" ? formatDistance(meters, units, decimals) : undefined);
}
