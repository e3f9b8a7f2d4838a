import type * as MapLibre from "maplibre-gl";
import { Protocol } from "pmtiles";
import { METRIC_GRID, metricGridTile } from "../style/metric-grid.ts";
import { STREETS_SOURCE } from "../style/sources.ts";
import { StreetTiles } from "./street-tiles.ts";

let registered = false;

/** Shared by all maps of the page, like MapLibre's protocols. */
export const streetTiles = new StreetTiles();

/**
 * Registers the URL schemes of our style with MapLibre: `pmtiles:` for archives, `streets:` for the regions' archives and
 * `ground:` for the metric grid. Does nothing after the first call.
 *
 * @param addProtocol passed in so that this module does not import maplibre-gl
 */
export function registerTileProtocols(addProtocol: typeof MapLibre.addProtocol): void {
  if (registered) return;
  registered = true;
  const pmtiles = new Protocol();
  addProtocol("pmtiles", (request, abort) => pmtiles.tile(request, abort));
  addProtocol(STREETS_SOURCE, async ({ url }, { signal }) => ({
    data: await streetTiles.fetchTile(...parseTileUrl(url), signal),
  }));
  addProtocol(METRIC_GRID, async ({ url }) => ({ data: metricGridTile(...parseTileUrl(url)).buffer }));
}

/** Zoom, column and row in `scheme://z/x/y`. */
function parseTileUrl(url: string): [z: number, x: number, y: number] {
  const [z = 0, x = 0, y = 0] = url
    .slice(url.indexOf("://") + 3)
    .split("/")
    .map(Number);
  return [z, x, y];
}
