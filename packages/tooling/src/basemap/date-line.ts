import type { Feature } from "topojson-client";

/**
 * The atlas has rings that cross the date line and enclose the pole, which a flat map would draw as bars across the world. Here
 * longitudes continue beyond 180 degrees instead; the tile slicer wraps them.
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
  let offset = 0;
  let previous = line[0]?.[0] ?? 0;
  return line.map(([lon, lat]) => {
    if (lon! - previous > 180) offset -= 360;
    if (lon! - previous < -180) offset += 360;
    previous = lon!;
    return [lon! + offset, lat!];
  });
}

function unrollRing(ring: Line): Line {
  const line = unrollLine(ring);
  const [first, last] = [line[0]!, line.at(-1)!];
  if (Math.abs(last[0]! - first[0]!) < 180) return line;
  // The ring encloses a pole, so close it along the edge of the map.
  const pole = first[1]! < 0 ? -90 : 90;
  return [...line, [last[0]!, pole], [first[0]!, pole], first];
}
