import type { OperatorContact } from "./brand.ts";

/** What the operator has not said yet of whom the law wants named. */
export function missingContacts(contact: OperatorContact): (keyof OperatorContact)[] {
  const { languages, ...texts } = contact;
  const empty = (Object.keys(texts) as (keyof typeof texts)[]).filter((name) => texts[name]?.trim() === "");
  return languages.length === 0 ? [...empty, "languages"] : empty;
}
