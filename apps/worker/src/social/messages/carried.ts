/**
 * What a message elsewhere than in the main database does there: its pictures open to its reader, and a recording, an album or what
 * opens once goes with it. The triggers of `message` in schema.sql say the same for messages of the main database.
 */
import { BRANDS } from "@lambda/brands";
import { ONCE_KEPT_MS } from "@lambda/contract/limits";
import type { MessageAttachment } from "@lambda/contract/messages";
import { sql } from "kysely";
import type { Compiled } from "../../platform/db/batch.ts";
import { itemsOf } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import type { MessageRow } from "../../platform/db/tables.ts";
import { upsertAlbumGrantQuery } from "../albums/queries.ts";
import { sendPictureOnceQuery, sendVoiceOnceQuery, sendVoiceQuery } from "./uploads.ts";

/** From whatever the main database knows of a message to what its row says now; to be repeated at will. */
export function carriedQueries(db: Database, message: MessageRow): Compiled[] {
  const attachment = message.attachment === null ? null : (JSON.parse(message.attachment) as MessageAttachment);
  return [
    ...pictureQueries(db, message),
    ...(attachment ? sentQueries(db, message, attachment) : []),
    ...goneQueries(db, message),
  ];
}

function pictureQueries(db: Database, message: MessageRow): Compiled[] {
  const { id, sender_id: senderId, recipient_id: recipientId, ts_recipient_deleted: deleted } = message;
  const closed = db.deleteFrom("message_picture").where("message_id", "=", id).compile();
  const isGone = message.ts_unsent !== null || (deleted !== null && message.ts_sender_deleted !== null);
  if (message.picture_ids === "[]" || isGone || recipientId === null) return [closed];
  const readerId = deleted === null ? recipientId : senderId;
  const opened = db
    .insertInto("message_picture")
    .columns(["picture_id", "reader_id", "message_id"])
    .expression((select) =>
      select
        .selectFrom(itemsOf(JSON.parse(message.picture_ids) as number[], "sent"))
        .innerJoin("picture as pic", "pic.id", "sent.value")
        .select(["pic.id as picture_id", sql.val(readerId).as("reader_id"), sql.val(id).as("message_id")])
        .where("pic.profile_id", "=", senderId)
        .distinct(),
    )
    .compile();
  return [closed, opened];
}

function sentQueries(db: Database, message: MessageRow, attachment: MessageAttachment): Compiled[] {
  const { id, sender_id: senderId, recipient_id: recipientId, carried_id: uploadId, filtered } = message;
  if (recipientId === null) return [];
  if (attachment.type === "album") return openAlbumQueries(db, message, recipientId, attachment.tsExpires);
  const messageId = sql<number>`${id}`;
  const due = filtered === 1 ? 0 : message.ts_created + ONCE_KEPT_MS;
  const sent = { messageId, senderId, recipientId, due };
  if (attachment.type === "voice") return [sendVoiceQuery(db, sent, attachment.voiceId)];
  if (attachment.type !== "once" || uploadId === null) return [];
  if (attachment.kind === "picture") return [sendPictureOnceQuery(db, sent, uploadId)];
  return [sendVoiceQuery(db, sent, uploadId), sendVoiceOnceQuery(db, sent, uploadId)];
}

/** Once, and not when something else of the message changes: the album may have been closed again since. */
function openAlbumQueries(db: Database, message: MessageRow, recipientId: number, expires: string | null): Compiled[] {
  const brand = BRANDS.find(({ id }) => id === message.brand);
  const { sender_id: profileId, low_id: low, high_id: high, untold } = message;
  const isRemoved = message.ts_sender_deleted !== null || (message.ts_recipient_deleted !== null && !message.filtered);
  if (!brand || message.ts_unsent !== null || isRemoved) return [];
  const onlooker = { db, brand, viewer: { profileId }, now: message.ts_created };
  const isNew = sql<boolean>`not exists (select 1 from talk t where t.low_id = ${low} and t.high_id = ${high}
    and t.version >= ${untold})`;
  return [upsertAlbumGrantQuery(onlooker, recipientId, expires === null ? null : Date.parse(expires), isNew)];
}

function goneQueries(db: Database, message: MessageRow): Compiled[] {
  const { id, attachment, ts_unsent: unsent, ts_recipient_deleted: read, ts_sender_deleted: own } = message;
  const isGone = unsent !== null || attachment === null;
  const ended: Compiled[] = [];
  const due = { ts_due: 0 };
  if (isGone || (read !== null && own !== null))
    ended.push(db.updateTable("voice").set(due).where("message_id", "=", id).compile());
  if (isGone || read !== null) ended.push(db.updateTable("once_view").set(due).where("message_id", "=", id).compile());
  if (unsent !== null) ended.push(withdrawQuery(db, [id]));
  return ended;
}

/** To jurors, what was said in these messages is gone from now on. */
export function withdrawQuery(db: Database, messageIds: readonly number[]): Compiled {
  return db
    .updateTable("evidence")
    .set({ withdrawn: 1 })
    .where("kind", "=", "message")
    .where("source_id", "in", (ids) => ids.selectFrom(itemsOf(messageIds, "w")).select("w.value"))
    .compile();
}

/** Of messages that are about to be deleted: nothing of them stays in the main database. */
export function deletedQueries(db: Database, messageIds: readonly number[]): Compiled[] {
  const ids = JSON.stringify(messageIds);
  const named = sql<number>`(select value from json_each(${ids}))`;
  return [
    db.deleteFrom("message_picture").where("message_id", "in", named).compile(),
    db.updateTable("voice").set({ ts_due: 0 }).where("message_id", "in", named).compile(),
    db.updateTable("once_view").set({ ts_due: 0 }).where("message_id", "in", named).compile(),
    withdrawQuery(db, messageIds),
  ];
}
