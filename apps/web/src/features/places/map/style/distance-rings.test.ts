import { expect, test } from "vitest";
import { ringsAround } from "./distance-rings.ts";

function meters([lonA, latA]: number[], [lonB, latB]: number[]): number {
  const [a, b, deltaLon] = [latA!, latB!, lonB! - lonA!].map((degrees) => (degrees * Math.PI) / 180) as [
    number,
    number,
    number,
  ];
  const h = Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(deltaLon / 2) ** 2;
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(h));
}

test.each([
  ["Phoenix", 33.4484, -112.074],
  ["Longyearbyen", 78.22, 15.65],
  ["the date line", -16.8, 179.99],
])("every vertex of a ring is at its radius: %s", (_name, lat, lon) => {
  const rings = ringsAround(lat, lon, "en", "kilometres").filter((ring) => ring.geometry.type === "LineString");
  expect(rings.map((ring) => ring.properties.label)).toContain("2.5 km");
  for (const { geometry, properties } of rings) {
    const [, value, unit] = /^([\d.]+) (k?m)$/.exec(properties.label)!;
    const radius = Number(value) * (unit === "km" ? 1000 : 1);
    for (const vertex of geometry.coordinates as number[][]) {
      expect(Math.abs(meters([lon, lat], vertex) / radius - 1)).toBeLessThan(1e-4);
    }
    expect(geometry.coordinates[0]![1 as never]).toBeGreaterThan(lat);
  }
});

test("labels use the member's units", () => {
  const labels = ringsAround(33.4484, -112.074, "en", "miles").map(({ properties }) => properties.label);
  expect(labels).toContain("750 ft");
  expect(labels).toContain("1.5 mi");
});

test.each(["kilometres", "miles"] as const)("one to five rings are visible at each zoom of the map: %s", (units) => {
  const rings = ringsAround(41.3874, 2.1686, "es", units).filter((ring) => ring.geometry.type === "LineString");
  for (let zoom = 7; zoom <= 18; zoom += 0.5) {
    const shown = rings.filter(({ properties: { from, to } }) => from <= zoom && zoom <= to);
    expect(shown.length).toBeGreaterThanOrEqual(1);
    expect(shown.length).toBeLessThanOrEqual(5);
  }
  expect(rings.map((ring) => ring.properties.label)).toContain(units === "miles" ? "1,5 mi" : "2,5 km");
});
