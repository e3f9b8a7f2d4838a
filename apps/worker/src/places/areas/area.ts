/** The area of the map chat that a member is in, by their published position alone. */
import { BRANDS, type Brand } from "@lambda/brands";
import { type CurveKey, pointOfKey } from "@lambda/geo/curve";
import { sectorOfPoint } from "@lambda/geo/sector";
import { callAfterCommit } from "../../platform/call-object.ts";
import type { Context } from "../../platform/context.ts";
import { notifySquares, squaresOf } from "../../platform/map/squares.ts";
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

/** A member's published position before and after; `from` is null if there was none. */
export type Move = readonly [profileId: number, from: CurveKey | null, to: CurveKey];

type Objects = Pick<Context["env"], "AREA" | "SQUARE" | "RATE_LIMITER">;

/** Closes area sockets on each brand where a move changes the area, so that they connect again. */
async function closeStaleAreaSockets(env: Objects, moves: readonly Move[]): Promise<void> {
  await Promise.all(
    BRANDS.map(async (brand) => {
      const bySector = Map.groupBy(
        moves.filter(([, from, to]) => sectorOfKey(brand, from) !== sectorOfKey(brand, to)),
        ([, from]) => sectorOfKey(brand, from),
      );
      const dismiss = [...bySector].map(([sector, moved]) =>
        callAfterCommit(async () => areaObject(env, brand.id, sector).dismiss(moved.map(([profileId]) => profileId))),
      );
      await Promise.all(dismiss);
    }),
  );
}

/** Closes the area sockets that moves make stale, and updates the open maps at both places. `by` pays for what that wakes. */
export async function notifyMoved(env: Objects, moves: readonly Move[], by: number | null): Promise<void> {
  await Promise.all([
    closeStaleAreaSockets(env, moves),
    notifySquares(
      env,
      moves.map(([id, from, to]) => [[from, to], { id, was: 0 }]),
      by,
    ),
  ]);
}

/** Names what a move tells: squares, and areas that it may leave. */
export const objectsOfMove = (from: CurveKey | null, to: CurveKey): string[] =>
  BRANDS.flatMap(({ id, firstCity }) => [
    ...[...squaresOf([from, to])].map((square) => `${id}:${square}`),
    `${id} ${sectorOfKey({ firstCity }, from)}`,
  ]);
