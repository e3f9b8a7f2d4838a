/** GET /tiles/archives.json: the map archives that the operator has installed. Public. */
export interface MapArchives {
  /** Names such as "world", each served as /tiles/{name}.pmtiles. */
  readonly archives: readonly string[];
  /** Archives with streets: all except the world. */
  readonly regions: readonly MapRegion[];
}

/** A street map of one region, as described by its archive's header. */
export interface MapRegion {
  readonly name: string;
  readonly bounds: RegionBounds;
  readonly maxZoom: number;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly tsInstalled: number;
}

/** Degrees. */
export interface RegionBounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** The archive of the whole globe, drawn wherever there is no region. */
export const WORLD_ARCHIVE = "world";

/** The field of the world archive's metadata with a {@link PlaceIndex}. Archives built before have none. */
export const PLACE_INDEX = "place_index";

/** The names of towns and quarters, by country (ISO 3166-1 alpha-2). Element n of each list belongs to line n of `names`. */
export type PlaceIndex = Readonly<Record<string, CountryPlaces>>;

export interface CountryPlaces {
  /** Lines of the English, the Spanish and the local name, divided by tabs; the latter two may be empty or missing. */
  readonly names: string;
  /** Hundredths of degrees. */
  readonly lats: readonly number[];
  readonly lons: readonly number[];
  /** Base-2 logarithms of populations, rounded, divided by spaces. */
  readonly sizes: string;
  /** Which of them are quarters. */
  readonly quarters: readonly number[];
}

export const ARCHIVE_HEADER_BYTES = 127;

/** Reads bounds and maximum zoom from a PMTiles header. Returns undefined for anything but version 3 with vector tiles. */
export function readArchiveHeader(
  header: ArrayBufferView,
): { readonly bounds: RegionBounds; readonly maxZoom: number } | undefined {
  if (header.byteLength < ARCHIVE_HEADER_BYTES) return undefined;
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const magic = [..."PMTiles"].every((letter, index) => view.getUint8(index) === letter.charCodeAt(0));
  if (!magic || view.getUint8(7) !== VERSION || view.getUint8(99) !== VECTOR_TILES) return undefined;
  const degrees = (offset: number) => view.getInt32(offset, true) / 1e7;
  return {
    bounds: { west: degrees(102), south: degrees(106), east: degrees(110), north: degrees(114) },
    maxZoom: view.getUint8(101),
  };
}

const VERSION = 3;
const VECTOR_TILES = 1;
