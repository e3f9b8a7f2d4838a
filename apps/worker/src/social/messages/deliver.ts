/** Live delivery, after the answer: what is stored travels to sockets, or becomes a notification and a push. */
import type { ServerEvent } from "@lambda/contract/events";
import { sectorsAround } from "@lambda/geo/sector";
import { areaObject } from "../../places/areas/area.ts";
import type { Context } from "../../platform/context.ts";
import { inEachLocale } from "../../platform/copy.ts";
import { batch } from "../../platform/db/batch.ts";
import type { OpenSession } from "../../platform/objects.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { enqueuePush } from "../notifications/announce.ts";
import { insertNotificationQuery } from "../notifications/notify.ts";
import { messagesCopy } from "./copy.ts";
import { type MessageColumns, type SenderColumns, toBroadcast, toMessage } from "./mappers.ts";

/**
 * To the recipient first, then to the sender's own other devices.
 *
 * @param sessions of both, as the transaction that stored the message saw them; without them the objects ask
 */
export function deliverMessage(ctx: MemberContext, row: MessageColumns, sessions?: readonly OpenSession[]): void {
  const { recipient_id: recipientId, sender_id: senderId } = row;
  if (recipientId === null) return;
  if (row.filtered === 0) ctx.waitUntil(deliverToRecipient(ctx, row, recipientId, sessions));
  const own: ServerEvent = { type: "message", message: toMessage(row, senderId) };
  ctx.waitUntil(memberObject(ctx.env, senderId).deliver([own], senderId, sessions, ctx.database.wrote));
}

async function deliverToRecipient(
  ctx: MemberContext,
  row: MessageColumns,
  recipientId: number,
  sessions?: readonly OpenSession[],
): Promise<void> {
  const event: ServerEvent = { type: "message", message: toMessage(row, recipientId) };
  if (await memberObject(ctx.env, recipientId).deliver([event], row.sender_id, sessions, ctx.database.wrote)) return;
  // One entry a sender, the newest on top: a talkative member does not fill the list.
  const [, inserted] = await batch<[unknown[], { id: number }[]]>(ctx.d1, [
    ctx.db
      .deleteFrom("notification")
      .where("about_id", "=", row.sender_id)
      .where("profile_id", "=", recipientId)
      .where("kind", "=", "message")
      .compile(),
    insertNotificationQuery(ctx, {
      profileId: recipientId,
      kind: "message",
      aboutId: row.sender_id,
      bodyText: inEachLocale(messagesCopy, (text) => text.newMessage),
      url: `/chat/personal?with=${row.sender_id}`,
    }),
  ]);
  if (inserted.length > 0) await enqueuePush(ctx, recipientId, "message");
}

/** @param aboutId the member whose visibility decides, or null when it is the receiver's own doing */
export function sendToMember(
  env: Context["env"],
  profileId: number,
  event: ServerEvent,
  aboutId: number | null,
): Promise<boolean> {
  return memberObject(env, profileId).deliver([event], aboutId);
}

function memberObject(env: Context["env"], profileId: number) {
  return env.MEMBER.getByName(String(profileId));
}

export function deliverBroadcast(ctx: MemberContext, row: MessageColumns & SenderColumns, sector: number): void {
  const { senderProfileName, senderPicId, clientId: _own, ...message } = toBroadcast(row, row.sender_id);
  sendToArea(ctx, sector, row.sender_id, { type: "broadcast", message, senderProfileName, senderPicId });
}

/** To everyone who listens in the sector or around it, after the answer. */
export function sendToArea(ctx: MemberContext, sector: number, aboutId: number, event: ServerEvent): void {
  for (const around of sectorsAround(sector)) {
    ctx.waitUntil(areaObject(ctx.env, ctx.brand.id, around).deliver(event, aboutId, around));
  }
}
