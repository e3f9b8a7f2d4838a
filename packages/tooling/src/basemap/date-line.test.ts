import { expect, test } from "vitest";
import { unrollFeature, unrollLine } from "./date-line.ts";

test("continues a line across the date line", () => {
  expect(
    unrollLine([
      [170, 1],
      [179, 2],
      [-179, 3],
      [-170, 4],
    ]),
  ).toEqual([
    [170, 1],
    [179, 2],
    [181, 3],
    [190, 4],
  ]);
  expect(
    unrollLine([
      [-179, 1],
      [179, 2],
      [-178, 3],
    ]),
  ).toEqual([
    [-179, 1],
    [-181, 2],
    [-178, 3],
  ]);
});

test("closes a ring around the pole along the edge of the map", () => {
  const ring = [
    [-180, -70],
    [-60, -65],
    [60, -66],
    [-180, -70],
  ];
  const unrolled = unrollFeature({
    type: "Feature",
    properties: {},
    geometry: { type: "Polygon", coordinates: [ring] },
  });
  expect(unrolled.geometry.coordinates[0]).toEqual([
    [-180, -70],
    [-60, -65],
    [60, -66],
    [180, -70],
    [180, -90],
    [-180, -90],
    [-180, -70],
  ]);
});
