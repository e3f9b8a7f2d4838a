import { deviceKey } from "./device-storage.ts";

export const WELCOME_STEPS = ["name", "picture", "place"] as const;

/** The index of the current welcome step; -1 before the tour started, the number of steps once it is finished. */
export const WELCOME_STEP = deviceKey(
  "welcome_step",
  -1,
  (value) => Number.isInteger(value) && (value as number) >= -1 && (value as number) <= WELCOME_STEPS.length,
);
