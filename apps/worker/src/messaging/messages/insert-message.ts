/** The writes of a new message in the database that holds its pair's messages. */
import type { MessageAttachment } from "@lambda/contract/messages";
import { type InsertObject, type RawBuilder, sql } from "kysely";
import { insertFrom, insertIf } from "../../platform/db/database.ts";
import { nextMessageId } from "../../platform/db/message-databases.ts";
import type { Tables } from "../../platform/db/tables.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { type Draft, uploadIdOf } from "./attachments.ts";
import { isOfPair } from "./mappers.ts";
import { nextVersion, type Pair } from "./pair-state.ts";
import { isInHistoryOf } from "./queries.ts";

export function insertMessageQuery(
  ctx: MemberContext,
  clientId: string,
  draft: Draft,
  target: {
    pair: Pair | null;
    recipientId: number | null;
    sector: number | null;
    attachment: MessageAttachment | null;
    flagged: boolean;
    filtered: boolean;
    /** Inserts nothing unless it holds. */
    onlyIf?: RawBuilder<boolean>;
  },
) {
  const database = target.pair?.database ?? 0;
  const hasContent = draft.profilePicIds.length > 0 || target.attachment !== null;
  const row: InsertObject<Tables, "message"> = {
    id: nextMessageId(database, ctx.now),
    sender_id: ctx.viewer.profileId,
    recipient_id: target.recipientId,
    low_id: target.pair?.low ?? null,
    high_id: target.pair?.high ?? null,
    client_id: clientId,
    body_text: draft.bodyText,
    picture_ids: JSON.stringify([...new Set(draft.profilePicIds)]),
    attachment: target.attachment && JSON.stringify(target.attachment),
    brand: ctx.brand.id,
    sector: target.sector,
    flagged: target.flagged ? 1 : 0,
    filtered: target.filtered ? 1 : 0,
    // Hides the message from the recipient as if they had deleted it.
    ts_recipient_deleted: target.filtered ? ctx.now : null,
    // It waits for no device; the sender is not told.
    ts_delivered: target.filtered ? -ctx.now : null,
    ts_created: ctx.now,
    reply_to: draft.replyToId && target.pair ? answeredMessage(ctx, draft.replyToId, target.pair) : null,
    upload_id: uploadIdOf(draft, target.attachment),
    unsynced_version: target.pair && database > 0 && hasContent ? nextVersion(target.pair) : null,
  };
  const insert = target.onlyIf
    ? insertIf(ctx.db, "message", row, target.onlyIf)
    : ctx.db.insertInto("message").values(row);
  return insert.onConflict((conflict) => conflict.columns(["sender_id", "client_id"]).doNothing()).returningAll();
}

/** The message if it is in the pair's conversation and in the sender's history. Also one that a word hid from the other: its sender must not learn that. */
function answeredMessage({ db, viewer }: MemberContext, id: number, pair: Pair) {
  return db
    .selectFrom("message as m")
    .select("m.id")
    .where("m.id", "=", id)
    .where(isOfPair(pair, "m"))
    .where(isInHistoryOf(viewer.profileId));
}

/**
 * Makes a message the latest in both members' conversations, and unread in the recipient's unless it is filtered. Idempotent, because it
 * counts only ids above the latest.
 */
export function updateConversationsQuery(ctx: MemberContext, clientId: string, recipientId: number, filtered: boolean) {
  const me = ctx.viewer.profileId;
  const recipientRow = filtered ? sql`` : sql`, (${recipientId}, ${me}, 1)`;
  const members = sql<{ column1: number; column2: number; column3: number }>`(values
    (${me}, ${recipientId}, 0)${recipientRow})`.as("side");
  const sent = ctx.db
    .selectFrom("message as m")
    .crossJoin(members)
    .select(["side.column1 as profile_id", "side.column2 as other_id", "m.id as last_message_id"])
    .select("side.column3 as unread")
    .where("m.sender_id", "=", me)
    .where("m.client_id", "=", clientId)
    // Not what a retry found.
    .where("m.ts_created", "=", ctx.now)
    .where("m.ts_unsent", "is", null);
  return insertFrom(ctx.db, "conversation", sent, {}).onConflict((conflict) =>
    conflict.columns(["profile_id", "other_id"]).doUpdateSet({
      unread: sql<number>`unread + excluded.unread * (excluded.last_message_id > last_message_id)`,
      last_message_id: sql<number>`max(last_message_id, excluded.last_message_id)`,
    }),
  );
}
