import { tellSquares, tellSquaresOf } from "../../platform/map/squares.ts";
import type { MemberContext } from "../../platform/trpc.ts";

/**
 * A block came between two who saw each other, or went: on the map each changes for the other alone, as if they hid or showed themselves.
 * A block on top of another changes nothing for anybody, and is not told.
 */
export function tellOfBlock(ctx: MemberContext, otherId: number, blocked: boolean): void {
  const { profileId: id, position, listedOn } = ctx.viewer;
  ctx.waitUntil(tellSquaresOf(ctx, otherId, { only: id, wasSeen: blocked }));
  if (position) ctx.waitUntil(tellSquares(ctx.env, [position.key], { id, was: blocked ? listedOn : 0, only: otherId }));
}
