/** The area of the map chat that a member is in, by their published position alone. */
import { BRANDS, type Brand } from "@lambda/brands";
import { type CurveKey, pointOfKey } from "@lambda/geo/curve";
import { sectorOfPoint } from "@lambda/geo/sector";
import type { Context } from "../../platform/context.ts";
import { notifySquares } from "../../platform/map/squares.ts";
import type { MemberContext } from "../../platform/trpc.ts";

/**
 * The sector of a published position; without one (null), that of the brand's first city, where new members are shown.
 */
export function sectorOfKey(brand: Pick<Brand, "firstCity">, key: CurveKey | null): number {
  return sectorOfPoint(key === null ? brand.firstCity : pointOfKey(key));
}

export function ownSector({ viewer, brand, now }: Pick<MemberContext, "viewer" | "brand" | "now">): number {
  const { position } = viewer;
  return sectorOfKey(brand, position && position.ts_effective_until > now ? position.key : null);
}

/** The Durable Object that fans out one sector of one brand. */
export function areaObject(env: Pick<Context["env"], "AREA">, brand: string, sector: number) {
  return env.AREA.getByName(`${brand}:${sector}`);
}

/**
 * Closes a member's area sockets on each brand where a move changes their area, so that they connect again. `from` is
 * null if they had no position.
 */
async function closeStaleAreaSockets(
  env: Pick<Context["env"], "AREA">,
  profileId: number,
  from: CurveKey | null,
  to: CurveKey,
): Promise<void> {
  const changed = BRANDS.filter((brand) => sectorOfKey(brand, from) !== sectorOfKey(brand, to));
  await Promise.all(changed.map((brand) => areaObject(env, brand.id, sectorOfKey(brand, from)).dismiss(profileId)));
}

/** Closes the area sockets that a move makes stale, and updates the open maps at both places. */
export async function notifyMoved(
  env: Pick<Context["env"], "AREA" | "SQUARE">,
  profileId: number,
  from: CurveKey | null,
  to: CurveKey,
): Promise<void> {
  await Promise.all([
    closeStaleAreaSockets(env, profileId, from, to),
    notifySquares(env, [from, to], { id: profileId, was: 0 }),
  ]);
}

/** Removes a member whose position has expired from the open maps. */
export function notifyRemoved(
  env: Pick<Context["env"], "SQUARE">,
  id: number,
  key: CurveKey,
  was: number,
  few: number,
): Promise<void> {
  return notifySquares(env, [key], { id, was, few });
}
