import { ATTACKS_AT_ONCE } from "./attacks-at-once.ts";
import { ATTACKS_OVER_TIME } from "./attacks-over-time.ts";
import type { Attack } from "./observers.ts";

/** All attacks that try to locate a member, using only what any account can do. */
export const ATTACKS: readonly Attack[] = [...ATTACKS_AT_ONCE, ...ATTACKS_OVER_TIME];
