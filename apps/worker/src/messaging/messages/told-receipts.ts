/**
 * When a sender is told of receipts. Until the reader has written to the sender, times are stored as negative numbers, which mappers show to
 * the reader alone: a sender who saw the receipts of some first messages and not of others would learn which words the reader filters. The
 * reader's first answer gives all of them one time.
 */
import { UNANSWERED_MESSAGES_MAX } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { type Database, indexedBy } from "../../platform/db/database.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { wroteTo } from "../wrote-to.ts";
import { isOfPair, type MessageColumns, pairOf } from "./mappers.ts";

/** The time of a receipt as it is stored: negative until the reader has written to the sender. */
export function toldTime(
  readerId: number | RawBuilder<unknown>,
  senderId: number | RawBuilder<unknown>,
  now: number,
): RawBuilder<number> {
  return sql<number>`iif(${wroteTo(readerId, senderId)}, ${now}, ${-now})`;
}

/** With the viewer's first answer: all that the other wrote before counts as read now, whatever was read, and when, or filtered. */
export function tellReceiptsQuery({ db, viewer, now }: Pick<MemberContext, "db" | "viewer" | "now">, senderId: number) {
  const unanswered = db
    .selectFrom(indexedBy("message", "m", "message_by_pair"))
    .select("m.id")
    .where(isOfPair(pairOf(viewer.profileId, senderId), "m"))
    .orderBy("m.id", "desc")
    .limit(UNANSWERED_MESSAGES_MAX);
  return db
    .updateTable("message")
    .set({ ts_recipient_read: now, ts_delivered: now })
    .where("id", "in", unanswered)
    .where("sender_id", "=", senderId)
    .where(sql<boolean>`ifnull(ts_recipient_read, 0) <= 0`)
    .returning(["id", "attachment"]);
}

/** A message whose receipts the sender learns with the first answer. */
export type ToldMessage = Pick<MessageColumns, "id" | "attachment">;

/** What the viewer's message, if it was the first answer, told the other of. */
export function listTold(
  messages: Database,
  { viewer }: Pick<MemberContext, "viewer">,
  senderId: number,
  answer: Pick<MessageColumns, "id" | "ts_created">,
): Promise<ToldMessage[]> {
  const before = messages
    .selectFrom(indexedBy("message", "m", "message_by_pair"))
    .select(["m.id", "m.sender_id", "m.ts_recipient_read", "m.attachment"])
    .where(isOfPair(pairOf(viewer.profileId, senderId), "m"))
    .where("m.id", "<", answer.id)
    .orderBy("m.id", "desc")
    .limit(UNANSWERED_MESSAGES_MAX);
  return messages
    .selectFrom(before.as("b"))
    .select(["b.id", "b.attachment"])
    .where("b.sender_id", "=", senderId)
    .where("b.ts_recipient_read", "=", answer.ts_created)
    .execute();
}

/** Lowers the reader's unread count to the unread messages after an id. Follows in its batch whatever marks messages as read. */
export function lowerUnreadQuery(db: Database, readerId: number, senderId: number, after = 0) {
  return db
    .updateTable("conversation")
    .set({
      unread: sql<number>`min(unread, (
        select count(*) from message m indexed by message_unread
        where m.recipient_id = ${readerId} and m.sender_id = ${senderId} and m.ts_recipient_read is null and m.id > ${after}
          and m.ts_unsent is null and m.ts_recipient_deleted is null))`,
    })
    .where("profile_id", "=", readerId)
    .where("other_id", "=", senderId);
}
