import type { Conversation, ConversationName, Message } from "@lambda/contract/messages";
import type { z } from "zod";
import { batch } from "../../platform/db/batch.ts";
import { allIfFew, openFor } from "../../platform/db/shards.ts";
import type { TalkRow } from "../../platform/db/tables.ts";
import { AppError } from "../../platform/errors.ts";
import { tellAllNow } from "../../platform/near/watermarks.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { copyPair } from "./change.ts";
import { type MessageColumns, type PartnerRow, pairOf, toMessage, toPartner } from "./mappers.ts";
import { listMissed } from "./missed.ts";
import {
  findOtherSide,
  listConversations,
  messagesBetweenQuery,
  partnerQuery,
  type Slice,
  shardQuery,
  versionQuery,
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
  const other = await findOtherSide(ctx.shards, ctx.viewer.profileId, name.messageId);
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
  const { partner, rows } = await readPair(ctx, otherId, slice);
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

interface PairPage {
  readonly partner: PartnerRow | undefined;
  readonly rows: readonly MessageColumns[];
}

/** Who the other is, which the main database says alone, and their messages. */
async function readPair(ctx: MemberContext, otherId: number, slice: Slice): Promise<PairPage> {
  const me = ctx.viewer.profileId;
  const here = [partnerQuery(ctx, otherId), messagesBetweenQuery(ctx.db, me, otherId, slice)] as const;
  if (ctx.shards.numbers.length === 0) {
    const [[partner], rows] = await batch<[PartnerRow[], MessageColumns[]]>(ctx.d1, here);
    return { partner, rows };
  }
  const named = slice.before ?? slice.since;
  const likely = named === undefined ? (allIfFew(ctx.shards) ?? []) : [openFor(ctx.shards, named).shard];
  const [[[partner], rows, [talk]], ...elsewhere] = await Promise.all([
    batch<[PartnerRow[], MessageColumns[], Pick<TalkRow, "shard" | "version">[]]>(ctx.d1, [
      ...here,
      shardQuery(ctx.db, me, otherId),
    ]),
    // One that does not answer fails nobody whose messages are elsewhere.
    ...likely
      .filter((shard) => shard > 0)
      .map((shard) => readElsewhere(ctx, shard, otherId, slice).catch(() => undefined)),
  ]);
  if (!talk || talk.shard === 0 || !partner) return { partner, rows };
  const { shard, version } = talk;
  const known = elsewhere.find((page) => page?.shard === shard);
  let page = known ?? (await readElsewhere(ctx, shard, otherId, slice));
  const isOlder = page.version < version && ctx.database.leaveReplicaOf(shard);
  if (isOlder) page = await readElsewhere(ctx, shard, otherId, slice);
  // It may close what a message opened, and is told as what the schedule copies.
  if (page.isUntold) ctx.waitUntil(copyPair(ctx, { ...pairOf(me, otherId), shard }).then(() => tellAllNow(ctx.env)));
  return { partner, rows: page.rows };
}

interface ElsewherePage {
  readonly shard: number;
  readonly rows: readonly MessageColumns[];
  readonly version: number;
  /** The main database has an older copy. */
  readonly isUntold: boolean;
}

async function readElsewhere(ctx: MemberContext, shard: number, otherId: number, slice: Slice): Promise<ElsewherePage> {
  const me = ctx.viewer.profileId;
  const { d1, db } = ctx.shards.open(shard);
  const [rows, [talk]] = await batch<[MessageColumns[], Pick<TalkRow, "version" | "told">[]]>(d1, [
    messagesBetweenQuery(db, me, otherId, slice),
    versionQuery(db, me, otherId),
  ]);
  return { shard, rows, version: talk?.version ?? 0, isUntold: talk !== undefined && talk.version > talk.told };
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
  return {
    items,
    nextCursor: cursorOf(
      rows.map((row) => row.last_message_id),
      slice.size,
    ),
  };
}

/** What came, or was sent from another device, after an id; oldest first, so that a device can go on from the last. */
export async function readMissed(ctx: MemberContext, since: number, size: number): Promise<MessageList> {
  const { overlap, after } = await listMissed(ctx, since, size);
  return {
    items: [...overlap, ...after].map((row) => toMessage(row, ctx.viewer.profileId, row.visible === 1)),
    nextCursor: cursorOf(
      after.map((row) => row.id),
      size,
    ),
  };
}
