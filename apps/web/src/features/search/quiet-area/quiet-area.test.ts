import { describe, expect, it } from "vitest";
import { areaOfHash, invitationTo, middleOfArea } from "../../../device/invited-area.ts";
import { countsAround } from "./area-counts.ts";

const area = (lat: number, lon: number, delta: number, count: number) => ({
  centerLat: lat,
  centerLon: lon,
  deltaLat: delta,
  deltaLon: delta,
  count,
  tsUpdated: "2026-11-22T00:00:00.000Z",
});
const KM = 1000;

describe("who is how far away", () => {
  const from = { lat: 0, lon: 0 };
  it("counts an area only once all of it is near enough", () => {
    // One degree is 111 km: the farthest corner of this square is 351 km away, its middle 278 km.
    const areas = [area(0.5, 2.5, 0.5, 7)];
    expect(countsAround(from, areas, [100 * KM, 300 * KM, 400 * KM])).toEqual([{ meters: 400 * KM, count: 7 }]);
  });

  it("adds outwards, and names a distance only where it adds somebody", () => {
    const areas = [area(0.5, 0.5, 0.5, 3), area(5.5, 0.5, 0.5, 4), area(50, 50, 8, 20)];
    expect(countsAround(from, areas, [200 * KM, 500 * KM, 1000 * KM, 20_100 * KM])).toEqual([
      { meters: 200 * KM, count: 3 },
      { meters: 1000 * KM, count: 7 },
      { meters: 20_100 * KM, count: 27 },
    ]);
    expect(countsAround(from, [], [200 * KM])).toEqual([]);
  });

  it("takes a square that is half the globe for far", () => {
    expect(countsAround(from, [area(0, 0, 128, 5)], [5000 * KM, 20_100 * KM])).toEqual([
      { meters: 20_100 * KM, count: 5 },
    ]);
  });
});

describe("an invitation", () => {
  it("carries whole degrees and nothing else, and is read back", () => {
    const link = invitationTo({ lat: 33.45, lon: -112.07 }, "https://ember.example");
    expect(link).toBe("https://ember.example/#area=33:-113");
    expect(areaOfHash(new URL(link).hash)).toBe("33:-113");
    expect(middleOfArea("33:-113")).toEqual({ lat: 33.5, lon: -112.5 });
    for (const hash of ["", "#area=33.45:-112", "#area=33:-113&name=Marco", "#area=333:1"]) {
      expect(areaOfHash(hash), hash).toBeNull();
    }
  });
});
