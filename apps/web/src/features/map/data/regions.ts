import type { MapArchives, MapRegion } from "@lambda/contract/map-archives";
import { toMercator } from "@lambda/geo/mercator";

/** The regions whose streets the operator has installed; none where the list does not come. */
export async function fetchRegions(): Promise<readonly MapRegion[]> {
  try {
    const answer = await fetch("/tiles/archives.json");
    return ((await answer.json()) as MapArchives).regions;
  } catch {
    return [];
  }
}

export function archiveUrl(name: string): string {
  return `${location.origin}/tiles/${name}.pmtiles`;
}

/** The region that holds a point. */
export function regionAt(regions: readonly MapRegion[], lat: number, lon: number): MapRegion | undefined {
  return regions.find(({ bounds }) => {
    const { west, south, east, north } = bounds;
    return lat >= south && lat <= north && lon >= west && lon <= east;
  });
}

/** The region that covers most of a tile; undefined where none does, and the world is drawn. */
export function regionOfTile(
  regions: readonly MapRegion[],
  { z, x, y }: { readonly z: number; readonly x: number; readonly y: number },
): MapRegion | undefined {
  let found: MapRegion | undefined;
  let most = 0;
  for (const region of regions) {
    if (z > region.maxZoom) continue;
    const { west, south, east, north } = region.bounds;
    const [topLeft, bottomRight] = [toMercator(north, west), toMercator(south, east)];
    const side = 2 ** z;
    const width = Math.min(bottomRight.x * side, x + 1) - Math.max(topLeft.x * side, x);
    const height = Math.min(bottomRight.y * side, y + 1) - Math.max(topLeft.y * side, y);
    if (width <= 0 || height <= 0 || width * height <= most) continue;
    found = region;
    most = width * height;
  }
  return found;
}

/** The closest zoom that every region has tiles of: one source serves them all, and the map enlarges its tiles beyond it. */
export function streetsMaxZoom(regions: readonly MapRegion[]): number {
  return Math.min(...regions.map(({ maxZoom }) => maxZoom));
}
