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

/** Members are shown somewhere in a cell of some 1,800 ft: to the foot or the hundredth of a mile would be invented. */
const STEPS = { feet: 500, metres: 100 };

/**
 * How far somebody is, where one glances: 500 ft and 100 m at a time, then tenths up to ten, then whole ones. View Profile keeps the
 * format of the specification.
 */
export function glanceDistance(meters: number, units: Units = readDevice(UNITS)): string {
  const number = (value: number, digits = 0) =>
    value.toLocaleString(currentLocale(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const inSteps = (amount: number, step: number, unit: string) =>
    amount < step / 2 ? `< ${number(step)} ${unit}` : `${number(Math.round(amount / step) * step)} ${unit}`;
  const [near, unit] = units === "miles" ? [METERS_PER_MILE, "mi"] : [METERS_PER_KILOMETER, "km"];
  if (meters >= near) return `${number(meters / near, meters < 9.95 * near ? 1 : 0)} ${unit}`;
  return units === "miles" ? inSteps(meters / METERS_PER_FOOT, STEPS.feet, "ft") : inSteps(meters, STEPS.metres, "m");
}

/** The same as a function that follows the member's choice; undefined for an unknown distance. */
export function useDistance(): (meters: number | null | undefined, decimals?: number) => string | undefined {
  const [units] = useUnits();
  return (meters, decimals) => (typeof meters === "number" ? formatDistance(meters, units, decimals) : undefined);
}

export function useGlanceDistance(): (meters: number | null | undefined) => string | undefined {
  const [units] = useUnits();
  return (meters) => (typeof meters === "number" ? glanceDistance(meters, units) : undefined);
}
