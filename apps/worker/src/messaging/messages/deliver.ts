/** Live delivery, after the response: stored messages go out to sockets, or become a notification and a push. */
import type { ServerEvent } from "@lambda/contract/events";
import { MINUTE_MS } from "@lambda/contract/limits";
import { sectorAndNeighbors } from "@lambda/geo/sector";
import { sql } from "kysely";
import { enqueuePush, insertNotificationQuery } from "../../notifications/notify.ts";
import { pushCopy } from "../../notifications/push/copy.ts";
import { deleteNotificationsAbout } from "../../notifications/queries.ts";
import { areaObject } from "../../places/areas/area.ts";
import { callAfterCommit, deliverToMember } from "../../platform/call-object.ts";
import type { Context } from "../../platform/context.ts";
import { inEachLocale } from "../../platform/copy.ts";
import { batch } from "../../platform/db/database.ts";
import type { RecipientSession } from "../../platform/objects.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { type MessageColumns, type SenderColumns, toBroadcast, toMessage } from "./mappers.ts";

/** A notification of a message that is as new stands for the next messages too. */
const RECENT_MS = 5 * MINUTE_MS;

/**
 * Delivers to the recipient and to the sender's own devices.
 *
 * @param sessions both members' sessions as of the transaction that stored the message; if absent, the objects query them
 * @param isPending whether the recipient's devices have not received it yet
 */
export function deliverMessage(
  ctx: MemberContext,
  row: MessageColumns,
  sessions?: readonly RecipientSession[],
  isPending = true,
): void {
  const { recipient_id: recipientId, sender_id: senderId } = row;
  if (recipientId === null) return;
  if (isPending && row.filtered === 0) ctx.waitUntil(deliverToRecipient(ctx, row, recipientId, sessions));
  const own: ServerEvent = { type: "message", message: toMessage(row, senderId) };
  ctx.waitUntil(deliverToMember(ctx.env, senderId, [own], senderId, sessions, ctx.database.writtenBookmark));
}

async function deliverToRecipient(
  ctx: MemberContext,
  row: MessageColumns,
  recipientId: number,
  sessions?: readonly RecipientSession[],
): Promise<void> {
  const event: ServerEvent = { type: "message", message: toMessage(row, recipientId) };
  if (await deliverToMember(ctx.env, recipientId, [event], row.sender_id, sessions, ctx.database.writtenBookmark))
    return;
  // One notification per sender, so that a talkative member does not fill the list. A recent one stays: to write it again would only move its
  // time, and cost as much as storing the message.
  const isRecent = sql<boolean>`exists (select 1 from notification recent
    where recent.about_id = ${row.sender_id} and recent.profile_id = ${recipientId} and recent.kind = 'message'
      and recent.brand = ${ctx.brand.id} and recent.ts_created > ${ctx.now - RECENT_MS})`;
  const isMissing = sql<boolean>`not ${isRecent}`;
  const [, , [told]] = await batch(ctx.d1, [
    deleteNotificationsAbout(ctx.db, row.sender_id, recipientId, ["message"]).where(isMissing),
    insertNotificationQuery(ctx, {
      profileId: recipientId,
      kind: "message",
      aboutId: row.sender_id,
      bodyText: inEachLocale(pushCopy, (text) => text.message),
      url: `/chat/personal?with=${row.sender_id}`,
      onlyIf: isMissing,
    }),
    ctx.db
      .selectFrom("push_subscription as d")
      .select("d.profile_id")
      .where("d.profile_id", "=", recipientId)
      .where(isRecent)
      .limit(1),
  ]);
  if (told) await enqueuePush(ctx, recipientId, "message");
}

/**
 * @param aboutId the member whom the recipient must be able to see; null for the recipient's own actions
 * @param sessions which of the recipient's sessions could see that member, if not as they can now
 */
export function sendToMember(
  env: Context["env"],
  profileId: number,
  event: ServerEvent,
  aboutId: number | null,
  sessions?: readonly RecipientSession[],
): Promise<boolean> {
  return deliverToMember(env, profileId, [event], aboutId, sessions);
}

/** @param ownPicId the picture that stands for the sender in their own view */
export function deliverBroadcast(
  ctx: MemberContext,
  row: MessageColumns & SenderColumns,
  ownPicId: number | null,
  sector: number,
): void {
  const { senderProfileName, senderPicId, clientId: _own, ...message } = toBroadcast(row, row.sender_id);
  const event = { type: "broadcast", message, senderProfileName, senderPicId } as const;
  sendToArea(ctx, sector, row.sender_id, event, { ...event, senderPicId: ownPicId });
}

/** Sends to everyone who listens in the sector or in one next to it, after the response; `own` to the devices of the member whom it is about. */
export function sendToArea(
  ctx: MemberContext,
  sector: number,
  aboutId: number,
  event: ServerEvent,
  own: ServerEvent = event,
): void {
  for (const nearby of sectorAndNeighbors(sector)) {
    ctx.waitUntil(
      callAfterCommit(() => areaObject(ctx.env, ctx.brand.id, nearby).deliver(event, own, aboutId, nearby)),
    );
  }
}
