/**
 * Where a member's cells are, and what others see of them. Both derive from a secret key and the address alone, so that
 * a new account with the same address has the same cells, and asking again, waiting or averaging always gives the same
 * point.
 */
import { POSITION_JITTER_DEGREES } from "@lambda/contract/limits";
import type { CurveKey } from "@lambda/geo/curve";
import { keyOfPoint } from "@lambda/geo/curve";
import type { Point } from "@lambda/geo/distance";
import type { Cell } from "@lambda/geo/grid";
import { type Lattice, latticeOf, publishedPoint } from "@lambda/geo/lattice";
import { keyedHash, latticeSeed } from "../../members/accounts/lattice-seed.ts";
import type { LatticeOwner } from "../../platform/viewer.ts";

export interface Lattices {
  /** The member's cells, known to their own devices and to nobody else. */
  readonly own: Lattice;
  /** The published points. Never sent, though somebody who watches the member for long enough learns it. */
  readonly shown: Lattice;
}

/** Two numbers in [0, 1) that look random without the secret. */
async function keyedPair(secret: string, message: string): Promise<[number, number]> {
  const view = new DataView(await keyedHash(secret, message));
  return [view.getUint32(0) / 2 ** 32, view.getUint32(4) / 2 ** 32];
}

export async function latticesOf(secret: string, owner: LatticeOwner): Promise<Lattices> {
  const seed = Buffer.from(await latticeSeed(secret, owner)).toString("hex");
  const [own, shown] = await Promise.all([keyedPair(secret, `own:${seed}`), keyedPair(secret, `shown:${seed}`)]);
  return { own: latticeOf(...own), shown: latticeOf(...shown) };
}

/** The published position of a cell, as a curve key. */
export function publishedKey({ own, shown }: Lattices, cell: Cell): CurveKey {
  return keyOfPoint(publishedPoint(own, shown, cell));
}

/** The position of a member who chose none: near the brand's first city, and always the same. */
export async function randomPoint(
  secret: string,
  profileId: number,
  brand: { readonly id: string; readonly firstCity: { readonly lat: number; readonly lon: number } },
): Promise<Point> {
  const [u, v] = await keyedPair(secret, `random:${brand.id}:${profileId}`);
  const jitter = (part: number) => (part * 2 - 1) * POSITION_JITTER_DEGREES;
  return { lat: brand.firstCity.lat + jitter(u), lon: brand.firstCity.lon + jitter(v) };
}
