import type { Conversation, ConversationRef, Message } from "@lambda/contract/messages";
import type { z } from "zod";
import { batch } from "../../platform/db/batch.ts";
import { allShardsIfFew, openShardOf } from "../../platform/db/shards.ts";
import { AppError } from "../../platform/errors.ts";
import { announceToAllRegions } from "../../platform/replication/watermarks.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { syncPair } from "./change.ts";
import { pairOf, toMessage, toPartner } from "./mappers.ts";
import { listMissed } from "./missed.ts";
import {
  findOtherId,
  listConversations,
  messagesBetweenQuery,
  pairShardQuery,
  pairVersionQuery,
  partnerQuery,
  type Slice,
} from "./queries.ts";

/** A page, and the id to continue from when there may be more. */
export interface MessageList {
  items: Message[];
  nextCursor: number | null;
}

const nextCursorOf = (ids: number[], size: number) => (ids.length < size ? null : (ids[ids.length - 1] ?? null));

/** The other member's id, given that id itself or one of the conversation's messages. Throws BAD_INPUT without either, and NOT_FOUND. */
export async function resolveOtherId(ctx: MemberContext, ref: z.output<typeof ConversationRef>): Promise<number> {
  if (ref.profileId !== undefined) return ref.profileId;
  if (ref.messageId === undefined) throw new AppError("BAD_INPUT", { field: "profileId" });
  const other = await findOtherId(ctx.shards, ctx.viewer.profileId, ref.messageId);
  if (other === undefined) throw new AppError("NOT_FOUND");
  return other;
}

/**
 * The viewer's history with another member. Throws NOT_FOUND if the viewer blocked them; if they are invisible for any other reason, the
 * history is returned without their identity.
 */
export async function readHistory(
  ctx: MemberContext,
  otherId: number,
  slice: Slice,
): Promise<MessageList & { other: Conversation["other"] }> {
  const me = ctx.viewer.profileId;
  const { partner, rows } = await readPairPage(ctx, otherId, slice);
  if (!partner) throw new AppError("NOT_FOUND");
  const other = toPartner(partner, ctx.now);
  // Without a history, an invisible member must look like one that does not exist.
  if (!other && rows.length === 0) throw new AppError("NOT_FOUND");
  const items = rows.map((row) => toMessage(row, me, other !== null));
  const ids = rows.map((row) => row.id);
  return { items, other, nextCursor: nextCursorOf(ids, slice.size) };
}

/**
 * The other member, whom only the main database knows, and the pair's messages from whichever database holds them. Queries the likely
 * message databases in parallel with the main one, which names the right one.
 */
async function readPairPage(ctx: MemberContext, otherId: number, slice: Slice) {
  const me = ctx.viewer.profileId;
  const mainQueries = [partnerQuery(ctx, otherId), messagesBetweenQuery(ctx.db, me, otherId, slice)] as const;
  if (ctx.shards.numbers.length === 0) {
    const [[partner], rows] = await batch(ctx.d1, mainQueries);
    return { partner, rows };
  }
  const cursor = slice.before ?? slice.since;
  const likely = cursor === undefined ? (allShardsIfFew(ctx.shards) ?? []) : [openShardOf(ctx.shards, cursor).shard];
  const [[[partner], rows, [messagePair]], ...pages] = await Promise.all([
    batch(ctx.d1, [...mainQueries, pairShardQuery(ctx.db, me, otherId)]),
    // A database that is down must not fail members whose messages are in another one.
    ...likely
      .filter((shard) => shard > 0)
      .map((shard) => readFromShard(ctx, shard, otherId, slice).catch(() => undefined)),
  ]);
  if (!messagePair || messagePair.shard === 0 || !partner) return { partner, rows };
  const { shard, version } = messagePair;
  const guessed = pages.find((page) => page?.shard === shard);
  let page = guessed ?? (await readFromShard(ctx, shard, otherId, slice));
  const isStale = page.version < version && ctx.database.switchShardToPrimary(shard);
  if (isStale) page = await readFromShard(ctx, shard, otherId, slice);
  // The copy may revoke access to pictures, so readers of other replicas have to be told of it.
  if (page.isOutdated)
    ctx.waitUntil(syncPair(ctx, { ...pairOf(me, otherId), shard }).then(() => announceToAllRegions(ctx.env)));
  return { partner, rows: page.rows };
}

/** The pair's page in one database, and whether the main database's copy of the pair is older. */
async function readFromShard(ctx: MemberContext, shard: number, otherId: number, slice: Slice) {
  const me = ctx.viewer.profileId;
  const { d1, db } = ctx.shards.open(shard);
  const [rows, [messagePair]] = await batch(d1, [
    messagesBetweenQuery(db, me, otherId, slice),
    pairVersionQuery(db, me, otherId),
  ]);
  return {
    shard,
    rows,
    version: messagePair?.version ?? 0,
    isOutdated: messagePair !== undefined && messagePair.version > messagePair.synced_version,
  };
}

export async function readConversations(
  ctx: MemberContext,
  slice: Slice,
): Promise<{ items: Conversation[]; nextCursor: number | null }> {
  const rows = await listConversations(ctx, slice);
  const items = rows.flatMap(({ message, unread, ...row }) => {
    const other = toPartner(row, ctx.now);
    return message ? [{ other, unread, message: toMessage(message, ctx.viewer.profileId, other !== null) }] : [];
  });
  const ids = rows.map((row) => row.last_message_id);
  return { items, nextCursor: nextCursorOf(ids, slice.size) };
}

/** Messages received, or sent from another device, after an id. Oldest first, so that a device can continue from the last one. */
export async function readMissed(ctx: MemberContext, since: number, size: number): Promise<MessageList> {
  const { overlap, after } = await listMissed(ctx, since, size);
  const ids = after.map((row) => row.id);
  const items = [...overlap, ...after].map((row) => toMessage(row, ctx.viewer.profileId, row.visible === 1));
  return { items, nextCursor: nextCursorOf(ids, size) };
}
