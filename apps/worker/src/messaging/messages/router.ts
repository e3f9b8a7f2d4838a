import { MESSAGES_PAGE_SIZE, PAGE_SIZE_MAX } from "@lambda/contract/limits";
import {
  BroadcastMessage,
  ChatPartner,
  ChatPreferences,
  Conversation,
  ConversationRef,
  DeliveryReceipt,
  type FirstContact,
  Message,
  MessageDraft,
  MessagePageQuery,
  Reaction,
  SectorName,
} from "@lambda/contract/messages";
import { BooleanInput, Id, numeric, SingleLine } from "@lambda/contract/primitives";
import { sectorAndNeighbors, sectorOfCorner } from "@lambda/geo/sector";
import { z } from "zod";
import { getPreferences, updatePreferences } from "../../notifications/preferences.ts";
import { ownSector } from "../../places/areas/area.ts";
import { batch } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import {
  type MemberContext,
  mayReachRegionsLateIf,
  memberCommand,
  memberProcedure,
  router,
} from "../../platform/trpc.ts";
import { discloseLoosenedQuery } from "../../visibility/statements/disclosures.ts";
import { nextCursorOf, readConversations, readHistory, readMissed, resolveOtherId } from "./history.ts";
import { toBroadcast } from "./mappers.ts";
import { closeOnceView } from "./once-view.ts";
import type { Slice } from "./queries.ts";
import { markDelivered, markRead, reactToMessage } from "./receipts.ts";
import { removeMessage } from "./remove.ts";
import { searchMessages } from "./search.ts";
import { sendMessage } from "./send.ts";
import { listBroadcasts } from "./statements.ts";
import { declinePictures } from "./unsolicited-pictures.ts";

const cursor = { nextCursor: z.number().nullable() };
const MessageList = z.object({ items: z.array(Message), ...cursor });
const BroadcastList = z.object({ items: z.array(BroadcastMessage), ...cursor });

function toSlice(input: z.output<typeof MessagePageQuery>): Slice {
  const size = Math.min(input.size || MESSAGES_PAGE_SIZE, PAGE_SIZE_MAX);
  return { since: input.sinceMessageId, before: input.beforeMessageId, size };
}

/** Granting an album again can shorten its access, which all regions must learn of at once. */
const opensNoAlbum = ({ attachment }: z.output<typeof MessageDraft>) => attachment?.type !== "album";

/** Hidden members can neither post to the map chat nor read it. */
function requireVisible(ctx: MemberContext): void {
  if (ctx.viewer.hidden) throw new AppError("HIDING");
}

