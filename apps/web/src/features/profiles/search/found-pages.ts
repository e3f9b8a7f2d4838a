import type { NearbyBrief } from "@lambda/contract/positions";
import { isOnline } from "../../../format/is-online.ts";

/** The first band of distance, about half a mile; each further one reaches twice as far. */
const FIRST_BAND_METERS = 800;

function bandOf(meters: number | null): number {
  if (meters === null) return Number.POSITIVE_INFINITY;
  return Math.ceil(Math.log2(Math.max(1, meters / FIRST_BAND_METERS)));
}

/** Keeps the order of distance among those who are online, and among those who are not. */
export function sortOnlineFirst(page: readonly NearbyBrief[]): NearbyBrief[] {
  const orderOf = (brief: NearbyBrief) => bandOf(brief.distanceMeters) + (isOnline(brief) ? 0 : 0.5);
  return page.toSorted((a, b) => orderOf(a) - orderOf(b) || 0);
}

/** How many of the last pages in a row hold fewer than `size`. */
export function countShortPages(pages: readonly { readonly items: readonly unknown[] }[], size: number): number {
  return pages.length - 1 - pages.findLastIndex(({ items }) => items.length >= size);
}
