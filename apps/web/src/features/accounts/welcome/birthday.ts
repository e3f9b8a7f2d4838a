import { digitsIn } from "@lambda/contract/typed";

/** A birthday as typed into three number fields, which is faster than a calendar. */
export interface Birthday {
  readonly day: string;
  readonly month: string;
  readonly year: string;
}

export const BIRTHDAY_DIGITS: Readonly<Record<keyof Birthday, number>> = { day: 2, month: 2, year: 4 };

/** As yyyy-mm-dd; empty if all fields are. The result is not validated and may not be a real date. */
export function toBirthdate({ day, month, year }: Birthday): string {
  if (day + month + year === "") return "";
  return `${year.padStart(4, "0")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

export function fromBirthdate(birthdate: string | null): Birthday {
  const [year = "", month = "", day = ""] = (birthdate ?? "").split("-");
  return { day, month, year };
}

/** A whole date that was pasted or filled into one field: the year first, or in the order of the fields. */
export function findBirthday(text: string, order: readonly (keyof Birthday)[]): Birthday | undefined {
  const numbers = text
    .split(/[^\p{Nd}\p{Cf}]+/u)
    .map((number) => digitsIn(number))
    .filter(Boolean);
  if (numbers.length !== 3) return undefined;
  const parts = numbers[0]?.length === 4 ? (["year", "month", "day"] as const) : order;
  const [day = "", month = "", year = ""] = (["day", "month", "year"] as const).map(
    (part) => numbers[parts.indexOf(part)],
  );
  // Only one order makes a date.
  return Number(month) > 12 ? { day: month, month: day, year } : { day, month, year };
}

/** Whether no further digit can follow: month "4" is complete, month "1" may become "12". */
export function isComplete(part: keyof Birthday, digits: string): boolean {
  if (digits.length === BIRTHDAY_DIGITS[part]) return true;
  if (digits.length !== 1) return false;
  return (part === "day" && digits > "3") || (part === "month" && digits > "1");
}
