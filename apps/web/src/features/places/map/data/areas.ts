import { AGGREGATE_CELLS_MAX } from "@lambda/contract/limits";
import type { PositionAggregate } from "@lambda/contract/positions";
import { distanceMeters, type Point } from "@lambda/geo/distance";
import { toMercator } from "@lambda/geo/mercator";
import { cluster } from "./clusters.ts";
import type { MapMember } from "./map-types.ts";

/** Bubbles closer than this would hide each other. */
const BUBBLE_GAP_PX = 84;
const GAP_GROWTH = 1.25;
/** About the size of a square degree, which is the smallest counted area. */
const AROUND_METERS = 100_000;
/** Pressing a bubble shows at least this many degrees in each direction. */
const EXTENT_MIN_DEGREES = 0.002;

/** Diameter of a count's bubble in pixels, on a logarithmic scale. */
export function bubbleSize(count: number): number {
  return Math.round(Math.min(88, Math.max(44, 38 + 6 * Math.log2(Math.max(1, count / 3)))));
}

/**
 * Merges counts whose bubbles would overlap at a zoom, and then the nearest ones until at most ten remain. A merged
 * count is placed where most of its members are.
 */
export function mergeAreas(areas: readonly PositionAggregate[], zoom: number): PositionAggregate[] {
  const placed = areas
    .map((area) => ({ area, ...toMercator(area.centerLat, area.centerLon) }))
    .sort((a, b) => b.area.count - a.area.count);
  const merged = clusterToMax(placed, zoom).map(({ leader, members }) => {
    const { area } = leader;
    if (members.length === 1) return area;
    const areas = members.map((member) => member.area);
    const extent = (center: "centerLat" | "centerLon", delta: "deltaLat" | "deltaLon") =>
      Math.max(...areas.map((other) => Math.abs(other[center] - area[center]) + other[delta]));
    return {
      ...area,
      deltaLat: extent("centerLat", "deltaLat"),
      deltaLon: extent("centerLon", "deltaLon"),
      count: areas.reduce((sum, { count }) => sum + count, 0),
    };
  });
  return merged.sort((a, b) => b.count - a.count);
}

/** Clusters at a growing distance until at most AGGREGATE_CELLS_MAX clusters remain. */
function clusterToMax<Placed extends { readonly x: number; readonly y: number }>(
  placed: readonly Placed[],
  zoom: number,
) {
  let gap = BUBBLE_GAP_PX;
  let groups = cluster(placed, zoom, gap);
  while (groups.length > AGGREGATE_CELLS_MAX) {
    gap *= GAP_GROWTH;
    groups = cluster(placed, zoom, gap);
  }
  return groups;
}

export function metersToArea({ centerLat: lat, centerLon: lon }: PositionAggregate, from: Point): number {
  return distanceMeters(from, { lat, lon });
}

/** Whether an area contains a place. A merged area may extend far beyond its members, so its center must be near too. */
export function isAreaAround(area: PositionAggregate, place: Point): boolean {
  const { centerLat: lat, centerLon: lon, deltaLat, deltaLon } = area;
  const isInside = Math.abs(place.lat - lat) <= deltaLat && Math.abs(place.lon - lon) <= deltaLon;
  return isInside && metersToArea(area, place) <= AROUND_METERS;
}

export function countMembers(members: readonly MapMember[], zoom: number): PositionAggregate[] {
  const placed = members
    .map((member) => ({ member, ...toMercator(member.lat, member.lon) }))
    .sort((a, b) => a.member.profileId - b.member.profileId);
  return clusterToMax(placed, zoom).map(({ leader, members: joined }) => {
    const { lat, lon, tsUpdated } = leader.member;
    const extent = (center: number, coordinate: (member: MapMember) => number) =>
      Math.max(EXTENT_MIN_DEGREES, ...joined.map(({ member }) => Math.abs(coordinate(member) - center)));
    return {
      centerLat: lat,
      centerLon: lon,
      count: joined.length,
      tsUpdated,
      deltaLat: extent(lat, (member) => member.lat),
      deltaLon: extent(lon, (member) => member.lon),
    };
  });
}
