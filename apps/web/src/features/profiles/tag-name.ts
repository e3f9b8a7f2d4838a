import { CHARACTERISTIC_CATEGORIES } from "@lambda/contract/characteristics";

const NAMES = new Map(
  Object.values(CHARACTERISTIC_CATEGORIES)
    .flat()
    .map((tag) => [tag.toLowerCase(), tag]),
);

/** A characteristic, which crosses the wire in lower case, as it is written. */
export function tagName(tag: string): string {
  return NAMES.get(tag) ?? tag;
}
