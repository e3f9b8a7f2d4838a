/** The filters of the three searches, as the address of the page holds them. Pure, so that it is tested without a page. */
import { CHARACTERISTICS } from "@lambda/contract/characteristics";
import { AGE_MIN_YEARS } from "@lambda/contract/limits";

/** The slider's end; at it there is no upper limit. */
export const AGE_SLIDER_MAX = 80;

export const FLAGS = [
  "hasPicture",
  "onlineNow",
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

/** What fits is taken; the rest of an address that someone typed is left. */
export function parseFilters(search: string): Filters {
  const params = new URLSearchParams(search);
  const tags = (params.get("characteristics") ?? "")
    .split(",")
    .map((tag) => tag.trim().toLowerCase())
    .filter((tag) => CHARACTERISTICS.includes(tag));
  const whole = (name: string, low: number, high: number) => {
    const value = Number(params.get(name) ?? Number.NaN);
    return Number.isInteger(value) && value >= low && value <= high ? value : undefined;
  };
  const ageMin = whole("ageMin", AGE_MIN_YEARS, AGE_SLIDER_MAX);
  const ageMax = whole("ageMax", ageMin ?? AGE_MIN_YEARS, AGE_SLIDER_MAX);
  const maxDistanceMeters = whole("maxDistanceMeters", 1, 20_000_000);
  return {
    ...(tags.length > 0 && { characteristics: [...new Set(tags)] }),
    ...(ageMin !== undefined && { ageMin }),
    ...(ageMax !== undefined && { ageMax }),
    ...(maxDistanceMeters !== undefined && { maxDistanceMeters }),
    ...Object.fromEntries(FLAGS.filter((flag) => params.get(flag) === "1").map((flag) => [flag, true as const])),
  };
}

/** "" or "?..." in a fixed order, so that equal filters make equal addresses. */
export function formatFilters(filters: Filters): string {
  const params = new URLSearchParams();
  const { characteristics = [], ageMin, ageMax, maxDistanceMeters } = filters;
  if (characteristics.length > 0) params.set("characteristics", characteristics.join(","));
  for (const [name, value] of Object.entries({ ageMin, ageMax, maxDistanceMeters })) {
    if (value !== undefined) params.set(name, String(value));
  }
  for (const flag of FLAGS) if (filters[flag]) params.set(flag, "1");
  const text = params.toString();
  return text && `?${text}`;
}

/** Each characteristic counts, and so does each other limit. */
export function countFilters(filters: Filters): number {
  const { characteristics = [], ageMin, ageMax, maxDistanceMeters } = filters;
  return (
    characteristics.length +
    (ageMin !== undefined || ageMax !== undefined ? 1 : 0) +
    (maxDistanceMeters !== undefined ? 1 : 0) +
    FLAGS.filter((flag) => filters[flag]).length
  );
}

/** The same filters without one of them. */
export function withoutFilter(filters: Filters, name: keyof Filters | "age", tag?: string): Filters {
  if (name === "age") {
    const { ageMin: _low, ageMax: _high, ...rest } = filters;
    return rest;
  }
  if (name === "characteristics" && tag !== undefined) {
    const left = (filters.characteristics ?? []).filter((other) => other !== tag);
    const { characteristics: _all, ...rest } = filters;
    return left.length > 0 ? { ...rest, characteristics: left } : rest;
  }
  const { [name]: _gone, ...rest } = filters;
  return rest;
}
