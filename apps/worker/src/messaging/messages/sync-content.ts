/**
 * Applies the effects of a message in a message database to the main one: its pictures become readable to the recipient, and its
 * recording, album grant or content that opens once follows its state. For messages in the main database the triggers on `message` in
 * schema.sql do the same.
 */
import { BRANDS } from "@lambda/brands";
import { ONCE_RETENTION_MS } from "@lambda/contract/limits";
import type { MessageAttachment } from "@lambda/contract/messages";
import { sql } from "kysely";
import { type Database, insertFrom, itemsOf, type Query } from "../../platform/db/database.ts";
import type { MessageRow } from "../../platform/db/tables.ts";
import { upsertAlbumGrantQuery } from "../albums/queries.ts";
import { attachOncePictureQuery, attachVoiceQuery, insertOnceVoiceQuery } from "./uploads.ts";

/** Brings the main database from any earlier state of a message to the state of this row. Idempotent. */
export function syncContentQueries(db: Database, message: MessageRow): Query[] {
  const attachment = message.attachment === null ? null : (JSON.parse(message.attachment) as MessageAttachment);
  return [
    ...syncPictureQueries(db, message),
    ...(attachment ? attachContentQueries(db, message, attachment) : []),
    ...expireContentQueries(db, message),
  ];
}

function syncPictureQueries(db: Database, message: MessageRow): Query[] {
  const { id, sender_id: senderId, recipient_id: recipientId, ts_recipient_deleted: deleted } = message;
  const revokeAll = db.deleteFrom("message_picture").where("message_id", "=", id);
  const isGone = message.ts_unsent !== null || (deleted !== null && message.ts_sender_deleted !== null);
  if (message.picture_ids === "[]" || isGone || recipientId === null) return [revokeAll];
  const readerId = deleted === null ? recipientId : senderId;
  const pictures = db
    .selectFrom(itemsOf(JSON.parse(message.picture_ids) as number[], "sent"))
    .innerJoin("picture as pic", "pic.id", "sent.value")
    .select("pic.id as picture_id")
    .where("pic.profile_id", "=", senderId)
    .distinct();
  return [revokeAll, insertFrom(db, "message_picture", pictures, { reader_id: readerId, message_id: id })];
}

function attachContentQueries(db: Database, message: MessageRow, attachment: MessageAttachment): Query[] {
  const { id, sender_id: senderId, recipient_id: recipientId, upload_id: uploadId, filtered } = message;
  if (recipientId === null) return [];
  if (attachment.type === "album") return grantAlbumQueries(db, message, recipientId, attachment.tsExpires);
  const messageId = sql<number>`${id}`;
  const due = filtered === 1 ? 0 : message.ts_created + ONCE_RETENTION_MS;
  const sent = { messageId, senderId, recipientId, due };
  if (attachment.type === "voice") return [attachVoiceQuery(db, sent, attachment.voiceId)];
  if (attachment.type !== "once" || uploadId === null) return [];
  if (attachment.kind === "picture") return [attachOncePictureQuery(db, sent, uploadId)];
  return [attachVoiceQuery(db, sent, uploadId), insertOnceVoiceQuery(db, sent, uploadId)];
}

/** Grants the album only while the message is new: at a later change of it the sender may have revoked the grant already. */
function grantAlbumQueries(db: Database, message: MessageRow, recipientId: number, expires: string | null): Query[] {
  const brand = BRANDS.find(({ id }) => id === message.brand);
  const { sender_id: profileId, low_id: low, high_id: high, unsynced_version: version } = message;
  const isWithheld = message.filtered === 1;
  const isRemoved = message.ts_sender_deleted !== null || (message.ts_recipient_deleted !== null && !isWithheld);
  if (!brand || message.ts_unsent !== null || isRemoved) return [];
  const ctx = { db, brand, viewer: { profileId }, now: message.ts_created };
  const isNew = sql<boolean>`not exists (select 1 from message_pair t where t.low_id = ${low} and t.high_id = ${high}
    and t.version >= ${version})`;
  return [
    upsertAlbumGrantQuery(ctx, recipientId, expires === null ? null : Date.parse(expires), {
      onlyIf: isNew,
      withheld: isWithheld,
    }),
  ];
}

function expireContentQueries(db: Database, message: MessageRow): Query[] {
  const { id, attachment, ts_unsent: unsent } = message;
  const { ts_recipient_deleted: recipientDeleted, ts_sender_deleted: senderDeleted } = message;
  const isGone = unsent !== null || attachment === null;
  const queries: Query[] = [];
  const dueNow = { ts_due: 0 };
  if (isGone || (recipientDeleted !== null && senderDeleted !== null))
    queries.push(db.updateTable("voice").set(dueNow).where("message_id", "=", id));
  if (isGone || recipientDeleted !== null)
    queries.push(db.updateTable("once_view").set(dueNow).where("message_id", "=", id));
  if (unsent !== null) queries.push(withdrawEvidenceQuery(db, [id]));
  return queries;
}

/** Withdraws these messages from the evidence that jurors see. */
export function withdrawEvidenceQuery(db: Database, messageIds: readonly number[]): Query {
  return db
    .updateTable("evidence")
    .set({ withdrawn: 1 })
    .where("kind", "=", "message")
    .where("source_id", "in", (ids) => ids.selectFrom(itemsOf(messageIds, "w")).select("w.value"));
}

/** Removes from the main database everything that belongs to messages which are about to be deleted. */
export function deleteContentQueries(db: Database, messageIds: readonly number[]): Query[] {
  const named = db.selectFrom(itemsOf(messageIds, "m")).select("m.value");
  return [
    db.deleteFrom("message_picture").where("message_id", "in", named),
    db.updateTable("voice").set({ ts_due: 0 }).where("message_id", "in", named),
    db.updateTable("once_view").set({ ts_due: 0 }).where("message_id", "in", named),
    withdrawEvidenceQuery(db, messageIds),
  ];
}
