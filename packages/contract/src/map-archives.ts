/** GET /tiles/archives.json: the map's archives that the operator has installed. Public; no session is asked for. */
export interface MapArchives {
  /** Names, e.g. "world"; each is served as /tiles/{name}.pmtiles. */
  readonly archives: readonly string[];
  /** Archives of streets: all but the world. */
  readonly regions: readonly MapRegion[];
}

/** An extract of streets, by its archive's header. */
export interface MapRegion {
  readonly name: string;
  readonly bounds: RegionBounds;
  readonly maxZoom: number;
  readonly bytes: number;
  /** When it was installed, in ms since 1970. */
  readonly tsInstalled: number;
}

/** Degrees. */
export interface RegionBounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** The archive of the whole globe, which is drawn wherever no region is. */
export const WORLD_ARCHIVE = "world";

export const ARCHIVE_HEADER_BYTES = 127;

/**
 * Reads the header of a PMTiles archive (specification 3: magic, version, tile type, zooms and bounds). Undefined for
 * anything but version 3 with vector tiles.
 */
export function readArchiveHeader(
  header: ArrayBufferView,
): { readonly bounds: RegionBounds; readonly maxZoom: number } | undefined {
  if (header.byteLength < ARCHIVE_HEADER_BYTES) return undefined;
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const magic = [..."PMTiles"].every((letter, at) => view.getUint8(at) === letter.charCodeAt(0));
  if (!magic || view.getUint8(7) !== VERSION || view.getUint8(99) !== VECTOR_TILES) return undefined;
  const degrees = (at: number) => view.getInt32(at, true) / 1e7;
  return {
    bounds: { west: degrees(102), south: degrees(106), east: degrees(110), north: degrees(114) },
    maxZoom: view.getUint8(101),
  };
}

const VERSION = 3;
const VECTOR_TILES = 1;
