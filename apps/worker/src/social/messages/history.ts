import type { Conversation, ConversationName, Message } from "@lambda/contract/messages";
import type { z } from "zod";
import { batch } from "../../platform/db/batch.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { type MessageColumns, type PartnerRow, toMessage, toPartner } from "./mappers.ts";
import {
  findOtherSide,
  listConversations,
  listMissed,
  messagesBetweenQuery,
  partnerQuery,
  type Slice,
} from "./queries.ts";

/** A page, and the id to go on from when there may be more. */
export interface MessageList {
  items: Message[];
  nextCursor: number | null;
}

const cursorOf = (ids: number[], size: number) => (ids.length < size ? null : (ids[ids.length - 1] ?? null));

/** The other side's id of a conversation, by the other's id or by one of its messages. Throws NOT_FOUND, BAD_INPUT without either. */
export async function resolveConversation(
  ctx: MemberContext,
  name: z.output<typeof ConversationName>,
): Promise<number> {
  if (name.profileId !== undefined) return name.profileId;
  if (name.messageId === undefined) throw new AppError("BAD_INPUT", { field: "profileId" });
  const other = await findOtherSide(ctx.db, ctx.viewer.profileId, name.messageId);
  if (other === undefined) throw new AppError("NOT_FOUND");
  return other;
}

/**
 * The reader's history with another member. The reader's own block closes it (NOT_FOUND); with a member who is not visible, for
 * whatever reason, it stays, without who they are.
 */
export async function readHistory(
  ctx: MemberContext,
  otherId: number,
  slice: Slice,
): Promise<MessageList & { other: Conversation["other"] }> {
  const me = ctx.viewer.profileId;
  const [[partner], rows] = await batch<[PartnerRow[], MessageColumns[]]>(ctx.d1, [
    partnerQuery(ctx, otherId),
    messagesBetweenQuery(ctx.db, me, otherId, slice),
  ]);
  if (!partner) throw new AppError("NOT_FOUND");
  const other = toPartner(partner, ctx.now);
  // Without a history, one who is not visible does not differ from one who never was.
  if (!other && rows.length === 0) throw new AppError("NOT_FOUND");
  const items = rows.map((row) => toMessage(row, me, other !== null));
  return {
    items,
    other,
    nextCursor: cursorOf(
      rows.map((row) => row.id),
      slice.size,
    ),
  };
}

export async function readConversations(
  ctx: MemberContext,
  slice: Slice,
): Promise<{ items: Conversation[]; nextCursor: number | null }> {
  const rows = await listConversations(ctx, slice);
  const items = rows.map((row) => {
    const other = toPartner(row, ctx.now);
    return { other, unread: row.unread, message: toMessage(row, ctx.viewer.profileId, other !== null) };
  });
  return {
    items,
    nextCursor: cursorOf(
      rows.map((row) => row.id),
      slice.size,
    ),
  };
}

/** What came, or was sent from another device, after an id; oldest first, so that a device can go on from the last. */
export async function readMissed(ctx: MemberContext, since: number, size: number): Promise<MessageList> {
  const rows = await listMissed(ctx, since, size);
  const items = rows.map((row) => toMessage(row, ctx.viewer.profileId, row.visible === 1));
  return {
    items,
    nextCursor: cursorOf(
      rows.map((row) => row.id),
      size,
    ),
  };
}
