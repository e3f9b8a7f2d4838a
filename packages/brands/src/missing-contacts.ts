import type { OperatorContact } from "./brand.ts";

/** The legally required contact fields that the operator has not filled in yet. */
export function missingContacts(contact: OperatorContact): (keyof OperatorContact)[] {
  const { languages, ...texts } = contact;
  const empty = (Object.keys(texts) as (keyof typeof texts)[]).filter((name) => texts[name]?.trim() === "");
  return languages.length === 0 ? [...empty, "languages"] : empty;
}
