/** Paths with parameters that several features link to, and the ids in them. */
import type { Point } from "@lambda/geo/distance";

export function parseId(text: string | null | undefined): number | undefined {
  return text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** A picture at full size, with the others that its screen leads to. */
export function carouselPath(profileId: number, id: number, ids?: readonly number[]): string {
  return `/profilePicCarousel?profileId=${profileId}&id=${id}${ids ? `&ids=${ids.join(",")}` : ""}`;
}

export function ratePath(profileId: number, startProfilePicId?: number): string {
  return `/profilePicRateSwipe?profileId=${profileId}${startProfilePicId ? `&startProfilePicId=${startProfilePicId}` : ""}`;
}

/** A member on the map. features/places/map/map-target.ts parses it. */
export function mapPath(profileId: number, { lat, lon }: Point): string {
  return `/search/map#profileId=${profileId}&lat=${lat}&lng=${lon}`;
}
