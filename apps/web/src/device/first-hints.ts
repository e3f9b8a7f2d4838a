import { deviceKey } from "./device-storage.ts";

const STATES = ["unseen", "open", "closed"] as const;
type FirstHints = (typeof STATES)[number];

/** The hints on home: open from the question about sister sites until the member closes them, whether or not the question is answered. */
export const FIRST_HINTS = deviceKey<FirstHints>("first_hints", "unseen", (value) =>
  STATES.includes(value as FirstHints),
);
