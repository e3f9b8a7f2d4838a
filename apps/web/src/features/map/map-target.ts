import type { Point } from "@lambda/geo/distance";

/** Whom and where the address names: /search/map#profileId=&lat=&lng= */
export interface MapTarget {
  readonly profileId: number | null;
  readonly point: Point | null;
}

/** Null where the address names neither; what is no number or not on the globe is left out. */
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
