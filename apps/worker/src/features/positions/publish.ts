/**
 * What others see of a cell: a point inside it that depends on the member, the cell and a secret key, and on nothing
 * else. Asking again, moving about inside the cell, or adding up answers gives the same point for ever.
 */
import { cellBounds, snap } from "@lambda/contract/grid";
import { POSITION_JITTER_DEGREES } from "@lambda/contract/limits";
import { keyOfPoint } from "./curve.ts";

/** The published point keeps this part of the cell away from its edges, so that rounding never leaves the cell. */
const INNER_PART = 0.9;

const keys = new Map<string, Promise<CryptoKey>>();

function importKey(secret: string): Promise<CryptoKey> {
  if (!secret) throw new Error("POSITION_KEY is not set");
  let key = keys.get(secret);
  if (!key) {
    key = crypto.subtle.importKey("raw", new TextEncoder().encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
      "sign",
    ]);
    keys.set(secret, key);
  }
  return key;
}

/** Two numbers in [0, 1), uniform to whoever lacks the secret. */
async function keyedPair(secret: string, message: string): Promise<[number, number]> {
  const mac = await crypto.subtle.sign("HMAC", await importKey(secret), new TextEncoder().encode(message));
  const view = new DataView(mac);
  return [view.getUint32(0) / 2 ** 32, view.getUint32(4) / 2 ** 32];
}

/** The published position of a member in a cell, as its place on the curve. */
export async function publishedKey(secret: string, profileId: number, cell: number): Promise<number> {
  const [u, v] = await keyedPair(secret, `cell:${profileId}:${cell}`);
  const { latMin, latMax, lonMin, lonMax } = cellBounds(cell);
  const inner = (low: number, high: number, part: number) =>
    (low + high) / 2 + (high - low) * INNER_PART * (part - 0.5);
  return keyOfPoint({ lat: inner(latMin, latMax, u), lon: inner(lonMin, lonMax, v) });
}

/** Where a member who chose no position is shown: near the brand's first city, the same cell each time. */
export async function randomCell(
  secret: string,
  profileId: number,
  brand: { readonly id: string; readonly firstCity: { readonly lat: number; readonly lon: number } },
): Promise<number> {
  const [u, v] = await keyedPair(secret, `random:${brand.id}:${profileId}`);
  const jitter = (part: number) => (part * 2 - 1) * POSITION_JITTER_DEGREES;
  return snap(brand.firstCity.lat + jitter(u), brand.firstCity.lon + jitter(v), "street");
}
