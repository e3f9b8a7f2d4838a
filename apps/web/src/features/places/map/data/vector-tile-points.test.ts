import { expect, test } from "vitest";
import { metricGridTile } from "../style/metric-grid.ts";
import { METRIC_GRID } from "../style/sources.ts";
import { decodePoints } from "./vector-tile-points.ts";

const bytes = (field: number, content: readonly number[]) => [field * 8 + 2, ...varint(content.length), ...content];
const text = (value: string) => [...new TextEncoder().encode(value)];
const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
const zigzag = (value: number) => varint(value < 0 ? -2 * value - 1 : 2 * value);

test("decodes the points of a layer with their positions and properties", () => {
  const feature = (tags: number[], x: number, y: number) =>
    bytes(2, [...bytes(2, tags), 3 * 8, 1, ...bytes(4, [9, ...zigzag(x), ...zigzag(y)])]);
  const layer = bytes(3, [
    ...bytes(1, text("places")),
    ...feature([0, 0, 1, 1, 2, 2], 1024, 2048),
    ...feature([0, 3], -20, 4100),
    ...["kind", "name", "population"].flatMap((key) => bytes(3, text(key))),
    ...[
      bytes(1, text("city")),
      bytes(1, text("Alcalá")),
      [5 * 8, ...varint(1_600_000)],
      bytes(1, text("quarter")),
    ].flatMap((value) => bytes(4, value)),
    ...[5 * 8, ...varint(4096)],
  ]);
  expect(decodePoints(Uint8Array.from([...metricGridTile(12, 774, 1650), ...layer]), "places")).toEqual([
    { x: 0.25, y: 0.5, properties: { kind: "city", name: "Alcalá", population: 1_600_000 } },
    { x: -20 / 4096, y: 4100 / 4096, properties: { kind: "quarter" } },
  ]);
});

test("finds no points in line features, other layers or an empty tile", () => {
  expect(decodePoints(metricGridTile(12, 774, 1650), METRIC_GRID)).toEqual([]);
  expect(decodePoints(new Uint8Array(), "places")).toEqual([]);
});
