/**
 * Delivered and seen. A receipt tells the sender that this member is there, so it is written and sent only while they may see each
 * other; the reader's own unread count falls in any case.
 */
import type { ServerEvent } from "@lambda/contract/events";
import type { Delivered } from "@lambda/contract/messages";
import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import { listedOn, notBlockedBy, type Onlooker, visibleTo } from "../../members/visibility/visibility.ts";
import { batch } from "../../platform/db/batch.ts";
import { indexedBy, itemsOf } from "../../platform/db/d1.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { sendToMember } from "./deliver.ts";
import { pairOf } from "./mappers.ts";

/**
 * Marks everything up to an id as seen, which never raises the count. NOT_FOUND when there is no conversation with the other, or the reader
 * blocked them.
 */
export async function markRead(ctx: MemberContext, otherId: number, upTo: number): Promise<{ unread: number }> {
  const me = ctx.viewer.profileId;
  const [marked, conversations] = await batch<[{ id: number }[], { unread: number }[], unknown[]]>(ctx.d1, [
    markReadQuery(ctx, otherId, upTo),
    lowerUnreadQuery(ctx, otherId, upTo),
    ctx.db
      .deleteFrom("notification")
      .where("about_id", "=", otherId)
      .where("profile_id", "=", me)
      .where("kind", "=", "message")
      .compile(),
  ]);
  const conversation = conversations[0];
  if (!conversation) throw new AppError("NOT_FOUND");
  const ts = new Date(ctx.now).toISOString();
  const seen = { type: "seen", profileId: me, upToMessageId: upTo, ts } as const;
  ctx.waitUntil(sendToMember(ctx.env, me, { ...seen, withProfileId: null }, null));
  if (marked.length > 0) ctx.waitUntil(sendToMember(ctx.env, otherId, { ...seen, withProfileId: otherId }, me));
  return conversation;
}

function markReadQuery(ctx: MemberContext, otherId: number, upTo: number): CompiledQuery<{ id: number }> {
  const me = ctx.viewer.profileId;
  const { low, high } = pairOf(me, otherId);
  return ctx.db
    .updateTable("message")
    .set({ ts_recipient_read: ctx.now, ts_delivered: sql<number>`coalesce(ts_delivered, ${ctx.now})` })
    .where("recipient_id", "=", me)
    .where("sender_id", "=", otherId)
    .where("id", "<=", upTo)
    .where("ts_recipient_read", "is", null)
    .where("filtered", "=", 0)
    .where("low_id", "=", low)
    .where("high_id", "=", high)
    .where(seeEachOther(ctx, sql.val(otherId)))
    .returning("id")
    .compile();
}

/** The reader's count falls to what is unread beyond the id; no row where they blocked the other. */
function lowerUnreadQuery({ db, viewer }: MemberContext, otherId: number, upTo: number): CompiledQuery {
  const me = viewer.profileId;
  return db
    .updateTable("conversation")
    .set({
      unread: sql<number>`min(unread, (
        select count(*) from message m indexed by message_unread
        where m.recipient_id = ${me} and m.sender_id = ${otherId} and m.ts_recipient_read is null and m.id > ${upTo}
          and m.ts_unsent is null and m.ts_recipient_deleted is null))`,
    })
    .where("profile_id", "=", me)
    .where("other_id", "=", otherId)
    .where(notBlockedBy(me, sql.ref("conversation.other_id")))
    .returning("unread")
    .compile();
}

/** The viewer is listed here, and sees the other. */
function seeEachOther(onlooker: Onlooker, otherId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(exists (select 1 from profile me where me.id = ${onlooker.viewer.profileId} and ${listedOn(onlooker.brand, "me")})
    and exists (select 1 from profile p where p.id = ${otherId} and ${visibleTo(onlooker)}))`;
}

/** What a receipt needs of a request; a socket has no request. */
type ReceiptContext = Pick<MemberContext, "env" | "db" | "now" | "waitUntil"> & Onlooker;

/** How many that waited are marked in one step; the rest keeps waiting for the next device. */
const RECEIPTS_BATCH_MAX = 500;

/**
 * Marks messages to this member as delivered and tells their senders. Ids of other members' messages are ignored. Answers those
 * that are marked now, oldest first.
 */
export async function markDelivered(ctx: ReceiptContext, which: Delivered): Promise<number[]> {
  const me = ctx.viewer.profileId;
  const ids =
    which.upToMessageId === undefined
      ? ctx.db.selectFrom(itemsOf(which.messageIds ?? [], "named")).select("named.value as id")
      : ctx.db
          .selectFrom(indexedBy("message", "w", "message_undelivered"))
          .select("w.id")
          .where("w.recipient_id", "=", me)
          .where("w.ts_delivered", "is", null)
          .where("w.id", "<=", which.upToMessageId)
          .limit(RECEIPTS_BATCH_MAX);
  const rows = await ctx.db
    .updateTable("message")
    .set({ ts_delivered: ctx.now })
    .where("id", "in", ids)
    .where("recipient_id", "=", me)
    .where("ts_delivered", "is", null)
    .where("filtered", "=", 0)
    .where(seeEachOther(ctx, sql.ref("message.sender_id")))
    .returning(["id", "sender_id"])
    .execute();
  const ts = new Date(ctx.now).toISOString();
  for (const senderId of new Set(rows.map((row) => row.sender_id))) {
    const ids = rows.filter((row) => row.sender_id === senderId).map((row) => row.id);
    const event: ServerEvent = { type: "delivered", profileId: me, messageIds: ids, ts };
    ctx.waitUntil(sendToMember(ctx.env, senderId, event, me));
  }
  return rows.map((row) => row.id).sort((a, b) => a - b);
}
