import type { Feature } from "topojson-client";

/**
 * The atlas knows the globe: its rings cross the date line and run around the pole. A flat map would draw such a ring
 * as a bar across the world. Here longitudes run on beyond 180 degrees instead; the slicer moves what is outside back.
 */

type Line = number[][];

export function unrollFeature(feature: Feature): Feature {
  const { geometry } = feature;
  if (geometry.type === "Polygon") {
    return { ...feature, geometry: { ...geometry, coordinates: geometry.coordinates.map(unrollRing) } };
  }
  const coordinates = geometry.coordinates.map((polygon) => polygon.map(unrollRing));
  return { ...feature, geometry: { ...geometry, coordinates } };
}

export function unrollLine(line: Line): Line {
  let turn = 0;
  let before = line[0]?.[0] ?? 0;
  return line.map(([lon, lat]) => {
    if (lon! - before > 180) turn -= 360;
    if (lon! - before < -180) turn += 360;
    before = lon!;
    return [lon! + turn, lat!];
  });
}

function unrollRing(ring: Line): Line {
  const line = unrollLine(ring);
  const [first, last] = [line[0]!, line.at(-1)!];
  if (Math.abs(last[0]! - first[0]!) < 180) return line;
  // Once around the pole: the ring is closed along the edge of the map.
  const pole = first[1]! < 0 ? -90 : 90;
  return [...line, [last[0]!, pole], [first[0]!, pole], first];
}
