import type { DeviceKey } from "./device-storage.ts";

export const WELCOME_STEPS = ["name", "picture", "place", "sharing"] as const;

/** The index of the current welcome step; -1 before the tour started, the number of steps once it is finished. */
export const WELCOME_STEP: DeviceKey<number> = {
  name: "welcome_step",
  fallback: -1,
  isValid: (value): value is number =>
    Number.isInteger(value) && (value as number) >= -1 && (value as number) <= WELCOME_STEPS.length,
};
