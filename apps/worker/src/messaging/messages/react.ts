/** The recipient's reaction to a message. Like a receipt it tells that they are here, so it is made only while both see each other. */
import type { ServerEvent } from "@lambda/contract/events";
import type { Reaction } from "@lambda/contract/messages";
import { sql } from "kysely";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { mutuallyVisible } from "../../visibility/visibility.ts";
import { changeMessages } from "./change.ts";
import { sendToMember } from "./deliver.ts";
import { limitMessages } from "./limits.ts";
import { findOwnMessage, isInHistoryOf } from "./queries.ts";
import { getPairAccess } from "./receipts.ts";
import { pairOfMessage } from "./remove.ts";

/**
 * Replaces or, with null, withdraws the viewer's reaction. Throws HIDING, TOO_MANY_REQUESTS, and NOT_FOUND for a message that the viewer did
 * not receive or no longer has, and while its sender is out of their sight for whatever reason.
 */
export async function reactToMessage(ctx: MemberContext, id: number, reaction: Reaction | null): Promise<void> {
  const me = ctx.viewer.profileId;
  await limitMessages(ctx, "");
  if (ctx.viewer.hidden) throw new AppError("HIDING");
  const row = await findOwnMessage(ctx, id);
  if (!row || row.recipient_id !== me) throw new AppError("NOT_FOUND");
  const pair = pairOfMessage(ctx, row);
  const { sender_id: senderId } = row;
  // Message databases do not know who may see whom, so they get the result as a value.
  const isVisible =
    pair.shard === 0
      ? mutuallyVisible(ctx, senderId)
      : sql<boolean>`${(await getPairAccess(ctx, senderId)).mutually_visible}`;
  const { rows } = await changeMessages<[{ id: number }[]]>(ctx, pair, [
    ctx.db
      .updateTable("message as m")
      .set({ reaction })
      .where("m.id", "=", id)
      .where(isInHistoryOf(me))
      .where(isVisible)
      .returning("id"),
  ]);
  if (rows[0].length === 0) throw new AppError("NOT_FOUND");
  const event: ServerEvent = { type: "reacted", messageId: id, reaction };
  ctx.waitUntil(sendToMember(ctx.env, senderId, event, me));
  ctx.waitUntil(sendToMember(ctx.env, me, event, null));
}
