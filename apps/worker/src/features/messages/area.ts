/** Which area of the map chat is a member's: from his published position alone. */
import type { Context } from "../../context.ts";
import type { MemberContext } from "../../trpc.ts";
import { pointOfKey } from "../positions/curve.ts";
import { sectorOfPoint } from "./sectors.ts";

/** His sector; without a living position, that of the brand's first city, where new members are shown. */
export function ownSectorOf({ viewer, brand, now }: Pick<MemberContext, "viewer" | "brand" | "now">): number {
  const { position } = viewer;
  return sectorOfPoint(position && position.ts_effective_until > now ? pointOfKey(position.key) : brand.firstCity);
}

/** The name of the object that fans out one sector of one brand. */
export function areaObject(env: Context["env"], brand: string, sector: number) {
  return env.AREA.getByName(`${brand}:${sector}`);
}
