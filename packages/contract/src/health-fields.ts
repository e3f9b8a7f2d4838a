/** The choices of the health panel. No zod here, so that the web can import them at no cost. */

/** "undetectable" is U=U: an undetectable viral load is not passed on. */
export const HIV_STATUSES = ["negative", "positive", "undetectable"] as const;
export const PREP_WAYS = ["daily", "on-demand", "injection", "no"] as const;
export const DOXY_PEP = ["yes", "no"] as const;
export const VACCINES = ["hepatitis-a", "hepatitis-b", "hpv", "mpox", "meningitis"] as const;

/** Each field of the panel has an audience of its own. */
export const HEALTH_FIELDS = ["hivStatus", "prep", "doxyPep", "vaccines", "lastTest"] as const;
export type HealthField = (typeof HEALTH_FIELDS)[number];

/** matches: members with a LIKE both ways. members: everyone who may see the profile. */
export const AUDIENCES = ["nobody", "matches", "members"] as const;

/** Months between a test and its reminder; 0 is none. */
export const REMINDER_MONTHS = [0, 3, 6, 12] as const;
