import type { BrandId } from "@lambda/brands";
import type { Point } from "@lambda/geo/distance";

/** Where the demo's members live. Each brand's first city is a part of San Francisco, because the demo's map has its streets. */

/** A part of a town: its center, its radius in degrees of latitude (on dry land), and its number of members. */
export interface Quarter extends Point {
  readonly reach: number;
  readonly members: number;
}

/** Bounds of the demo's street map. */
export const STREETS = { latMin: 37.7, lonMin: -122.52, latMax: 37.83, lonMax: -122.35 } as const;

/** 200 neighbors, most of them near the demo logins. */
export const SAN_FRANCISCO: readonly Quarter[] = [
  { lat: 37.7609, lon: -122.435, reach: 0.005, members: 44 }, // Castro
  { lat: 37.7685, lon: -122.4325, reach: 0.0035, members: 16 }, // Duboce Triangle
  { lat: 37.7599, lon: -122.418, reach: 0.007, members: 24 }, // Mission
  { lat: 37.7502, lon: -122.4337, reach: 0.005, members: 16 }, // Noe Valley
  { lat: 37.77, lon: -122.4469, reach: 0.004, members: 14 }, // Haight
  { lat: 37.7765, lon: -122.4246, reach: 0.004, members: 12 }, // Hayes Valley
  { lat: 37.777, lon: -122.407, reach: 0.006, members: 14 }, // South of Market
  { lat: 37.744, lon: -122.415, reach: 0.005, members: 10 }, // Bernal Heights
  { lat: 37.759, lon: -122.399, reach: 0.005, members: 6 }, // Potrero Hill
  { lat: 37.762, lon: -122.466, reach: 0.006, members: 8 }, // Inner Sunset
  { lat: 37.78, lon: -122.464, reach: 0.006, members: 8 }, // Richmond
  { lat: 37.791, lon: -122.435, reach: 0.005, members: 8 }, // Pacific Heights
  { lat: 37.799, lon: -122.412, reach: 0.004, members: 6 }, // North Beach
  { lat: 37.734, lon: -122.433, reach: 0.005, members: 6 }, // Glen Park
  { lat: 37.7545, lon: -122.49, reach: 0.006, members: 5 }, // Sunset
  { lat: 37.724, lon: -122.43, reach: 0.005, members: 3 }, // Excelsior
];

/** How many more members live in each brand's first city, and in towns around the world. */
export const OTHERS: Record<BrandId, { readonly firstCity: number; readonly towns: number }> = {
  ember: { firstCity: 0, towns: 56 },
  harbor: { firstCity: 40, towns: 10 },
  bramble: { firstCity: 40, towns: 10 },
};

/** Radius of a first city, which is on dry land, and of a town, in degrees of latitude. */
export const FIRST_CITY_REACH = 0.006;
export const TOWN_REACH = 0.06;

export const TOWNS: readonly Point[] = [
  { lat: 33.4484, lon: -112.074 }, // Phoenix
  { lat: 41.3874, lon: 2.1686 }, // Barcelona
  { lat: 45.5152, lon: -122.6784 }, // Portland
  { lat: 34.0522, lon: -118.2437 }, // Los Angeles
  { lat: 40.7428, lon: -73.992 }, // New York
  { lat: 41.8981, lon: -87.6498 }, // Chicago
  { lat: 39.7392, lon: -104.9903 }, // Denver
  { lat: 29.7604, lon: -95.3698 }, // Houston
  { lat: 43.6662, lon: -79.3832 }, // Toronto
  { lat: 19.4326, lon: -99.1332 }, // Mexico City
  { lat: -34.6037, lon: -58.4116 }, // Buenos Aires
  { lat: 51.5136, lon: -0.1365 }, // London
  { lat: 40.4168, lon: -3.7038 }, // Madrid
  { lat: 52.52, lon: 13.405 }, // Berlin
  { lat: 48.8606, lon: 2.3522 }, // Paris
  { lat: -33.8788, lon: 151.2093 }, // Sydney
];
