import { notifySquares, notifySquaresOfMember } from "../../platform/map/squares.ts";
import type { MemberContext } from "../../platform/trpc.ts";

/**
 * Updates both members' open maps after a block or its undoing: each disappears or appears for the other only, as if
 * they had hidden or shown themselves. Another block between the two makes no difference to anybody.
 *
 * @param wasSeen whether the other could see the viewer before a block
 */
export function notifyMapOfBlock(ctx: MemberContext, otherId: number, blocked: boolean, wasSeen: boolean): void {
  const { profileId: id, position, listedOn, fewOn } = ctx.viewer;
  ctx.waitUntil(notifySquaresOfMember(ctx, otherId, { only: id, wasSeen: blocked, by: id }));
  if (position)
    ctx.waitUntil(
      notifySquares(ctx.env, [[[position.key], { id, was: wasSeen ? listedOn | fewOn : 0, only: otherId }]], id),
    );
}
