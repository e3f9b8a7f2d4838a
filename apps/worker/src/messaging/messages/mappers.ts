/** Maps rows to responses: the allow-list of what each member of a conversation may read. */
import { ONLINE_WITHIN_MS } from "@lambda/contract/limits";
import {
  type BroadcastMessage,
  type ChatPartner,
  HIDDEN_PROFILE_ID,
  type Message,
  type MessageAttachment,
  type Reaction,
} from "@lambda/contract/messages";
import { sql } from "kysely";
import type { MessageRow } from "../../platform/db/tables.ts";
import { toIso, toIsoOrNull } from "../../platform/iso-time.ts";

/** The pair of a conversation, lower id first, as messages store it. */
export function pairOf(a: number, b: number): { low: number; high: number } {
  return a < b ? { low: a, high: b } : { low: b, high: a };
}

/** Whether a row of `message` or `message_pair`, by its alias, is of this pair. */
export function isOfPair(
  { low, high }: { readonly low: number | null; readonly high: number | null },
  alias = "message_pair",
) {
  return sql<boolean>`${sql.ref(`${alias}.low_id`)} = ${low} and ${sql.ref(`${alias}.high_id`)} = ${high}`;
}

/** The columns of a message that responses are made from. */
export type MessageColumns = Omit<MessageRow, "unsend_due" | "upload_id" | "unsynced_version">;

/** The other member of a personal message to or from a member; null for a broadcast that they sent. */
export function otherIdOf(row: Pick<MessageRow, "sender_id" | "recipient_id">, me: number): number | null {
  return row.sender_id === me ? row.recipient_id : row.sender_id;
}

/**
 * A message as its sender or its recipient reads it. Neither learns that the other deleted it for themselves.
 *
 * @param otherVisible if false, everything that identifies the other is left out: id, pictures, attachment
 */
export function toMessage(row: MessageColumns, readerId: number, otherVisible = true): Message {
  const own = row.sender_id === readerId;
  const isAnonymous = !own && !otherVisible;
  const receipt = (ts: number | null) => toIsoOrNull(ts === null || (own && ts < 0) ? null : Math.abs(ts));
  const message: Message = {
    id: row.id,
    senderProfileId: isAnonymous ? HIDDEN_PROFILE_ID : row.sender_id,
    bodyText: row.body_text,
    profilePicIds: isAnonymous ? [] : (JSON.parse(row.picture_ids) as number[]),
    attachment: isAnonymous ? null : toAttachment(row, own),
    tsCreated: toIso(row.ts_created),
    tsDelivered: receipt(row.ts_delivered),
    tsRecipientRead: receipt(row.ts_recipient_read),
    tsRecipientDeleted: own ? null : toIsoOrNull(row.ts_recipient_deleted),
    tsSenderDeleted: own ? toIsoOrNull(row.ts_sender_deleted) : null,
  };
  if (row.recipient_id !== null && (!own || otherVisible)) message.recipientProfileId = row.recipient_id;
  if (own) message.clientId = row.client_id;
  if (row.flagged === 1) message.sentToMany = true;
  if (row.reply_to !== null) message.replyToId = row.reply_to;
  if (row.reaction !== null) message.reaction = row.reaction as Reaction;
  return message;
}

/** What the sender is not told of a first contact includes that a picture was opened, which marks its message as read. */
function toAttachment(row: MessageColumns, own: boolean): MessageAttachment | null {
  if (row.attachment === null) return null;
  const attachment = JSON.parse(row.attachment) as MessageAttachment;
  const isTold = !own || (row.ts_recipient_read ?? 0) > 0;
  return attachment.type === "once" && !isTold ? { ...attachment, tsOpened: null } : attachment;
}

export interface SenderColumns {
  readonly profile_name: string;
  readonly pic: number | null;
}

export function toBroadcast(row: MessageColumns & SenderColumns, readerId: number): BroadcastMessage {
  return { ...toMessage(row, readerId), senderProfileName: row.profile_name, senderPicId: row.pic };
}

export interface PartnerRow extends SenderColumns {
  readonly other_id: number;
  readonly visible: 0 | 1;
  readonly ts_seen: number;
}

/** The other member of a conversation, or null when the viewer may not see them. */
export function toPartner(row: PartnerRow, now: number): ChatPartner | null {
  if (row.visible === 0) return null;
  return {
    profileId: row.other_id,
    profileName: row.profile_name,
    picId: row.pic,
    online: now - row.ts_seen <= ONLINE_WITHIN_MS,
  };
}
