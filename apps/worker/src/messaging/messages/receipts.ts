/**
 * Delivery and read receipts, and reactions. Each reveals to the sender that the reader is online, so it is written and sent only while
 * they may see each other; the reader's own unread count falls in any case.
 */

import type { ServerEvent } from "@lambda/contract/events";
import type { DeliveryReceipt, Reaction } from "@lambda/contract/messages";
import { type RawBuilder, sql } from "kysely";
import { deleteNotificationsAbout } from "../../notifications/queries.ts";
import { type Database, indexedBy, itemsOf } from "../../platform/db/database.ts";
import { groupByDatabase } from "../../platform/db/message-databases.ts";
import { AppError } from "../../platform/errors.ts";
import { toIso } from "../../platform/iso-time.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { mutuallyVisible, notBlockedBy, type ViewerContext } from "../../visibility/visibility.ts";
import { pairDatabase } from "../wrote-to.ts";
import { changeMessages } from "./change.ts";
import { sendToMember } from "./deliver.ts";
import { limitMessages } from "./limits.ts";
import { pairOf } from "./mappers.ts";
import type { Pair } from "./pair-state.ts";
import { findOwnMessage, isInHistoryOf, listDatabasesOf } from "./queries.ts";
import { pairOfMessage } from "./remove.ts";
import { lowerUnreadQuery, toldTime } from "./told-receipts.ts";

/** Messages marked in one statement: whoever was away for a year would otherwise wait for all of them. */
const READ_BATCH_MAX = 500;
const READ_ROUNDS_MAX = 100;

/**
 * Marks the messages up to an id as read, and returns the unread count, which never rises. Throws NOT_FOUND when there is no conversation
 * with the other member or the reader blocked them.
 */
export async function markRead(ctx: MemberContext, otherId: number, upTo: number): Promise<{ unread: number }> {
  const me = ctx.viewer.profileId;
  const pair = { ...pairOf(me, otherId), database: 0 };
  let access: PairAccess | null = null;
  if (ctx.messageDatabases.numbers.length > 0) {
    access = await getPairAccess(ctx, otherId);
    pair.database = access.database ?? 0;
  }
  // Message databases do not know who may see whom, so they get the result as a value.
  const known = pair.database === 0 ? null : access;
  const { rows } = await changeMessages<[{ ts_recipient_read: number }[], { unread: number }[]], [unknown[]]>(
    ctx,
    pair,
    [markReadQuery(ctx, otherId, upTo, known), lowerOwnUnreadQuery(ctx, otherId, upTo, known)],
    [deleteNotificationsAbout(ctx.db, otherId, me, ["message"])],
  );
  const [marked, conversations] = rows;
  const conversation = conversations[0];
  if (!conversation) throw new AppError("NOT_FOUND");
  const ts = toIso(ctx.now);
  const seen = { type: "seen", profileId: me, upToMessageId: upTo, ts } as const;
  ctx.waitUntil(sendToMember(ctx.env, me, { ...seen, withProfileId: null }, null));
  if (marked.some((row) => row.ts_recipient_read > 0))
    ctx.waitUntil(sendToMember(ctx.env, otherId, { ...seen, withProfileId: otherId }, me));
  if (marked.length === READ_BATCH_MAX) ctx.waitUntil(markRest(ctx, pair, otherId, upTo));
  return conversation;
}

/** Marks what is newer than the first batch, after the answer. What is left then is marked when the conversation is next read. */
async function markRest(ctx: MemberContext, pair: Pair, otherId: number, upTo: number): Promise<void> {
  const isMain = pair.database === 0;
  for (let round = 0; round < READ_ROUNDS_MAX; round += 1) {
    // Asked again each time, as either of them may hide or block meanwhile.
    const known = isMain ? null : await getPairAccess(ctx, otherId);
    const { rows } = await changeMessages<[{ id: number }[]]>(ctx, pair, [markReadQuery(ctx, otherId, upTo, known)]);
    if (rows[0].length < READ_BATCH_MAX) return;
  }
}

/** What only the main database knows about a pair. */
type PairAccess = Awaited<ReturnType<typeof getPairAccess>>;

function getPairAccess(ctx: MemberContext, otherId: number) {
  const me = ctx.viewer.profileId;
  return ctx.db
    .selectNoFrom([
      pairDatabase(me, otherId).as("database"),
      sql<0 | 1>`${mutuallyVisible(ctx, otherId)}`.as("mutually_visible"),
      sql<0 | 1>`${notBlockedBy(me, otherId)}`.as("not_blocked"),
    ])
    .executeTakeFirstOrThrow();
}

function markReadQuery(ctx: MemberContext, otherId: number, upTo: number, known: PairAccess | null) {
  const me = ctx.viewer.profileId;
  const now = toldTime(me, otherId, ctx.now);
  return ctx.db
    .updateTable("message")
    .set({ ts_recipient_read: now, ts_delivered: sql<number>`iif(ts_delivered > 0, ts_delivered, ${now})` })
    .where("id", "in", (unread) =>
      unread
        .selectFrom(indexedBy("message", "u", "message_unread"))
        .select("u.id")
        .where("u.recipient_id", "=", me)
        .where("u.sender_id", "=", otherId)
        .where("u.id", "<=", upTo)
        .where("u.ts_recipient_read", "is", null)
        .where(known ? sql<boolean>`${known.mutually_visible}` : mutuallyVisible(ctx, otherId))
        // The newest come last: while it is unread, the reader's next look at the conversation goes on with what was cut off.
        .orderBy("u.id")
        .limit(READ_BATCH_MAX),
    )
    .returning(sql<number>`ts_recipient_read`.as("ts_recipient_read"));
}

