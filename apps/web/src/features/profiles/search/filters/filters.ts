/** Parses and formats the filters of the three searches in the page's URL. */
import { CHARACTERISTICS } from "@lambda/contract/characteristics";
import { AGE_MIN_YEARS } from "@lambda/contract/limits";

/** The end of the age slider, which means no upper limit. */
export const AGE_SLIDER_MAX = 80;

export const FLAGS = [
  "hasPicture",
  "onlineNow",
  "newHere",
  "notTalkedTo",
  "starred",
  "tonight",
  "checked",
  "likedMyProfile",
  "likedMyPics",
  "iLikedProfile",
  "iLikedProfilePics",
] as const;
export type FilterFlag = (typeof FLAGS)[number];

export interface Filters extends Partial<Record<FilterFlag, true>> {
  readonly characteristics?: readonly string[];
  readonly ageMin?: number;
  readonly ageMax?: number;
  readonly maxDistanceMeters?: number;
}

/** Ignores invalid values, since people may type or edit a URL; findIgnored names them. */
export function parseFilters(search: string): Filters {
  const params = new URLSearchParams(search);
  const tags = (params.get("characteristics") ?? "")
    .split(",")
    .map((tag) => tag.trim().toLowerCase())
    .filter((tag) => CHARACTERISTICS.includes(tag));
  const integerParam = (name: string, low: number, high: number) => {
    const value = Number(params.get(name) ?? Number.NaN);
    return Number.isInteger(value) && value >= low && value <= high ? value : undefined;
  };
  const ageMin = integerParam("ageMin", AGE_MIN_YEARS, AGE_SLIDER_MAX);
  const ageMax = integerParam("ageMax", ageMin ?? AGE_MIN_YEARS, AGE_SLIDER_MAX);
  const maxDistanceMeters = integerParam("maxDistanceMeters", 1, 20_000_000);
  return {
    ...(tags.length > 0 && { characteristics: [...new Set(tags)] }),
    ...(ageMin !== undefined && { ageMin }),
    ...(ageMax !== undefined && { ageMax }),
    ...(maxDistanceMeters !== undefined && { maxDistanceMeters }),
    ...Object.fromEntries(FLAGS.filter((flag) => params.get(flag) === "1").map((flag) => [flag, true as const])),
  };
}

const NAMES = ["characteristics", "ageMin", "ageMax", "maxDistanceMeters", ...FLAGS] as const;

/** The filters that a URL asks for with values that parseFilters ignores. */
export function findIgnored(search: string): (typeof NAMES)[number][] {
  const asked = new URLSearchParams(search);
  const taken = new URLSearchParams(formatFilters(parseFilters(search)));
  return NAMES.filter((name) => asked.get(name) && asked.get(name)?.toLowerCase() !== taken.get(name));
}

/** "" or "?..." in a fixed order, so that equal filters give equal URLs. */
export function formatFilters(filters: Filters): string {
  const params = new URLSearchParams();
  const { characteristics = [], ageMin, ageMax, maxDistanceMeters } = filters;
  if (characteristics.length > 0) params.set("characteristics", characteristics.join(","));
  for (const [name, value] of Object.entries({ ageMin, ageMax, maxDistanceMeters })) {
    if (value !== undefined) params.set(name, String(value));
  }
  for (const flag of FLAGS) if (filters[flag]) params.set(flag, "1");
  const query = params.toString();
  return query && `?${query}`;
}

/** Counts each characteristic and each other filter; the two age limits count as one. */
export function countFilters(filters: Filters): number {
  const { characteristics = [], ageMin, ageMax, maxDistanceMeters } = filters;
  return (
    characteristics.length +
    (ageMin !== undefined || ageMax !== undefined ? 1 : 0) +
    (maxDistanceMeters !== undefined ? 1 : 0) +
    FLAGS.filter((flag) => filters[flag]).length
  );
}
