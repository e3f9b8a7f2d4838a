/** Which area of the map chat is a member's: from their published position alone. */
import { BRANDS, type Brand } from "@lambda/brands";
import type { CurveKey } from "@lambda/geo/curve";
import { pointOfKey } from "@lambda/geo/curve";
import { sectorOfPoint } from "@lambda/geo/sector";
import type { Context } from "../../platform/context.ts";
import { tellSquares } from "../../platform/map/squares.ts";
import type { MemberContext } from "../../platform/trpc.ts";

/** The sector of a published position; of none (null), that of the brand's first city, where new members are shown. */
export function sectorOfKey(brand: Pick<Brand, "firstCity">, key: CurveKey | null): number {
  return sectorOfPoint(key === null ? brand.firstCity : pointOfKey(key));
}

export function ownSector({ viewer, brand, now }: Pick<MemberContext, "viewer" | "brand" | "now">): number {
  const { position } = viewer;
  return sectorOfKey(brand, position && position.ts_effective_until > now ? position.key : null);
}

/** The name of the object that fans out one sector of one brand. */
export function areaObject(env: Pick<Context["env"], "AREA">, brand: string, sector: number) {
  return env.AREA.getByName(`${brand}:${sector}`);
}

/** A member's published position moved (null: there was none): where that changes their area, their sockets there have to connect again. */
async function leaveArea(
  env: Pick<Context["env"], "AREA">,
  profileId: number,
  from: CurveKey | null,
  to: CurveKey,
): Promise<void> {
  const left = BRANDS.filter((brand) => sectorOfKey(brand, from) !== sectorOfKey(brand, to));
  await Promise.all(left.map((brand) => areaObject(env, brand.id, sectorOfKey(brand, from)).dismiss(profileId)));
}

/** The same, and those who watch the map at either place are told. */
export async function moveOnMap(
  env: Pick<Context["env"], "AREA" | "SQUARE">,
  profileId: number,
  from: CurveKey | null,
  to: CurveKey,
): Promise<void> {
  await Promise.all([leaveArea(env, profileId, from, to), tellSquares(env, [from, to], { id: profileId, was: 0 })]);
}

/** A member's position is over: they are on no map any more. */
export function leaveMap(env: Pick<Context["env"], "SQUARE">, id: number, key: CurveKey, was: number): Promise<void> {
  return tellSquares(env, [key], { id, was });
}
