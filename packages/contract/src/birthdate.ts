import { AGE_MAX_YEARS, AGE_MIN_YEARS, HOUR_MS } from "./limits.ts";

/** Today by UTC where days begin last, 12 hours behind: nobody is of age there before their birthday where they are. */
export const dayForAges = (now: number): Date => new Date(now - 12 * HOUR_MS);

/** Age in whole years for a birthdate (yyyy-mm-dd), by `dayForAges`; undefined if the date is missing or invalid. */
export function ageOf(birthdate: string | null | undefined, now: number): number | undefined {
  if (!birthdate || !/^\d{4}-\d{2}-\d{2}$/.test(birthdate)) return undefined;
  const born = new Date(`${birthdate}T00:00:00Z`);
  if (Number.isNaN(born.getTime()) || born.toISOString().slice(0, 10) !== birthdate) return undefined;
  return ageAt(born, now);
}

/** The same for a time of birth. */
export function ageAt(born: Date, now: number): number {
  const today = dayForAges(now);
  const years = today.getUTCFullYear() - born.getUTCFullYear();
  const beforeBirthday =
    today.getUTCMonth() < born.getUTCMonth() ||
    (today.getUTCMonth() === born.getUTCMonth() && today.getUTCDate() < born.getUTCDate());
  return beforeBirthday ? years - 1 : years;
}

/** Whether a birthdate is a valid date and makes its owner an adult. */
export function isAdultBirthdate(birthdate: string, now: number): boolean {
  const age = ageOf(birthdate, now);
  return age !== undefined && age >= AGE_MIN_YEARS && age <= AGE_MAX_YEARS;
}
