import { describe, expect, it } from "vitest";
import { areaCenter, invitationUrl, parseAreaHash } from "../../../../device/invited-area.ts";
import { countsByDistance } from "./area-counts.ts";

const area = (lat: number, lon: number, delta: number, count: number) => ({
  centerLat: lat,
  centerLon: lon,
  deltaLat: delta,
  deltaLon: delta,
  count,
  tsUpdated: "2026-11-22T00:00:00.000Z",
});
const KM = 1000;

describe("countsByDistance", () => {
  const from = { lat: 0, lon: 0 };
  it("counts an area only if all of it is within the distance", () => {
    // One degree is 111 km: the farthest corner of this square is 351 km away, its middle 278 km.
    const areas = [area(0.5, 2.5, 0.5, 7)];
    expect(countsByDistance(from, areas, [100 * KM, 300 * KM, 400 * KM])).toEqual([{ meters: 400 * KM, count: 7 }]);
  });

  it("accumulates counts and skips distances that add nobody", () => {
    const areas = [area(0.5, 0.5, 0.5, 3), area(5.5, 0.5, 0.5, 4), area(50, 50, 8, 20)];
    expect(countsByDistance(from, areas, [200 * KM, 500 * KM, 1000 * KM, 20_100 * KM])).toEqual([
      { meters: 200 * KM, count: 3 },
      { meters: 1000 * KM, count: 7 },
      { meters: 20_100 * KM, count: 27 },
    ]);
    expect(countsByDistance(from, [], [200 * KM])).toEqual([]);
  });

  it("treats an area of half the globe as far away", () => {
    expect(countsByDistance(from, [area(0, 0, 128, 5)], [5000 * KM, 20_100 * KM])).toEqual([
      { meters: 20_100 * KM, count: 5 },
    ]);
  });
});

describe("invitations", () => {
  it("contain only whole degrees and can be parsed", () => {
    const link = invitationUrl({ lat: 33.45, lon: -112.07 }, "https://ember.example");
    expect(link).toBe("https://ember.example/#area=33:-113");
    expect(parseAreaHash(new URL(link).hash)).toBe("33:-113");
    for (const hash of ["#area=33%3A-113", "#area=33:-113).", "#area=33%3a-113!"]) {
      expect(parseAreaHash(hash), hash).toBe("33:-113");
    }
    expect(areaCenter("33:-113")).toEqual({ lat: 33.5, lon: -112.5 });
    for (const hash of ["", "#area=33.45:-112", "#area=33:-113&name=Marco", "#area=333:1"]) {
      expect(parseAreaHash(hash), hash).toBeNull();
    }
  });
});
