/**
 * Who watches the map hears who changed there (social/nearby/square-object.ts): whatever moves a member on it, changes their brief or
 * takes them off tells the object of each square and brand. A square is a degree on each side.
 */
import { BRANDS } from "@lambda/brands";
import { type CurveKey, KEYS_PER_SECTOR, keyOfPoint } from "@lambda/geo/curve";
import type { Database } from "../db/database.ts";
import type { Env } from "../env.ts";
import type { SquareChange } from "../objects.ts";

const squareOf = (key: CurveKey) => Math.floor(key / KEYS_PER_SECTOR);

/** The south-west corner of a place's square. The north pole belongs to the northernmost row, and 180 degrees east is 180 degrees west. */
export function cornerOf({ lat, lon }: { lat: number; lon: number }): { lat: number; lon: number } {
  return { lat: Math.min(89, Math.floor(lat)), lon: lon >= 180 ? -180 : Math.floor(lon) };
}

/** @param corner the south-west one, in whole degrees */
export function squareObject(
  { SQUARE }: Pick<Env, "SQUARE">,
  brand: string,
  { lat, lon }: { lat: number; lon: number },
) {
  return SQUARE.getByName(`${brand}:${squareOf(keyOfPoint({ lat: lat + 0.5, lon: lon + 0.5 }))}`);
}

/** @param keys where the member is or was published; null: nowhere */
export async function tellSquares(
  { SQUARE }: Pick<Env, "SQUARE">,
  keys: readonly (CurveKey | null)[],
  happened: Omit<SquareChange, "ts">,
): Promise<void> {
  const change: SquareChange = { ...happened, ts: Date.now() };
  const squares = new Set(keys.filter((key) => key !== null).map(squareOf));
  await Promise.all(
    BRANDS.flatMap((brand) => [...squares].map((square) => SQUARE.getByName(`${brand.id}:${square}`).change([change]))),
  );
}

/**
 * The same of a member whose place is not known here, after the change. Brands that they share with are taken for those that listed them.
 *
 * @param wasSeen false where nobody who is told could see them before
 */
export async function tellSquaresOf(
  { env, db }: { readonly env: Pick<Env, "SQUARE">; readonly db: Database },
  id: number,
  { only, wasSeen = true }: { readonly only?: number; readonly wasSeen?: boolean } = {},
): Promise<void> {
  const row = await db
    .selectFrom("position as o")
    .innerJoin("profile as p", "p.id", "o.profile_id")
    .select(["o.key", "p.hidden", "p.shared_on"])
    .where("o.profile_id", "=", id)
    .executeTakeFirst();
  if (!row) return;
  const was = row.hidden === 1 || !wasSeen ? 0 : row.shared_on;
  await tellSquares(env, [row.key], { id, was, ...(only !== undefined && { only }) });
}
