import { expect, test } from "vitest";
import { parseTarget } from "./map-target.ts";

test.each([
  ["#profileId=7&lat=33.4&lng=-112.1", { profileId: 7, point: { lat: 33.4, lon: -112.1 } }],
  ["#lat=0&lng=0", { profileId: null, point: { lat: 0, lon: 0 } }],
  ["#profileId=7", { profileId: 7, point: null }],
  ["#profileId=7&lat=&lng=", { profileId: 7, point: null }],
  ["#profileId=x&lat=91&lng=0", null],
  ["#profileId=-1.5", null],
  ["", null],
])("parses %s", (hash, target) => {
  expect(parseTarget(hash)).toEqual(target);
});
