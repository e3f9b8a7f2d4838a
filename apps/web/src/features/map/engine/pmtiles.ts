import type * as MapLibre from "maplibre-gl";
import { Protocol } from "pmtiles";
import { GROUND_LAYER, groundTile } from "../style/ground.ts";
import { STREETS_SOURCE } from "../style/sources.ts";
import { StreetTiles } from "./street-tiles.ts";

let registered = false;

/** Shared by all maps of the page, as maplibre's schemes are. */
export const streetTiles = new StreetTiles();

/**
 * Teaches maplibre the schemes of our style: `pmtiles:` for archives, `streets:` for the regions' archives and `ground:` for
 * the grid. Once a page.
 *
 * @param addProtocol maplibre-gl's, so that this module does not load it
 */
export function registerPmtiles(addProtocol: typeof MapLibre.addProtocol): void {
  if (registered) return;
  registered = true;
  const pmtiles = new Protocol();
  addProtocol("pmtiles", (request, abort) => pmtiles.tile(request, abort));
  addProtocol(STREETS_SOURCE, async ({ url }, { signal }) => ({
    data: await streetTiles.tile(...tileOf(url), signal),
  }));
  addProtocol(GROUND_LAYER, async ({ url }) => ({ data: groundTile(...tileOf(url)).buffer }));
}

/** Zoom, column and row of `scheme://z/x/y`. */
function tileOf(url: string): [z: number, x: number, y: number] {
  const [z = 0, x = 0, y = 0] = url
    .slice(url.indexOf("://") + 3)
    .split("/")
    .map(Number);
  return [z, x, y];
}
