/**
 * Delivered and seen. A receipt tells the sender that this member is there, so it is written and sent only while they may see each
 * other; the reader's own unread count falls in any case.
 */
import type { ServerEvent } from "@lambda/contract/events";
import type { Delivered } from "@lambda/contract/messages";
import { sql } from "kysely";
import { listedOn, notBlockedBy, type Onlooker, visibleTo } from "../../members/visibility/visibility.ts";
import { batch } from "../../platform/db/batch.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { tellMember } from "./deliver.ts";
import { pairOf } from "./mappers.ts";

/**
 * Marks everything up to an id as seen, which never raises the count. NOT_FOUND when no conversation with him is there, or the reader
 * blocked him.
 */
export async function markRead(ctx: MemberContext, otherId: number, upTo: number): Promise<{ unread: number }> {
  const me = ctx.viewer.profileId;
  const { low, high } = pairOf(me, otherId);
  const [marked, conversations] = await batch<[{ id: number }[], { unread: number }[], unknown[]]>(ctx.d1, [
    sql<{ id: number }>`
      update message set ts_recipient_read = ${ctx.now}, ts_delivered = coalesce(ts_delivered, ${ctx.now})
      where recipient_id = ${me} and sender_id = ${otherId} and id <= ${upTo} and ts_recipient_read is null
        and low_id = ${low} and high_id = ${high}
        and exists (select 1 from profile me where me.id = ${me} and ${listedOn(ctx.brand, "me")})
        and exists (select 1 from profile p where p.id = ${otherId} and ${visibleTo(ctx)})
      returning id`.compile(ctx.db),
    sql<{ unread: number }>`
      update conversation set unread = min(unread, (
        select count(*) from message m indexed by message_unread
        where m.recipient_id = ${me} and m.sender_id = ${otherId} and m.ts_recipient_read is null and m.id > ${upTo}
          and m.ts_unsent is null and m.ts_recipient_deleted is null))
      where profile_id = ${me} and other_id = ${otherId} and ${notBlockedBy(me, sql.ref("conversation.other_id"))}
      returning unread`.compile(ctx.db),
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
  ctx.waitUntil(tellMember(ctx.env, me, { ...seen, withProfileId: null }, null));
  if (marked.length > 0) ctx.waitUntil(tellMember(ctx.env, otherId, { ...seen, withProfileId: otherId }, me));
  return conversation;
}

/** What a receipt needs of a request; a socket has no request. */
type ReceiptContext = Pick<MemberContext, "env" | "db" | "now" | "waitUntil"> & Onlooker;

/** How many that waited are marked in one step; the rest keeps waiting for the next device. */
const MOST_AT_ONCE = 500;

/**
 * Marks messages to this member as delivered and tells their senders. Ids that are not to him are ignored. Answers those that are
 * marked now, oldest first.
 */
export async function markDelivered(ctx: ReceiptContext, which: Delivered): Promise<number[]> {
  const me = ctx.viewer.profileId;
  const named = sql`select value from json_each(${JSON.stringify(which.messageIds ?? [])})`;
  const waiting = sql`select w.id from message w indexed by message_undelivered
    where w.recipient_id = ${me} and w.ts_delivered is null and w.id <= ${which.upToMessageId ?? 0} limit ${MOST_AT_ONCE}`;
  const { rows } = await sql<{ id: number; sender_id: number }>`
    update message set ts_delivered = ${ctx.now}
    where id in (${which.upToMessageId === undefined ? named : waiting}) and recipient_id = ${me} and ts_delivered is null
      and exists (select 1 from profile me where me.id = ${me} and ${listedOn(ctx.brand, "me")})
      and exists (select 1 from profile p where p.id = message.sender_id and ${visibleTo(ctx)})
    returning id, sender_id`.execute(ctx.db);
  const ts = new Date(ctx.now).toISOString();
  for (const senderId of new Set(rows.map((row) => row.sender_id))) {
    const ids = rows.filter((row) => row.sender_id === senderId).map((row) => row.id);
    const event: ServerEvent = { type: "delivered", profileId: me, messageIds: ids, ts };
    ctx.waitUntil(tellMember(ctx.env, senderId, event, me));
  }
  return rows.map((row) => row.id).sort((a, b) => a - b);
}
