/** The street map around the first city, without which the first members would see an empty map. */
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import type { SiteBrands } from "@lambda/brands";
import { ARCHIVE_HEADER_BYTES, readArchiveHeader } from "@lambda/contract/map-archives";

/** The lowest zoom at which streets are drawn. */
const STREETS_ZOOM = 12;

/** Throws unless the archive, a file or a URL, has streets at each brand's first city. */
export async function checkStreets(source: string, brands: SiteBrands): Promise<void> {
  const header = readArchiveHeader(await readStart(source));
  if (!header) throw new Error(`streets: ${source} is no PMTiles archive of vector tiles (docs/MAP.md)`);
  if (header.maxZoom < STREETS_ZOOM)
    throw new Error(`streets: ${source} ends at zoom ${header.maxZoom}, without streets`);
  const { west, south, east, north } = header.bounds;
  for (const { firstCity } of Object.values(brands)) {
    const { name, lat, lon } = firstCity;
    if (lon < west || lon > east || lat < south || lat > north)
      throw new Error(`streets: ${source} has no streets in ${name} (${lat}, ${lon}): docs/MAP.md says how to make it`);
  }
}

async function readStart(source: string): Promise<Uint8Array> {
  const start = new Uint8Array(ARCHIVE_HEADER_BYTES);
  if (/^https?:\/\//.test(source)) {
    const response = await fetch(source, { headers: { range: `bytes=0-${ARCHIVE_HEADER_BYTES - 1}` } });
    if (!response.ok || !response.body) throw new Error(`streets: ${source} responded with ${response.status}`);
    let length = 0;
    for await (const chunk of response.body) {
      start.set(chunk.subarray(0, start.length - length), length);
      length = Math.min(start.length, length + chunk.length);
      if (length === start.length) break;
    }
    return start;
  }
  if (!existsSync(source)) throw new Error(`streets: there is no file ${source}`);
  const handle = openSync(source, "r");
  readSync(handle, start, 0, start.length, 0);
  closeSync(handle);
  return start;
}
