/** A birthday as it is typed: three numbers, which no calendar has to be leafed through for. */
export interface Birthday {
  readonly day: string;
  readonly month: string;
  readonly year: string;
}

export const BIRTHDAY_DIGITS: Readonly<Record<keyof Birthday, number>> = { day: 2, month: 2, year: 4 };

/** As yyyy-mm-dd; empty while nothing is typed. May be no real date, which its reader tells. */
export function toBirthdate({ day, month, year }: Birthday): string {
  if (day + month + year === "") return "";
  return `${year.padStart(4, "0")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

export function fromBirthdate(birthdate: string | null): Birthday {
  const [year = "", month = "", day = ""] = (birthdate ?? "").split("-");
  return { day, month, year };
}

/** Whether no further digit can follow: "4" is the whole month of April, "1" may go on. */
export function isFull(part: keyof Birthday, digits: string): boolean {
  if (digits.length === BIRTHDAY_DIGITS[part]) return true;
  if (digits.length !== 1) return false;
  return (part === "day" && digits > "3") || (part === "month" && digits > "1");
}
