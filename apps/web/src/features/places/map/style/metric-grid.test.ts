import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import { describe, expect, test } from "vitest";
import { metricGridLines, metricGridTile, TILE_EXTENT } from "./metric-grid.ts";
import { METRIC_GRID } from "./sources.ts";

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

  test("is encoded as a vector tile", () => {
    const [z, x, y] = tileOf(33.4484, -112.074, 12);
    const layer = new VectorTile(new PbfReader(metricGridTile(z, x, y))).layers[METRIC_GRID]!;
    expect(layer.extent).toBe(TILE_EXTENT);
    const lines = Array.from({ length: layer.length }, (_, index) => layer.feature(index));
    expect(
      lines.map((line) => ({ ...line.properties, points: line.loadGeometry()[0]!.map((at) => [at.x, at.y]) })),
    ).toEqual(metricGridLines(z, x, y));
  });

  test("is empty near the poles", () => {
    expect(metricGridTile(...tileOf(83, 0, 10))).toEqual(new Uint8Array());
    expect(metricGridTile(...tileOf(-84, 0, 10))).toEqual(new Uint8Array());
  });
});
