import { type DeviceKey, readDevice, useDevice } from "../device/device-storage.ts";
import { currentLocale } from "./i18n.ts";

export type Units = "miles" | "kilometres";

const METRES_PER_FOOT = 0.3048;
export const METRES_PER_MILE = 1609.344;
export const METRES_PER_KILOMETRE = 1000;

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
export function roundDistance(metres: number, units: Units): string {
  const amount = metres / (units === "miles" ? METRES_PER_MILE : METRES_PER_KILOMETRE);
  const shown = amount.toLocaleString(currentLocale(), { maximumFractionDigits: 1 });
  return `${shown} ${units === "miles" ? "mi" : "km"}`;
}

/** Feet below a mile, else miles with two decimals (or `decimals`); metres below a kilometre, else kilometres alike. */
export function formatDistance(metres: number, units: Units = readDevice(UNITS), decimals = 2): string {
  const number = (value: number, digits: number) =>
    value.toLocaleString(currentLocale(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
  if (units === "kilometres") return metres < 1000 ? `${number(metres, 0)} m` : `${number(metres / 1000, decimals)} km`;
  return metres < METRES_PER_MILE
    ? `${number(metres / METRES_PER_FOOT, 0)} ft`
    : `${number(metres / METRES_PER_MILE, decimals)} mi`;
}

/** The same as a function that follows the member's choice; undefined for an unknown distance. */
export function useDistance(): (metres: number | null | undefined, decimals?: number) => string | undefined {
  const [units] = useUnits();
  return (metres, decimals) => (typeof metres === "number" ? formatDistance(metres, units, decimals) : undefined);
}
