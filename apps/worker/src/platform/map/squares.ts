/**
 * Live updates of the map: whatever moves a member, changes their brief or removes them notifies the object of each affected square and
 * brand, and it notifies its watchers (profiles/search/square-object.ts). A square is one degree on each side.
 */
import { BRANDS } from "@lambda/brands";
import { WORK_PRICES } from "@lambda/contract/cost";
import { SQUARE_LISTENERS_MAX } from "@lambda/contract/limits";
import { type CurveKey, KEYS_PER_SECTOR, keyOfPoint } from "@lambda/geo/curve";
import { callAfterCommit } from "../call-object.ts";
import type { Database } from "../db/database.ts";
import type { Env } from "../env.ts";
import { logFault } from "../log.ts";
import type { SquareChange } from "../objects.ts";
import { chargeMember } from "../rate-limits/usage.ts";

export const squaresOf = (keys: readonly (CurveKey | null)[]): ReadonlySet<number> =>
  new Set(keys.filter((key) => key !== null).map(squareOf));

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

/** A change of one member, at the old and new published positions; null if there is none. */
export type MapChange = readonly [keys: readonly (CurveKey | null)[], event: Omit<SquareChange, "ts">];

/** @param by whose day pays for the listeners that it wakes; null for staff, the schedule and strangers */
export async function notifySquares(
  env: Pick<Env, "SQUARE" | "RATE_LIMITER">,
  changes: readonly MapChange[],
  by: number | null,
): Promise<void> {
  const ts = Date.now();
  const bySquare = new Map<number, SquareChange[]>();
  for (const [keys, event] of changes)
    for (const square of squaresOf(keys)) bySquare.set(square, [...(bySquare.get(square) ?? []), { ...event, ts }]);
  const listeners = await Promise.all(
    BRANDS.flatMap(({ id }) =>
      [...bySquare].map(([square, list]) =>
        callAfterCommit(() => env.SQUARE.getByName(`${id}:${square}`).change(list)),
      ),
    ),
  );
  const price = listeners.reduce<number>((sum, count) => sum + priceOfChange(count ?? 0), 0);
  if (by !== null && price > 0)
    await chargeMember(env, by, price).catch((error) => logFault({ event: "squares" }, error));
}

/** The rows and the alarm of a change that is kept until the tick, and what is read for each listener. */
const priceOfChange = (listeners: number) =>
  listeners > 0 ? WORK_PRICES.squareChange + Math.min(listeners, SQUARE_LISTENERS_MAX) * WORK_PRICES.squareListener : 0;

/**
 * The same for a member whose position is looked up, called after the change. Assumes that the brands they share with listed them before.
 *
 * @param only the one member to notify, who could see them before
 * @param wasSeen false if none of the notified viewers could see the member before
 */
export async function notifySquaresOfMember(
  { env, db }: { readonly env: Pick<Env, "SQUARE" | "RATE_LIMITER">; readonly db: Database },
  id: number,
  { only, wasSeen = true, by = null }: { only?: number; wasSeen?: boolean; by?: number | null } = {},
): Promise<void> {
  const row = await db
    .selectFrom("position as o")
    .innerJoin("profile as p", "p.id", "o.profile_id")
    .select(["o.key", "p.hidden", "p.shared_on", "p.discreet_on"])
    .where("o.profile_id", "=", id)
    .executeTakeFirst();
  if (!row) return;
  const { key, hidden, shared_on, discreet_on } = row;
  const wereSeen = hidden === 0 && wasSeen;
  const everybody = { was: wereSeen ? shared_on : 0, few: wereSeen ? discreet_on : 0 };
  const event = only === undefined ? everybody : { was: everybody.was | everybody.few, only };
  return notifySquares(env, [[[key], { id, ...event }]], by);
}