/** Returns no row when the reader blocked the other member. */
function lowerOwnUnreadQuery({ db, viewer }: MemberContext, otherId: number, upTo: number, known: PairAccess | null) {
  const me = viewer.profileId;
  return lowerUnreadQuery(db, me, otherId, upTo)
    .where(known ? sql<boolean>`${known.not_blocked}` : notBlockedBy(me, sql.ref("conversation.other_id")))
    .returning("unread");
}

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
    pair.database === 0
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

/** What a receipt needs from a request, so that a socket can provide it too. */
type ReceiptContext = Pick<MemberContext, "env" | "db" | "messageDatabases" | "now" | "waitUntil"> & ViewerContext;

/** Waiting messages that are marked in one call; the rest wait for the next device. */
const RECEIPTS_BATCH_MAX = 500;

/**
 * Marks messages to the viewer as delivered and notifies their senders, ignoring ids of other members' messages. Returns the ids that
 * were marked by this call, oldest first.
 */
export async function markDelivered(ctx: ReceiptContext, receipt: DeliveryReceipt): Promise<number[]> {
  const me = ctx.viewer.profileId;
  const rows = (await Promise.all(await markInAllDatabases(ctx, receipt))).flat();
  const ts = toIso(ctx.now);
  for (const senderId of new Set(rows.map((row) => row.sender_id))) {
    const ids = rows.filter((row) => row.sender_id === senderId && row.ts_delivered > 0).map((row) => row.id);
    if (ids.length === 0) continue;
    const event: ServerEvent = { type: "delivered", profileId: me, messageIds: ids, ts };
    ctx.waitUntil(sendToMember(ctx.env, senderId, event, me));
  }
  return rows.map((row) => row.id).sort((a, b) => a - b);
}

/** Starts the update in all databases concerned, in parallel. */
async function markInAllDatabases(ctx: ReceiptContext, { messageIds, upToMessageId }: DeliveryReceipt) {
  const { db, messageDatabases, viewer } = ctx;
  if (upToMessageId === undefined)
    return [...groupByDatabase(messageDatabases, messageIds ?? [])].map(([database, ids]) => {
      const isNamed = sql<boolean>`w.id in (select value from json_each(${JSON.stringify(ids)}))`;
      return database === 0 ? markInMain(ctx, isNamed) : markInOther(ctx, database, isNamed);
    });
  const isBefore = sql<boolean>`w.id <= ${upToMessageId}`;
  const others = await listDatabasesOf(db, messageDatabases.numbers, viewer.profileId);
  return [markInMain(ctx, isBefore), ...others.map((database) => markInOther(ctx, database, isBefore))];
}

/** Undelivered messages to the reader. */
const selectWaiting = (db: Database, readerId: number, isMeant: RawBuilder<boolean>) =>
  db
    .selectFrom(indexedBy("message", "w", "message_undelivered"))
    .where("w.recipient_id", "=", readerId)
    .where("w.ts_delivered", "is", null)
    .where("w.filtered", "=", 0)
    .where(isMeant);

function markInMain(ctx: ReceiptContext, isMeant: RawBuilder<boolean>) {
  const waiting = selectWaiting(ctx.db, ctx.viewer.profileId, isMeant);
  return updateDelivered(ctx, ctx.db, waiting.where(mutuallyVisible(ctx, sql.ref("w.sender_id"))));
}

/** A message database does not know who may see whom, so the main one is asked about the senders first. */
async function markInOther(ctx: ReceiptContext, database: number, isMeant: RawBuilder<boolean>) {
  const { db } = ctx.messageDatabases.open(database);
  const waiting = selectWaiting(db, ctx.viewer.profileId, isMeant);
  const senders = await waiting.select("w.sender_id").distinct().execute();
  if (senders.length === 0) return [];
  const senderIds = senders.map(({ sender_id }) => sender_id);
  const visible = await ctx.db
    .selectFrom(itemsOf(senderIds, "s"))
    .select("s.value as id")
    .where(mutuallyVisible(ctx, sql.ref("s.value")))
    .execute();
  if (visible.length === 0) return [];
  const visibleIds = JSON.stringify(visible.map(({ id }) => id));
  return updateDelivered(
    ctx,
    db,
    waiting.where(sql<boolean>`w.sender_id in (select value from json_each(${visibleIds}))`),
  );
}

/** The limit comes last: messages whose senders must not be told wait forever, and must not take the places of the rest. */
function updateDelivered(ctx: ReceiptContext, db: Database, waiting: ReturnType<typeof selectWaiting>) {
  return db
    .updateTable("message")
    .set({ ts_delivered: toldTime(ctx.viewer.profileId, sql.ref("message.sender_id"), ctx.now) })
    .where("id", "in", waiting.select("w.id").limit(RECEIPTS_BATCH_MAX))
    .where("ts_delivered", "is", null)
    .returning(["id", "sender_id", sql<number>`ts_delivered`.as("ts_delivered")])
    .execute();
}
