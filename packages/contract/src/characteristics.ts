/** Categories and tags in display order. */
export const CHARACTERISTIC_CATEGORIES = {
  Meet: ["Hosting", "Traveling", "Cruising", "Bar", "Coffee"],
  Positions: ["Top", "Bottom", "Versatile", "Oral"],
  Safety: ["SafeOnly", "Hiv+", "Hiv-", "Condoms", "PrEP", "Doxy", "DDF", "Tested", "Vax+"],
  Body: ["Hairy", "Smooth", "Masculine", "Feminine", "Transgender"],
  Community: ["Bear", "Leather", "Trans", "BDSM", "Poz", "Puppy"],
  Interests: [
    "Travel",
    "Fitness",
    "Outdoors",
    "Culture",
    "Cooking",
    "Art",
    "Homemaking",
    "Animals",
    "Gardening",
    "Professional",
  ],
  Kink: ["Fetish", "Taboo", "Kink", "FistTop", "FistBottom"],
} as const;

export type CharacteristicCategory = keyof typeof CHARACTERISTIC_CATEGORIES;

/** All tags in lowercase, as on the wire. A tag's index is its bit in the database: append only, never reorder. */
export const CHARACTERISTICS: readonly string[] = Object.values(CHARACTERISTIC_CATEGORIES)
  .flat()
  .map((tag) => tag.toLowerCase());

/** The bit set of a list of tags, case-insensitive. It uses sums of powers of two because 44 tags exceed 32-bit operators. */
export function characteristicsToBits(tags: readonly string[]): number {
  const wanted = new Set(tags.map((tag) => tag.toLowerCase()));
  return CHARACTERISTICS.reduce((bits, tag, index) => (wanted.has(tag) ? bits + 2 ** index : bits), 0);
}

export function characteristicsFromBits(bits: number): string[] {
  return CHARACTERISTICS.filter((_, index) => Math.floor(bits / 2 ** index) % 2 === 1);
}
