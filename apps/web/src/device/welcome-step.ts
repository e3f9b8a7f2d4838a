import type { DeviceKey } from "./device-storage.ts";

/** Steps of the welcome after the first login. */
export const WELCOME_STEPS = ["name", "picture", "place", "sharing"] as const;

/** The step at which this device's member left the welcome; -1 before it began, and their number once it is over. */
export const WELCOME_STEP: DeviceKey<number> = {
  name: "welcome_step",
  fallback: -1,
  accepts: (value): value is number =>
    Number.isInteger(value) && (value as number) >= -1 && (value as number) <= WELCOME_STEPS.length,
};
