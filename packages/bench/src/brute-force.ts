/** The reference for "nearest", by checking every member. */
import { type CurveKey, pointOfKey } from "@lambda/geo/curve";
import { distanceMeters, METERS_PER_DEGREE } from "@lambda/geo/distance";
import type { BenchMember } from "./population.ts";

const RADIUS_METERS = (METERS_PER_DEGREE * 180) / Math.PI;

/** Returns a function that lists all ids within a distance, ordered by distance and random order. */
export function nearestByBruteForce(members: readonly BenchMember[]) {
  const chords = new Float64Array(members.length * 3);
  const points = members.map(({ key }) => pointOfKey(key));
  const vector = (lat: number, lon: number): [number, number, number] => {
    const [phi, lambda] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180];
    return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
  };
  for (const [index, { lat, lon }] of points.entries()) chords.set(vector(lat, lon), index * 3);
  return (viewer: { readonly id: number; readonly key: CurveKey }, withinMeters: number): number[] => {
    const center = pointOfKey(viewer.key);
    const [x, y, z] = vector(center.lat, center.lon);
    // The dot product is imprecise at short distances, so it only preselects with a margin of 10 m.
    const minDot = Math.cos((withinMeters + 10) / RADIUS_METERS) - 1e-12;
    const near: { id: number; meters: number; randomOrder: number }[] = [];
    for (let index = 0; index < members.length; index += 1) {
      if (chords[index * 3]! * x + chords[index * 3 + 1]! * y + chords[index * 3 + 2]! * z < minDot) continue;
      const member = members[index]!;
      const meters = distanceMeters(center, points[index]!);
      if (member.id !== viewer.id && meters <= withinMeters)
        near.push({ id: member.id, meters, randomOrder: member.randomOrder });
    }
    near.sort((a, b) => a.meters - b.meters || a.randomOrder - b.randomOrder || a.id - b.id);
    return near.map(({ id }) => id);
  };
}