export const messagesRouter = router({
  send: memberProcedure("POST /message", "Send a message, or a broadcast without recipient", {
    readsNearby: true,
  })
    .input(MessageDraft)
    .use(mayReachRegionsLateIf(opensNoAlbum))
    .output(Message)
    .mutation(({ ctx, input }) => sendMessage(ctx, input)),

  /** With the viewer's own id: the latest message of each conversation. With another member's id: the latest messages with them. */
  mostRecentWith: memberProcedure("GET /messages/most-recent-with/{profileId}", "Latest messages", { list: true })
    .input(MessagePageQuery.extend({ profileId: Id }))
    .output(MessageList)
    .query(async ({ ctx, input }) => {
      if (input.profileId !== ctx.viewer.profileId) return readHistory(ctx, input.profileId, toSlice(input));
      const { items, nextCursor } = await readConversations(ctx, toSlice(input));
      return { items: items.map(({ message }) => message), nextCursor };
    }),

  between: memberProcedure("GET /messages/between/{a}/{b}", "The viewer's history with a member", { list: true })
    .input(MessagePageQuery.extend({ a: Id, b: Id }))
    .output(MessageList)
    .query(({ ctx, input }) => {
      const me = ctx.viewer.profileId;
      if ((input.a !== me && input.b !== me) || input.a === input.b) throw new AppError("NOT_ALLOWED");
      return readHistory(ctx, input.a === me ? input.b : input.a, toSlice(input));
    }),

  conversations: memberProcedure("GET /conversations", "Conversations, newest first, with unread counts", {
    list: true,
  })
    .input(MessagePageQuery)
    .output(z.object({ items: z.array(Conversation), ...cursor }))
    .query(({ ctx, input }) => readConversations(ctx, toSlice(input))),

  /** One conversation, named by the other member's id, or by one of its messages while the other is invisible. */
  history: memberProcedure()
    .input(MessagePageQuery.extend(ConversationRef.shape))
    .output(MessageList.extend({ other: ChatPartner.nullable() }))
    .query(async ({ ctx, input }) => readHistory(ctx, await resolveOtherId(ctx, input), toSlice(input))),

  /** Lets a device catch up: all messages after an id, from all conversations. */
  missed: memberProcedure("GET /messages/missed", "All messages after an id, oldest first", { list: true })
    .input(z.object({ sinceMessageId: numeric(z.number().int().min(0)) }))
    .output(MessageList)
    .query(({ ctx, input }) => readMissed(ctx, input.sinceMessageId, 100)),

  read: memberProcedure("PUT /messages/read", "Mark a conversation as seen up to a message", {
    mayReachRegionsLate: true,
    readsNearby: true,
  })
    .input(ConversationRef.extend({ upToMessageId: Id }))
    .output(z.object({ unread: z.number().int() }))
    .mutation(async ({ ctx, input }) => markRead(ctx, await resolveOtherId(ctx, input), input.upToMessageId)),

  /** For devices without a socket, and for messages from before it was open. Otherwise devices report delivery over the socket. */
  delivered: memberProcedure("PUT /messages/delivered", "Confirm that messages reached a device", {
    mayReachRegionsLate: true,
    readsNearby: true,
  })
    .input(DeliveryReceipt)
    .output(z.object({ messageIds: z.array(Id) }))
    .mutation(async ({ ctx, input }) => ({ messageIds: await markDelivered(ctx, input) })),

  remove: memberCommand("DELETE /message/{id}", "Unsend a message, or delete it for oneself")
    .input(z.object({ id: Id, forMe: BooleanInput.default(false) }))
    .mutation(({ ctx, input }) => removeMessage(ctx, input.id, input.forMe)),

  /** The bytes are deleted before the response. */
  closeOnce: memberCommand("PUT /message/{id}/close", "Close content that opens once, which deletes it")
    .input(z.object({ id: Id }))
    .mutation(({ ctx, input }) => closeOnceView(ctx, input.id)),

  react: memberCommand("PUT /message/{id}/reaction", "React to a received message, or with null take it back", {
    mayReachRegionsLate: true,
  })
    .input(z.object({ id: Id, reaction: Reaction.nullable() }))
    .mutation(({ ctx, input }) => reactToMessage(ctx, input.id, input.reaction)),

  /** The sender is not notified. */
  declinePictures: memberCommand("PUT /message/{id}/decline-pictures", "Decline unsolicited pictures")
    .input(z.object({ id: Id }))
    .mutation(({ ctx, input }) => declinePictures(ctx, input.id)),

  search: memberProcedure("GET /messages/search", "Search the viewer's messages", { list: true })
    .input(z.object({ query: SingleLine.min(2).max(100), beforeMessageId: Id.optional() }))
    .output(z.object({ items: z.array(Conversation.omit({ unread: true })), ...cursor }))
    .query(({ ctx, input }) => searchMessages(ctx, input.query, input.beforeMessageId)),

  /** The map chat around the member, newest first. */
  area: memberProcedure("GET /messages/area", "The map chat around the viewer's published position", { list: true })
    .input(MessagePageQuery)
    .output(BroadcastList)
    .query(async ({ ctx, input }) => {
      requireVisible(ctx);
      const slice = toSlice(input);
      return toBroadcastList(ctx, await listBroadcasts(ctx, sectorAndNeighbors(ownSector(ctx)), slice), slice.size);
    }),

  /** The map chat of one sector. Throws NOT_ALLOWED unless it is the viewer's own or next to it. */
  bySector: memberProcedure("GET /messages/by-sector/{sector}", "The map chat of one sector", { list: true })
    .input(MessagePageQuery.extend({ sector: SectorName }))
    .output(BroadcastList)
    .query(async ({ ctx, input }) => {
      requireVisible(ctx);
      const sector = sectorOfCorner(input.sector);
      if (!sectorAndNeighbors(ownSector(ctx)).includes(sector)) throw new AppError("NOT_ALLOWED");
      const slice = toSlice(input);
      return toBroadcastList(ctx, await listBroadcasts(ctx, [sector], slice), slice.size);
    }),

  preferences: memberProcedure("GET /chat-preferences", "First-contact limits and saved phrases")
    .output(ChatPreferences)
    .query(({ ctx }) => getPreferences(ctx.db, ctx.viewer.profileId)),

  updatePreferences: memberProcedure("PUT /chat-preferences", "Change them; absent fields keep their values")
    .input(ChatPreferences.partial())
    .output(ChatPreferences)
    .mutation(async ({ ctx, input }) => {
      const loosened = input.firstContact && (await loosenedLimits(ctx, input.firstContact));
      if (loosened) await batch(ctx.d1, [discloseLoosenedQuery(ctx, "limits", loosened)]);
      await updatePreferences(ctx.db, ctx.viewer.profileId, input);
      return getPreferences(ctx.db, ctx.viewer.profileId);
    }),
});

/** The limits on first messages that the new ones loosen; undefined if none. */
async function loosenedLimits(ctx: MemberContext, next: FirstContact): Promise<Partial<FirstContact> | undefined> {
  const { firstContact: before } = await getPreferences(ctx.db, ctx.viewer.profileId);
  const { matchesOnly, checkedOnly, ageMin, ageMax, distanceMaxMetres } = before;
  const former: Partial<FirstContact> = {
    ...(matchesOnly && !next.matchesOnly && { matchesOnly }),
    ...(checkedOnly && !next.checkedOnly && { checkedOnly }),
    ...(ageMin !== null && (next.ageMin ?? 0) < ageMin && { ageMin }),
    ...(ageMax !== null && (next.ageMax ?? Infinity) > ageMax && { ageMax }),
    ...(distanceMaxMetres !== null &&
      (next.distanceMaxMetres ?? Infinity) > distanceMaxMetres && { distanceMaxMetres }),
  };
  return Object.keys(former).length === 0 ? undefined : former;
}

function toBroadcastList(ctx: MemberContext, rows: Awaited<ReturnType<typeof listBroadcasts>>, size: number) {
  return { items: rows.map((row) => toBroadcast(row, ctx.viewer.profileId)), nextCursor: nextCursorOf(rows, size) };
}
