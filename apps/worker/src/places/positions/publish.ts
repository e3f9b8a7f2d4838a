/** What others see of a member's cell. Asking again, waiting or averaging always gives the same point. */
import { POSITION_JITTER_DEGREES } from "@lambda/contract/limits";
import { type CurveKey, keyOfPoint } from "@lambda/geo/curve";
import type { Point } from "@lambda/geo/distance";
import type { Cell } from "@lambda/geo/grid";
import { publishedPoint } from "@lambda/geo/lattice";
import type { Lattices } from "../../accounts/lattices.ts";
import { type Keys, mac } from "../../platform/keys.ts";

export function publishedKey({ own, shown }: Lattices, cell: Cell): CurveKey {
  return keyOfPoint(publishedPoint(own, shown, cell));
}

/** The position of a member who chose none: near the brand's first city, and always the same. */
export function randomPoint(
  env: Keys,
  profileId: number,
  brand: { readonly id: string; readonly firstCity: { readonly lat: number; readonly lon: number } },
): Point {
  const code = mac(env, "random-position", `${brand.id}:${profileId}`);
  const jitter = (offset: number) => ((code.readUInt32BE(offset) / 2 ** 32) * 2 - 1) * POSITION_JITTER_DEGREES;
  return { lat: brand.firstCity.lat + jitter(0), lon: brand.firstCity.lon + jitter(4) };
}
