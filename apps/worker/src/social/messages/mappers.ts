/** Row -> answer: the allow-list of what each side of a message may read. */
import { ONLINE_WITHIN_MS } from "@lambda/contract/limits";
import {
  type BroadcastMessage,
  type ChatPartner,
  type Message,
  type MessageAttachment,
  NOBODY,
} from "@lambda/contract/messages";
import type { MessageRow } from "../../platform/db/tables.ts";

const time = (ms: number) => new Date(ms).toISOString();
const timeOrNull = (ms: number | null) => (ms === null ? null : time(ms));

/** The pair of a conversation, lower id first, as messages store it. */
export function pairOf(a: number, b: number): { low: number; high: number } {
  return a < b ? { low: a, high: b } : { low: b, high: a };
}

/** The columns of a message that answers are made of. */
export type MessageColumns = Omit<MessageRow, "unsend_due" | "carried_id" | "untold">;

/**
 * A message as one of its two sides reads it. What a member did on their side alone (deleting) stays with them.
 *
 * @param otherVisible false takes the other's identity out: id, pictures, where they were
 */
export function toMessage(row: MessageColumns, readerId: number, otherVisible = true): Message {
  const own = row.sender_id === readerId;
  const bare = !own && !otherVisible;
  const message: Message = {
    id: row.id,
    senderProfileId: bare ? NOBODY : row.sender_id,
    bodyText: row.body_text,
    profilePicIds: bare ? [] : (JSON.parse(row.picture_ids) as number[]),
    attachment: bare || row.attachment === null ? null : (JSON.parse(row.attachment) as MessageAttachment),
    tsCreated: time(row.ts_created),
    tsDelivered: timeOrNull(row.ts_delivered),
    tsRecipientRead: timeOrNull(row.ts_recipient_read),
    tsRecipientDeleted: own ? null : timeOrNull(row.ts_recipient_deleted),
    tsSenderDeleted: own ? timeOrNull(row.ts_sender_deleted) : null,
  };
  if (row.recipient_id !== null && (!own || otherVisible)) message.recipientProfileId = row.recipient_id;
  if (own) message.clientId = row.client_id;
  if (row.flagged === 1) message.sentToMany = true;
  return message;
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
  /** The reader may see them now. */
  readonly visible: 0 | 1;
  readonly ts_seen: number;
}

/** The other side of a conversation, or null when the reader may not see them. */
export function toPartner(row: PartnerRow, now: number): ChatPartner | null {
  if (row.visible === 0) return null;
  return {
    profileId: row.other_id,
    profileName: row.profile_name,
    picId: row.pic,
    online: now - row.ts_seen <= ONLINE_WITHIN_MS,
  };
}
