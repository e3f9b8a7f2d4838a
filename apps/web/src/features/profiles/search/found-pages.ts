import type { NearbyBrief } from "@lambda/contract/positions";
import { onClearLocalData } from "../../../device/clear-local-data.ts";
import { isOnline } from "../../../format/is-online.ts";
import type { Filters } from "./filters/filters.ts";

/** The first band of distance, about half a mile; each further one reaches twice as far. */
const FIRST_BAND_METERS = 800;

function bandOf(meters: number | null): number {
  if (meters === null) return Number.POSITIVE_INFINITY;
  return Math.ceil(Math.log2(Math.max(1, meters / FIRST_BAND_METERS)));
}

/** By profile ID, where distance and presence put a member of the tiles when a search first showed them. */
const places = new Map<number, number>();
let placedBy: Filters | undefined;
onClearLocalData(() => places.clear());

/**
 * Keeps the order of distance among those who are online, and among those who are not. Members who were shown keep their places, so that no
 * refetch moves a tile under a finger.
 * @param search the same object as long as places are kept; by default the last one
 */
export function sortOnlineFirst(page: readonly NearbyBrief[], search = placedBy): NearbyBrief[] {
  if (search !== placedBy) places.clear();
  placedBy = search;
  for (const brief of page)
    if (!places.has(brief.profileId))
      places.set(brief.profileId, bandOf(brief.distanceMeters) + (isOnline(brief) ? 0 : 0.5));
  const placeOf = ({ profileId }: NearbyBrief) => Number(places.get(profileId));
  return page.toSorted((a, b) => placeOf(a) - placeOf(b) || 0);
}

/** How many of the last pages in a row hold fewer than `size`. */
export function countShortPages(pages: readonly { readonly items: readonly unknown[] }[], size: number): number {
  return pages.length - 1 - pages.findLastIndex(({ items }) => items.length >= size);
}
