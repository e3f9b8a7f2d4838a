/** Which area of the map chat is a member's: from his published position alone. */
import type { Brand } from "@lambda/brands";
import type { Context } from "../../context.ts";
import type { Database } from "../../db/database.ts";
import { pointOfKey } from "../positions/curve.ts";
import { sectorOfPoint } from "./sectors.ts";

/** His sector; without a living position, that of the brand's first city, where new members are shown. */
export async function findOwnSector(db: Database, brand: Brand, profileId: number, now: number): Promise<number> {
  const row = await db
    .selectFrom("position")
    .select(["key", "ts_effective_until"])
    .where("profile_id", "=", profileId)
    .executeTakeFirst();
  return sectorOfPoint(row && row.ts_effective_until > now ? pointOfKey(row.key) : brand.firstCity);
}

/** The name of the object that fans out one sector of one brand. */
export function areaObject(env: Context["env"], brand: string, sector: number) {
  return env.AREA.getByName(`${brand}:${sector}`);
}
