import { describe, expect, test } from "vitest";
import { encodeLines } from "../data/vector-tile.ts";
import { metricGridLines, metricGridTile, TILE_EXTENT } from "./metric-grid.ts";

/** The tile at a zoom that contains a point. */
function tileOf(lat: number, lon: number, z: number): [number, number, number] {
  const sine = Math.sin((lat * Math.PI) / 180);
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  return [z, Math.floor(((lon + 180) / 360) * 2 ** z), Math.floor(y * 2 ** z)];
}

describe("the metric grid", () => {
  test.each([
    ["Phoenix", 33.4484, -112.074],
    ["Barcelona", 41.45, 2.1686],
    ["Sydney", -33.8688, 151.2093],
    ["Quito", -0.1807, -78.4678],
  ])("has squares of 1 km by 1 km in %s", (_name, lat, lon) => {
    const lines = metricGridLines(...tileOf(lat, lon, 12)).filter((line) => line.kind === "m1000");
    const gaps = (positions: number[]) => {
      const sorted = [...new Set(positions)].sort((a, b) => a - b);
      return sorted.slice(1).map((at, i) => at - sorted[i]!);
    };
    const rows = gaps(lines.flatMap(({ points: [a, b] }) => (a![1] === b![1] ? [a![1]] : [])));
    const columns = gaps(lines.flatMap(({ points: [a, b] }) => (a![0] === b![0] ? [a![0]] : [])));
    const metersPerUnit = (40_075_016 * Math.cos((lat * Math.PI) / 180)) / 2 ** 12 / TILE_EXTENT;
    // Each tenth line belongs to the coarser grid, which leaves a gap of two.
    for (const gap of [...rows, ...columns]) {
      const meters = gap * metersPerUnit;
      expect(Math.min(Math.abs(meters - 1000), Math.abs(meters - 2000))).toBeLessThan(35);
    }
    expect(rows.length).toBeGreaterThan(3);
    expect(columns.length).toBeGreaterThan(3);
  });

  test("shows finer squares only when zoomed in", () => {
    const kinds = (z: number) => new Set(metricGridLines(...tileOf(33.4484, -112.074, z)).map((line) => line.kind));
    expect(kinds(8)).toEqual(new Set(["m10000"]));
    expect(kinds(11)).toEqual(new Set(["m10000", "m1000"]));
    expect(kinds(14)).toContain("m100");
  });

  test("has few enough lines in a tile not to drop a frame", () => {
    for (const z of [8, 9, 10, 11, 12, 13, 14, 15, 16]) {
      for (const lat of [0, 41.32, 60, 79]) expect(metricGridLines(...tileOf(lat, 2, z)).length).toBeLessThan(120);
    }
  });

  test("is empty near the poles", () => {
    expect(metricGridTile(...tileOf(83, 0, 10))).toEqual(new Uint8Array());
    expect(metricGridTile(...tileOf(-84, 0, 10))).toEqual(new Uint8Array());
  });
});

test("encodes a line as in the vector tile specification", () => {
  const points = [
    [2, 2],
    [2, 10],
    [10, 10],
  ] as const;
  const tile = encodeLines("a", 4096, [{ kind: "b", points }]);
  // The specification's example of a linestring: move to (2, 2), line to (2, 10) and (10, 10).
  const geometry = [9, 4, 4, 18, 0, 16, 16, 0];
  const feature = [0x12, 2, 0, 0, 0x18, 2, 0x22, geometry.length, ...geometry];
  const layer = [0x78, 2, 0x0a, 1, 97, 0x12, feature.length, ...feature]
    .concat([0x1a, 4, ...new TextEncoder().encode("kind"), 0x22, 3, 0x0a, 1, 98])
    .concat([0x28, 0x80, 0x20]);
  expect([...tile]).toEqual([0x1a, layer.length, ...layer]);
});
