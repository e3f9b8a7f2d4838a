import { ATTACKS_AT_ONCE } from "./attacks-at-once.ts";
import { ATTACKS_OVER_TIME } from "./attacks-over-time.ts";
import type { Attack } from "./observers.ts";

/** Ways to find out where a member is. Each may do what any account may, as often as it likes within its budget. */
export const ATTACKS: readonly Attack[] = [...ATTACKS_AT_ONCE, ...ATTACKS_OVER_TIME];
