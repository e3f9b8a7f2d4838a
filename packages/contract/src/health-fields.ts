/** The choices of the health panel. Not in health.ts, so that the web can import them without zod. */

/** "undetectable" as in U=U: an undetectable viral load is untransmittable. */
export const HIV_STATUSES = ["negative", "positive", "undetectable"] as const;
export const PREP_REGIMENS = ["daily", "on-demand", "injection", "no"] as const;
export const DOXY_PEP = ["yes", "no"] as const;
export const VACCINES = ["hepatitis-a", "hepatitis-b", "hpv", "mpox", "meningitis"] as const;

/** Each field of the panel has its own audience. */
export const HEALTH_FIELDS = ["hivStatus", "prep", "doxyPep", "vaccines", "lastTest"] as const;
export type HealthField = (typeof HEALTH_FIELDS)[number];

/** matches: members with a mutual LIKE. members: everyone who may see the profile. */
export const AUDIENCES = ["nobody", "matches", "members"] as const;

/** Months between a test and the reminder to test again; 0: no reminder. */
export const REMINDER_MONTHS = [0, 3, 6, 12] as const;
