/**
 * Live updates of the map: whatever moves a member, changes their brief or removes them notifies the object of each affected square and
 * brand, and it notifies its watchers (profiles/search/square-object.ts). A square is one degree on each side.
 */
import { BRANDS } from "@lambda/brands";
import { type CurveKey, KEYS_PER_SECTOR, keyOfPoint } from "@lambda/geo/curve";
import type { Database } from "../db/database.ts";
import type { Env } from "../env.ts";
import type { SquareChange } from "../objects.ts";

const squareOf = (key: CurveKey) => Math.floor(key / KEYS_PER_SECTOR);

/** The south-west corner of a point's square. The north pole belongs to the northernmost row, and 180° E equals 180° W. */
export function cornerOf({ lat, lon }: { lat: number; lon: number }): { lat: number; lon: number } {
  return { lat: Math.min(89, Math.floor(lat)), lon: lon >= 180 ? -180 : Math.floor(lon) };
}

/** @param corner the square's south-west corner, in whole degrees */
export function squareObject(
  { SQUARE }: Pick<Env, "SQUARE">,
  brand: string,
  { lat, lon }: { lat: number; lon: number },
) {
  return SQUARE.getByName(`${brand}:${squareOf(keyOfPoint({ lat: lat + 0.5, lon: lon + 0.5 }))}`);
}

/** @param keys the member's old and new published positions; null if there is none */
export async function notifySquares(
  { SQUARE }: Pick<Env, "SQUARE">,
  keys: readonly (CurveKey | null)[],
  event: Omit<SquareChange, "ts">,
): Promise<void> {
  const change: SquareChange = { ...event, ts: Date.now() };
  const squares = new Set(keys.filter((key) => key !== null).map(squareOf));
  await Promise.all(
    BRANDS.flatMap((brand) => [...squares].map((square) => SQUARE.getByName(`${brand.id}:${square}`).change([change]))),
  );
}

/**
 * The same for a member whose position is looked up, called after the change. Assumes that the brands they share with listed them before.
 *
 * @param only the one member to notify, who could see them before
 * @param wasSeen false if none of the notified viewers could see the member before
 */
export async function notifySquaresOfMember(
  { env, db }: { readonly env: Pick<Env, "SQUARE">; readonly db: Database },
  id: number,
  { only, wasSeen = true }: { readonly only?: number; readonly wasSeen?: boolean } = {},
): Promise<void> {
  const row = await db
    .selectFrom("position as o")
    .innerJoin("profile as p", "p.id", "o.profile_id")
    .select(["o.key", "p.hidden", "p.shared_on", "p.discreet_on"])
    .where("o.profile_id", "=", id)
    .executeTakeFirst();
  if (!row) return;
  if (row.hidden === 1 || !wasSeen)
    return notifySquares(env, [row.key], { id, was: 0, ...(only !== undefined && { only }) });
  if (only !== undefined) return notifySquares(env, [row.key], { id, was: row.shared_on | row.discreet_on, only });
  return notifySquares(env, [row.key], { id, was: row.shared_on, few: row.discreet_on });
}
