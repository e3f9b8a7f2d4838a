import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { PLACE_INDEX } from "@lambda/contract/map-archives";
import geojsonvt, { type TileFeature } from "geojson-vt";
import { feature, mesh, type Topology } from "topojson-client";
import vtpbf from "vt-pbf";
import { countryAreas, labelPoint } from "./countries.ts";
import { unrollFeature, unrollLine } from "./date-line.ts";
import { indexPlaces } from "./place-index.ts";
import { type Place, townPlaces } from "./places.ts";
import { type ArchiveTile, writeArchive } from "./pmtiles-archive.ts";

/**
 * Builds the world basemap offline, from data in npm packages: land and borders (Natural Earth), states and counties of the USA (Census
 * Bureau), place names (GeoNames). Beyond its last zoom, the map scales the tiles up.
 */

const MAX_ZOOM = 6;
/** Up to this zoom, simplified outlines suffice. */
const LAST_COARSE_ZOOM = 5;
/** Units along a tile's side: about 75 m at the last zoom, because it gets scaled up. */
const EXTENT = 8192;
/** In units of EXTENT: how far a tile extends beyond its edges, so that lines meet and labels are not cut off. */
const BUFFER = 128;
/** In units of EXTENT: simplification of tiles below the last zoom, less than half a pixel. */
const TOLERANCE = 8;
const SQUARE_EXTENT_BOUNDS = [-180, -85.0511288, 180, 85.0511288] as const;

const LAYER_FIELDS = {
  earth: {},
  boundaries: { kind: "String" },
  places: {
    kind: "String",
    name: "String",
    name_es: "String",
    name_local: "String",
    rank: "Number",
    population: "Number",
    capital: "Number",
    region: "String",
  },
};
type LayerName = keyof typeof LAYER_FIELDS;
type Layers = Partial<Record<LayerName, { features: TileFeature[] }>>;

/** Writes the archive atomically and returns its size in bytes. */
export function buildBasemap(outFile: string): number {
  const coarse = loadAtlas("world-atlas/countries-50m.json");
  const fine = loadAtlas("world-atlas/countries-10m.json");
  const usa = loadAtlas("us-atlas/counties-10m.json");
  const stateLines = interiorLines(usa, "states", "state");
  // A county's id starts with its state's id. This omits state borders, which are drawn separately.
  const countyLines = interiorLines(usa, "counties", "county", (a, b) => a.slice(0, 2) === b.slice(0, 2));

  const tiles = new Map<string, Layers>();
  const add = (layer: LayerName, features: object[], from: number, to: number) => {
    const sliced = slice(features, from, to);
    for (const [key, tileFeatures] of sliced) {
      const layers = tiles.get(key) ?? {};
      layers[layer] = { features: [...(layers[layer]?.features ?? []), ...tileFeatures] };
      tiles.set(key, layers);
    }
  };
  add("earth", feature(coarse, coarse.objects.land!).features.map(unrollFeature), 0, LAST_COARSE_ZOOM);
  add("earth", feature(fine, fine.objects.land!).features.map(unrollFeature), LAST_COARSE_ZOOM + 1, MAX_ZOOM);
  add("boundaries", [interiorLines(coarse, "countries", "country")], 0, LAST_COARSE_ZOOM);
  add("boundaries", [interiorLines(fine, "countries", "country")], LAST_COARSE_ZOOM + 1, MAX_ZOOM);
  add("boundaries", [stateLines], 3, MAX_ZOOM);
  add("boundaries", [countyLines], MAX_ZOOM, MAX_ZOOM);

  const countries = countryAreas(feature(coarse, coarse.objects.countries!).features.map(unrollFeature));
  const towns = townPlaces();
  const places = [
    ...countries.map((area) => ({
      lon: area.label[0],
      lat: area.label[1],
      properties: {
        kind: "country" as const,
        name: area.name,
        ...(area.nameEs === area.name ? {} : { name_es: area.nameEs }),
        rank: area.squareDegrees > 300 ? 1 : area.squareDegrees > 40 ? 2 : area.squareDegrees > 8 ? 3 : 4,
        population: area.population,
        region: area.code,
      },
    })),
    ...feature(usa, usa.objects.states!).features.map((state) => {
      const [lon, lat] = labelPoint(state);
      const name = state.properties.name ?? "";
      return { lon, lat, properties: { kind: "state" as const, name, rank: 4, population: 0, region: "US" } };
    }),
    ...towns,
  ];
  add("places", places.map(pointFeature), 0, MAX_ZOOM);
  dropHiddenPlaces(tiles);

  const archive = writeArchive([...tiles].map(encode), {
    minZoom: 0,
    maxZoom: MAX_ZOOM,
    bounds: SQUARE_EXTENT_BOUNDS,
    center: [0, 20, 2],
    metadata: {
      name: "World",
      [PLACE_INDEX]: indexPlaces(towns),
      attribution: "Made with Natural Earth. US Census Bureau. GeoNames (CC BY 4.0).",
      vector_layers: Object.entries(LAYER_FIELDS).map(([id, fields]) => ({
        id,
        fields,
        minzoom: 0,
        maxzoom: MAX_ZOOM,
      })),
    },
  });
  mkdirSync(dirname(outFile), { recursive: true });
  const temporary = `${outFile}.${process.pid}`;
  writeFileSync(temporary, archive);
  renameSync(temporary, outFile);
  return archive.length;
}

