import type * as MapLibre from "maplibre-gl";
import { Protocol } from "pmtiles";
import { GROUND_LAYER, groundTile } from "../style/ground.ts";

let registered = false;

/**
 * Teaches maplibre the two schemes of our style: `pmtiles:` for archives and `ground:` for the grid. Once a page.
 *
 * @param addProtocol maplibre-gl's, so that this module does not load it
 */
export function registerPmtiles(addProtocol: typeof MapLibre.addProtocol): void {
  if (registered) return;
  registered = true;
  const pmtiles = new Protocol();
  addProtocol("pmtiles", (request, abort) => pmtiles.tile(request, abort));
  addProtocol(GROUND_LAYER, async ({ url }) => {
    const [z, x, y] = url.slice(`${GROUND_LAYER}://`.length).split("/").map(Number);
    return { data: groundTile(z ?? 0, x ?? 0, y ?? 0).buffer };
  });
}
