import { PMTiles } from "pmtiles";
import { latitudeAt, toMercator } from "../data/mercator.ts";
import { type NamedPlace, placeName } from "../data/place-name.ts";
import { decodePoints } from "../data/vector-tile-points.ts";
import { PLACES } from "../style/sources.ts";

/**
 * What the ground is called, from the basemap's own tiles. The map itself cannot be asked: close up it keeps only the part of
 * a tile that is in sight, and the city's point is elsewhere.
 */

/** Names reach over the edges of tiles so far, in degrees. */
const REACH_DEGREES = 0.4;
const QUARTER_FROM_ZOOM = 14;

export class PlaceNames {
  #archive: PMTiles;
  #tiles = new Map<string, Promise<readonly NamedPlace[]>>();
  #locale: string;

  constructor(url: string, locale: string) {
    this.#archive = new PMTiles(url);
    this.#locale = locale;
  }

  /** Null where nobody lives, and where the tiles do not come. */
  async at(lat: number, lon: number, zoom: number): Promise<string | null> {
    try {
      const { maxZoom } = await this.#archive.getHeader();
      const side = 2 ** maxZoom;
      const names = new Set<string>();
      for (const north of [-REACH_DEGREES, REACH_DEGREES]) {
        for (const east of [-REACH_DEGREES, REACH_DEGREES]) {
          const { x, y } = toMercator(lat + north, lon + east);
          names.add([Math.floor(x * side + side) % side, Math.floor(y * side)].join());
        }
      }
      const tiles = await Promise.all([...names].map((name) => this.#tile(maxZoom, name)));
      return placeName({ lat, lon }, tiles.flat(), zoom >= QUARTER_FROM_ZOOM);
    } catch {
      this.#tiles.clear();
      return null;
    }
  }

  #tile(zoom: number, name: string): Promise<readonly NamedPlace[]> {
    const known = this.#tiles.get(name) ?? this.#read(zoom, name);
    this.#tiles.set(name, known);
    return known;
  }

  async #read(zoom: number, name: string): Promise<readonly NamedPlace[]> {
    const [x = 0, y = 0] = name.split(",").map(Number);
    const tile = await this.#archive.getZxy(zoom, x, y);
    if (!tile) return [];
    const side = 2 ** zoom;
    return decodePoints(new Uint8Array(tile.data), PLACES).flatMap((point) => {
      const { kind, name: plain, name_es: spanish, population } = point.properties;
      if (kind !== "city" && kind !== "quarter") return [];
      return {
        kind,
        name: String((this.#locale === "es" && spanish) || plain),
        population: Number(population ?? 0),
        lat: latitudeAt((y + point.y) / side),
        lon: ((x + point.x) / side) * 360 - 180,
      };
    });
  }
}
