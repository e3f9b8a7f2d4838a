import { AGGREGATE_CELLS_MAX } from "@lambda/contract/limits";
import type { PositionAggregate } from "@lambda/contract/positions";
import { distanceMeters, type Point } from "@lambda/geo/distance";
import { toMercator } from "@lambda/geo/mercator";
import { cluster } from "./clusters.ts";
import type { MapMember } from "./map-types.ts";

/** Bubbles closer than this would hide each other. */
const BUBBLE_GAP_PX = 84;
const GAP_GROWTH = 1.25;
/** About a square degree, the least that is counted. */
const AROUND_METERS = 100_000;
/** Pressing a bubble opens at least this many degrees on each side. */
const LEAST_REACH = 0.002;

/** A bubble of counts; as wide as its number is large. */
export function bubbleSize(count: number): number {
  return Math.round(Math.min(88, Math.max(44, 38 + 6 * Math.log2(Math.max(1, count / 3)))));
}

/**
 * Joins counts whose bubbles would cover each other at a zoom, and where there are more than ten the nearest to each other;
 * the sums stand where most of the members are.
 */
export function mergeAreas(areas: readonly PositionAggregate[], zoom: number): PositionAggregate[] {
  const placed = areas
    .map((area) => ({ area, ...toMercator(area.centerLat, area.centerLon) }))
    .sort((a, b) => b.area.count - a.area.count);
  const merged = atMostTen(placed, zoom).map(({ leader, members }) => {
    const { area } = leader;
    if (members.length === 1) return area;
    const all = members.map((member) => member.area);
    const reach = (centre: "centerLat" | "centerLon", delta: "deltaLat" | "deltaLon") =>
      Math.max(...all.map((one) => Math.abs(one[centre] - area[centre]) + one[delta]));
    return {
      ...area,
      deltaLat: reach("centerLat", "deltaLat"),
      deltaLon: reach("centerLon", "deltaLon"),
      count: all.reduce((sum, { count }) => sum + count, 0),
    };
  });
  return merged.sort((a, b) => b.count - a.count);
}

/** Groups of what stands close together; where there are more than ten, of what stands less close. */
function atMostTen<Placed extends { readonly x: number; readonly y: number }>(placed: readonly Placed[], zoom: number) {
  let gap = BUBBLE_GAP_PX;
  let groups = cluster(placed, zoom, gap);
  while (groups.length > AGGREGATE_CELLS_MAX) {
    gap *= GAP_GROWTH;
    groups = cluster(placed, zoom, gap);
  }
  return groups;
}

/** How far the middle of an area is. */
export function metersTo({ centerLat: lat, centerLon: lon }: PositionAggregate, from: Point): number {
  return distanceMeters(from, { lat, lon });
}

/** Whether an area is the one around a place. One that was merged may reach far beyond the members in it, so it has to be near too. */
export function isAround(area: PositionAggregate, place: Point): boolean {
  const { centerLat: lat, centerLon: lon, deltaLat, deltaLon } = area;
  const isInside = Math.abs(place.lat - lat) <= deltaLat && Math.abs(place.lon - lon) <= deltaLon;
  return isInside && metersTo(area, place) <= AROUND_METERS;
}

/** Counts of members who are known one by one but are too many to be shown so. */
export function countMembers(members: readonly MapMember[], zoom: number): PositionAggregate[] {
  const placed = members
    .map((member) => ({ member, ...toMercator(member.lat, member.lon) }))
    .sort((a, b) => a.member.profileId - b.member.profileId);
  return atMostTen(placed, zoom).map(({ leader, members: joined }) => {
    const { lat, lon, tsUpdated } = leader.member;
    const reach = (from: number, of: (member: MapMember) => number) =>
      Math.max(LEAST_REACH, ...joined.map(({ member }) => Math.abs(of(member) - from)));
    return {
      centerLat: lat,
      centerLon: lon,
      count: joined.length,
      tsUpdated,
      deltaLat: reach(lat, (member) => member.lat),
      deltaLon: reach(lon, (member) => member.lon),
    };
  });
}