/** Removes places below their rank, except at the last zoom, which the map scales up; and tiles that are empty after that. */
function dropHiddenPlaces(tiles: Map<string, Layers>): void {
  for (const [key, layers] of tiles) {
    const zoom = Number(key.split("/")[0]);
    const shown = layers.places?.features.filter(({ tags }) => zoom === MAX_ZOOM || tags.rank! <= zoom + 1);
    if (shown?.length) layers.places = { features: shown };
    else delete layers.places;
    if (Object.keys(layers).length === 0) tiles.delete(key);
  }
}

function loadAtlas(path: string): Topology {
  return JSON.parse(readFileSync(createRequire(import.meta.url).resolve(path), "utf8"));
}

function interiorLines(
  atlas: Topology,
  object: string,
  kind: string,
  isIncluded: (a: string, b: string) => boolean = () => true,
): object {
  const geometry = mesh(atlas, atlas.objects[object]!, (a, b) => a !== b && isIncluded(a.id ?? "", b.id ?? ""));
  return {
    type: "Feature",
    properties: { kind },
    geometry: { ...geometry, coordinates: geometry.coordinates.map(unrollLine) },
  };
}

function pointFeature({ lon, lat, properties }: Place): object {
  return { type: "Feature", properties, geometry: { type: "Point", coordinates: [lon, lat] } };
}

function slice(features: object[], from: number, to: number): Map<string, TileFeature[]> {
  const index = geojsonvt(
    { type: "FeatureCollection", features },
    { maxZoom: to, indexMaxZoom: to, indexMaxPoints: 0, tolerance: TOLERANCE, extent: EXTENT, buffer: BUFFER },
  );
  const tiles = new Map<string, TileFeature[]>();
  for (const { z, x, y } of index.tileCoords) {
    // Only getTile returns coordinates in tile units.
    const tile = z < from ? null : index.getTile(z, x, y);
    if (tile && tile.features.length > 0) tiles.set(`${z}/${x}/${y}`, tile.features);
  }
  return tiles;
}

function encode([key, layers]: [string, Layers]): ArchiveTile {
  const [z, x, y] = key.split("/").map(Number) as [number, number, number];
  return { z, x, y, data: vtpbf.fromGeojsonVt(layers, { version: 2, extent: EXTENT }) };
}

if (import.meta.main) {
  const outFile = resolve(process.argv[2] ?? ".local/basemap.pmtiles");
  const started = performance.now();
  const bytes = buildBasemap(outFile);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${outFile}: ${(bytes / 1e6).toFixed(2)} MB in ${seconds} s`);
}
