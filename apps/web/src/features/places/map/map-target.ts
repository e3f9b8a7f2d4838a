import type { Point } from "@lambda/geo/distance";

/** The member and place in the URL: /search/map#profileId=&lat=&lng= */
export interface MapTarget {
  readonly profileId: number | null;
  readonly point: Point | null;
}

/** Ignores values that are not numbers or not on the globe. Null if neither a member nor a place remains. */
export function parseTarget(hash: string): MapTarget | null {
  const values = new URLSearchParams(hash.replace(/^#/, ""));
  const number = (name: string) => {
    const text = values.get(name);
    return text === null || text.trim() === "" || !Number.isFinite(Number(text)) ? null : Number(text);
  };
  const [id, lat, lon] = [number("profileId"), number("lat"), number("lng")];
  const profileId = id !== null && Number.isSafeInteger(id) && id > 0 ? id : null;
  const point = lat !== null && lon !== null && Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null;
  return profileId === null && !point ? null : { profileId, point };
}
