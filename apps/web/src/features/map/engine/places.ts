import { latitudeAt, toMercator } from "@lambda/geo/mercator";
import { PMTiles } from "pmtiles";
import { type NamedPlace, placeName } from "../data/place-name.ts";
import { regionAt } from "../data/regions.ts";
import { decodePoints, type TilePoint } from "../data/vector-tile-points.ts";
import { PLACES } from "../style/sources.ts";
import type { StreetTiles } from "./street-tiles.ts";

/**
 * What the ground is called, from the basemap's own tiles. The map itself cannot be asked: close up it keeps only the part of
 * a tile that is in sight, and the city's point is elsewhere.
 */

/** Names reach over the edges of tiles so far, in degrees. */
const REACH_DEGREES = 0.4;
const QUARTER_FROM_ZOOM = 13;
/** Tiles of a region that hold its quarters and are yet wide, about 10 km. */
const REGION_ZOOM = 12;
const REGION_REACH_DEGREES = 0.02;
const REGION_QUARTERS = ["macrohood", "neighbourhood"];

export class PlaceNames {
  #archive: PMTiles;
  #tiles = new Map<string, Promise<readonly NamedPlace[]>>();
  #locale: string;
  #streets: StreetTiles;

  constructor(url: string, locale: string, streets: StreetTiles) {
    this.#archive = new PMTiles(url);
    this.#locale = locale;
    this.#streets = streets;
  }

  /** Null where nobody lives, and where the tiles do not come. */
  async at(lat: number, lon: number, zoom: number): Promise<string | null> {
    try {
      const { maxZoom } = await this.#archive.getHeader();
      const world = await this.#around(lat, lon, maxZoom, REACH_DEGREES, (z, x, y) => this.#readWorld(z, x, y));
      const quarters = zoom >= QUARTER_FROM_ZOOM;
      if (!quarters || !regionAt(this.#streets.regions, lat, lon)) return placeName({ lat, lon }, world, quarters);
      const near = await this.#around(lat, lon, REGION_ZOOM, REGION_REACH_DEGREES, (z, x, y) =>
        this.#readRegion(z, x, y),
      );
      // A region names its own quarters, and better than the world does.
      const cities = world.filter(({ kind }) => kind === "city");
      return placeName({ lat, lon }, near.length > 0 ? [...cities, ...near] : world, true);
    } catch {
      this.#tiles.clear();
      return null;
    }
  }

  /** The places of all tiles within this many degrees. */
  async #around(
    lat: number,
    lon: number,
    z: number,
    reach: number,
    read: (z: number, x: number, y: number) => Promise<readonly NamedPlace[]>,
  ): Promise<readonly NamedPlace[]> {
    const side = 2 ** z;
    const tiles = new Map<string, Promise<readonly NamedPlace[]>>();
    for (const north of [-reach, reach]) {
      for (const east of [-reach, reach]) {
        const at = toMercator(lat + north, lon + east);
        const [x, y] = [Math.floor(at.x * side + side) % side, Math.floor(at.y * side)];
        const name = [z, x, y].join();
        const tile = this.#tiles.get(name) ?? read(z, x, y);
        this.#tiles.set(name, tile);
        tiles.set(name, tile);
      }
    }
    return (await Promise.all(tiles.values())).flat();
  }

  async #readWorld(z: number, x: number, y: number): Promise<readonly NamedPlace[]> {
    const tile = await this.#archive.getZxy(z, x, y);
    return this.#places(tile?.data, z, x, y, ({ kind }) => (kind === "city" || kind === "quarter" ? kind : undefined));
  }

  async #readRegion(z: number, x: number, y: number): Promise<readonly NamedPlace[]> {
    const tile = await this.#streets.tile(z, x, y);
    return this.#places(tile, z, x, y, ({ kind }) => (REGION_QUARTERS.includes(String(kind)) ? "quarter" : undefined));
  }

  #places(
    tile: ArrayBuffer | undefined,
    z: number,
    x: number,
    y: number,
    kindOf: (properties: TilePoint["properties"]) => NamedPlace["kind"] | undefined,
  ): readonly NamedPlace[] {
    if (!tile || tile.byteLength === 0) return [];
    const side = 2 ** z;
    return decodePoints(new Uint8Array(tile), PLACES).flatMap((point) => {
      const { properties } = point;
      const kind = kindOf(properties);
      const spanish = properties.name_es ?? properties["name:es"];
      const name = (this.#locale === "es" && spanish) || properties.name;
      if (!kind || !name) return [];
      return {
        kind,
        name: String(name),
        population: Number(properties.population ?? 0),
        lat: latitudeAt((y + point.y) / side),
        lon: ((x + point.x) / side) * 360 - 180,
      };
    });
  }
}
