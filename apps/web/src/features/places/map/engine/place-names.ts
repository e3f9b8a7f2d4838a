import { latitudeFromMercator, toMercator } from "@lambda/geo/mercator";
import type { PMTiles } from "pmtiles";
import { type NamedPlace, nextTowns, type PlaceShown, placeName } from "../data/place-name.ts";
import { findRegionAt } from "../data/regions.ts";
import { decodePoints, type TilePoint } from "../data/vector-tile-points.ts";
import { PLACES_LAYER } from "../style/sources.ts";
import type { StreetTiles } from "./street-tiles.ts";

/**
 * Finds the name of the place at a point in the basemap's tiles. The map's own features cannot be queried for it:
 * zoomed in, it only keeps the visible part of a tile, which need not contain the city's point.
 */

/** How far from a point its city is searched for, beyond the edges of tiles. */
const REACH_DEGREES = 0.4;
const QUARTER_MIN_ZOOM = 13;
/** The lowest zoom at which a region's tiles contain its quarters; a tile is about 10 km wide. */
const REGION_ZOOM = 12;
const REGION_REACH_DEGREES = 0.02;
/** How far around a point a search knows every village, and every quarter of its region. */
const NEAR_DEGREES = 1.5;
const REGION_NEAR_DEGREES = 0.08;
const REGION_QUARTERS = ["macrohood", "neighbourhood"];

export class PlaceNames {
  #archive: PMTiles;
  #tiles = new Map<string, Promise<readonly NamedPlace[]>>();
  #locale: string;
  #streets: StreetTiles;

  constructor(world: PMTiles, locale: string, streets: StreetTiles) {
    this.#archive = world;
    this.#locale = locale;
    this.#streets = streets;
  }

  /** Rejects if the tiles cannot be loaded. */
  async placeAt(lat: number, lon: number, zoom: number): Promise<PlaceShown> {
    const { maxZoom } = await this.#archive.getHeader();
    const world = await this.#placesAround(lat, lon, maxZoom, REACH_DEGREES, (z, x, y) => this.#readWorld(z, x, y));
    const showsQuarters = zoom >= QUARTER_MIN_ZOOM;
    const hasStreets = findRegionAt(this.#streets.regions, lat, lon) !== undefined;
    if (!showsQuarters || !hasStreets) {
      const name = placeName({ lat, lon }, world, showsQuarters);
      const others = hasStreets ? [] : world.filter((place) => !name?.endsWith(place.name));
      return { name, towns: nextTowns({ lat, lon }, others) };
    }
    const regionPlaces = await this.#placesAround(lat, lon, REGION_ZOOM, REGION_REACH_DEGREES, (z, x, y) =>
      this.#readRegion(z, x, y),
    );
    // A region's own quarters are more complete than the world's.
    const cities = world.filter(({ kind }) => kind === "city");
    return {
      name: placeName({ lat, lon }, regionPlaces.length > 0 ? [...cities, ...regionPlaces] : world, true),
      towns: [],
    };
  }

  /** The towns of the tiles around a point, and its region's quarters. Rejects if the tiles cannot be loaded. */
  async placesNear(lat: number, lon: number): Promise<readonly NamedPlace[]> {
    const { maxZoom } = await this.#archive.getHeader();
    const hasStreets = findRegionAt(this.#streets.regions, lat, lon) !== undefined;
    const lists = await Promise.all([
      this.#placesAround(lat, lon, maxZoom, NEAR_DEGREES, (z, x, y) => this.#readWorld(z, x, y)),
      hasStreets
        ? this.#placesAround(lat, lon, REGION_ZOOM, REGION_NEAR_DEGREES, (z, x, y) => this.#readRegion(z, x, y))
        : [],
    ]);
    return lists.flat();
  }

  async #placesAround(
    lat: number,
    lon: number,
    z: number,
    reach: number,
    read: (z: number, x: number, y: number) => Promise<readonly NamedPlace[]>,
  ): Promise<readonly NamedPlace[]> {
    const side = 2 ** z;
    const tiles = new Map<string, Promise<readonly NamedPlace[]>>();
    for (const north of [-reach, 0, reach]) {
      for (const east of [-reach, 0, reach]) {
        const corner = toMercator(lat + north, lon + east);
        const [x, y] = [Math.floor(corner.x * side + side) % side, Math.floor(corner.y * side)];
        const key = [z, x, y].join();
        const tile = this.#tiles.get(key) ?? read(z, x, y);
        this.#tiles.set(key, tile);
        tile.catch(() => this.#tiles.delete(key));
        tiles.set(key, tile);
      }
    }
    return (await Promise.all(tiles.values())).flat();
  }

  async #readWorld(z: number, x: number, y: number): Promise<readonly NamedPlace[]> {
    const tile = await this.#archive.getZxy(z, x, y);
    return this.#decode(tile?.data, z, x, y, ({ kind }) => (kind === "city" || kind === "quarter" ? kind : undefined));
  }

  async #readRegion(z: number, x: number, y: number): Promise<readonly NamedPlace[]> {
    const tile = await this.#streets.fetchTile(z, x, y);
    return this.#decode(tile, z, x, y, ({ kind }) => (REGION_QUARTERS.includes(String(kind)) ? "quarter" : undefined));
  }

  #decode(
    tile: ArrayBuffer | undefined,
    z: number,
    x: number,
    y: number,
    kindOf: (properties: TilePoint["properties"]) => NamedPlace["kind"] | undefined,
  ): readonly NamedPlace[] {
    if (!tile || tile.byteLength === 0) return [];
    const side = 2 ** z;
    return decodePoints(new Uint8Array(tile), PLACES_LAYER).flatMap((point) => {
      const { properties } = point;
      const kind = kindOf(properties);
      const spanish = properties.name_es ?? properties["name:es"];
      const name = (this.#locale === "es" && spanish) || properties.name;
      if (!kind || !name) return [];
      const aliases = [properties.name, spanish, properties["name:en"], properties.name_local]
        .filter(Boolean)
        .map(String);
      return {
        kind,
        name: String(name),
        aliases,
        country: properties.region === undefined ? undefined : String(properties.region),
        population: Number(properties.population ?? 0),
        lat: latitudeFromMercator((y + point.y) / side),
        lon: ((x + point.x) / side) * 360 - 180,
      };
    });
  }
}
