import type { MapArchives, MapRegion } from "@lambda/contract/map-archives";
import { toMercator } from "@lambda/geo/mercator";
import { fetchWithDeadline } from "../../../../api/fetch-with-deadline.ts";

/** The regions whose streets the operator has installed. */
export async function fetchRegions(): Promise<readonly MapRegion[]> {
  const response = await fetchWithDeadline("/tiles/archives.json");
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return ((await response.json()) as MapArchives).regions;
}

export const archiveUrl = (name: string): string => `${location.origin}/tiles/${name}.pmtiles`;

export function findRegionAt(regions: readonly MapRegion[], lat: number, lon: number): MapRegion | undefined {
  return regions.find(({ bounds }) => {
    const { west, south, east, north } = bounds;
    return lat >= south && lat <= north && lon >= west && lon <= east;
  });
}

/** From this zoom on streets would be expected. */
const STREETS_EXPECTED_ZOOM = 12;

/** Whether a place is shown so closely that its streets are missed. Unknown regions count as installed. */
export function lacksStreets(
  regions: readonly MapRegion[] | undefined,
  { lat, lon, zoom }: { readonly lat: number; readonly lon: number; readonly zoom: number },
): boolean {
  return regions !== undefined && zoom >= STREETS_EXPECTED_ZOOM && !findRegionAt(regions, lat, lon);
}

/** The region that covers most of a tile. Undefined if none does; then the world map is drawn. */
export function findRegionForTile(
  regions: readonly MapRegion[],
  { z, x, y }: { readonly z: number; readonly x: number; readonly y: number },
): MapRegion | undefined {
  let best: MapRegion | undefined;
  let largestOverlap = 0;
  for (const region of regions) {
    if (z > region.maxZoom) continue;
    const { west, south, east, north } = region.bounds;
    const [topLeft, bottomRight] = [toMercator(north, west), toMercator(south, east)];
    const side = 2 ** z;
    const width = Math.min(bottomRight.x * side, x + 1) - Math.max(topLeft.x * side, x);
    const height = Math.min(bottomRight.y * side, y + 1) - Math.max(topLeft.y * side, y);
    if (width <= 0 || height <= 0 || width * height <= largestOverlap) continue;
    best = region;
    largestOverlap = width * height;
  }
  return best;
}

/** The highest zoom for which every region has tiles. One source serves all regions and overzooms beyond it. */
export function streetsMaxZoom(regions: readonly MapRegion[]): number {
  return Math.min(...regions.map(({ maxZoom }) => maxZoom));
}
