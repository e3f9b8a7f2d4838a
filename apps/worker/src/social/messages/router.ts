import { MESSAGES_PAGE_SIZE, PAGE_SIZE_MAX } from "@lambda/contract/limits";
import {
  BroadcastMessage,
  ChatPartner,
  ChatPreferences,
  Conversation,
  ConversationName,
  Delivered,
  Message,
  MessageDraft,
  MessagePage,
  SectorName,
} from "@lambda/contract/messages";
import { Flag, Id, Nothing, numeric } from "@lambda/contract/primitives";
import { sectorOf, sectorsAround } from "@lambda/geo/sector";
import { z } from "zod";
import { ownSector } from "../../places/areas/area.ts";
import { AppError } from "../../platform/errors.ts";
import { type MemberContext, memberProcedure, router } from "../../platform/trpc.ts";
import { readConversations, readHistory, readMissed, resolveConversation } from "./history.ts";
import { toBroadcast } from "./mappers.ts";
import { closeOnce } from "./once.ts";
import { getChatPreferences, updateChatPreferences } from "./preferences.ts";
import type { Slice } from "./queries.ts";
import { markDelivered, markRead } from "./receipts.ts";
import { removeMessage } from "./remove.ts";
import { searchMessages } from "./search.ts";
import { sendMessage } from "./send.ts";
import { listSectors } from "./statements.ts";
import { declinePictures } from "./unasked-pictures.ts";

const cursor = { nextCursor: z.number().nullable() };
const MessageList = z.object({ items: z.array(Message), ...cursor });
const BroadcastList = z.object({ items: z.array(BroadcastMessage), ...cursor });

function sliceOf(input: z.output<typeof MessagePage>): Slice {
  const size = Math.min(input.size || MESSAGES_PAGE_SIZE, PAGE_SIZE_MAX);
  return { since: input.sinceMessageId, before: input.beforeMessageId, size };
}

/** An album that is opened again may close earlier than it was to. */
const bringsNoAlbum = (input: unknown) =>
  (input as { attachment?: { type?: unknown } } | undefined)?.attachment?.type !== "album";

/** Whoever hides neither writes to an area nor reads it. */
function requireShown(ctx: MemberContext): void {
  if (ctx.viewer.hidden) throw new AppError("HIDING");
}

export const messagesRouter = router({
  send: memberProcedure
    .meta({
      rest: { method: "POST", path: "/message", summary: "Send a message, or a broadcast without recipient" },
      hidesNothing: bringsNoAlbum,
      readsNear: true,
    })
    .input(MessageDraft)
    .output(Message)
    .mutation(({ ctx, input }) => sendMessage(ctx, input)),

  /** Own id: the latest message of each pair (the conversation list). Another's id: the latest messages with them. */
  mostRecentWith: memberProcedure
    .meta({
      rest: { method: "GET", path: "/messages/most-recent-with/{profileId}", list: true, summary: "Latest messages" },
    })
    .input(MessagePage.extend({ profileId: Id }))
    .output(MessageList)
    .query(async ({ ctx, input }) => {
      if (input.profileId !== ctx.viewer.profileId) return readHistory(ctx, input.profileId, sliceOf(input));
      const { items, nextCursor } = await readConversations(ctx, sliceOf(input));
      return { items: items.map(({ message }) => message), nextCursor };
    }),

  between: memberProcedure
    .meta({
      rest: { method: "GET", path: "/messages/between/{a}/{b}", list: true, summary: "One's history with a member" },
    })
    .input(MessagePage.extend({ a: Id, b: Id }))
    .output(MessageList)
    .query(({ ctx, input }) => {
      const me = ctx.viewer.profileId;
      if ((input.a !== me && input.b !== me) || input.a === input.b) throw new AppError("NOT_ALLOWED");
      return readHistory(ctx, input.a === me ? input.b : input.a, sliceOf(input));
    }),

  conversations: memberProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/conversations",
        list: true,
        summary: "Conversations, newest first, with unread counts",
      },
    })
    .input(MessagePage)
    .output(z.object({ items: z.array(Conversation), ...cursor }))
    .query(({ ctx, input }) => readConversations(ctx, sliceOf(input))),

  /** One conversation by the other's id, or by a message of it while the other is not visible. */
  history: memberProcedure
    .input(MessagePage.extend(ConversationName.shape))
    .output(MessageList.extend({ other: ChatPartner.nullable() }))
    .query(async ({ ctx, input }) => readHistory(ctx, await resolveConversation(ctx, input), sliceOf(input))),

  /** Catching up: everything after an id, over all conversations. */
  missed: memberProcedure
    .meta({
      rest: { method: "GET", path: "/messages/missed", list: true, summary: "All messages after an id, oldest first" },
    })
    .input(z.object({ sinceMessageId: numeric(z.number().int().min(0)) }))
    .output(MessageList)
    .query(({ ctx, input }) => readMissed(ctx, input.sinceMessageId, 100)),

  read: memberProcedure
    .meta({
      rest: { method: "PUT", path: "/messages/read", summary: "Mark a conversation as seen up to a message" },
      hidesNothing: true,
      readsNear: true,
    })
    .input(ConversationName.extend({ upToMessageId: Id }))
    .output(z.object({ unread: z.number().int() }))
    .mutation(async ({ ctx, input }) => markRead(ctx, await resolveConversation(ctx, input), input.upToMessageId)),

  /** For devices without a socket, and for what came before it stood; with one they say it there. */
  delivered: memberProcedure
    .meta({
      rest: { method: "PUT", path: "/messages/delivered", summary: "Say that messages reached a device" },
      hidesNothing: true,
      readsNear: true,
    })
    .input(Delivered)
    .output(z.object({ messageIds: z.array(Id) }))
    .mutation(async ({ ctx, input }) => ({ messageIds: await markDelivered(ctx, input) })),

  remove: memberProcedure
    .meta({
      rest: { method: "DELETE", path: "/message/{id}", summary: "Take a message back, or delete it for oneself" },
    })
    .input(z.object({ id: Id, forMe: Flag.default(false) }))
    .output(Nothing)
    .mutation(async ({ ctx, input }) => {
      await removeMessage(ctx, input.id, input.forMe);
      return {};
    }),

  /** Its bytes are gone when this answers. */
  closeOnce: memberProcedure
    .meta({
      rest: {
        method: "PUT",
        path: "/message/{id}/close",
        summary: "Close what was opened once: nothing of it is left",
      },
    })
    .input(z.object({ id: Id }))
    .output(Nothing)
    .mutation(async ({ ctx, input }) => {
      await closeOnce(ctx, input.id);
      return {};
    }),

  /** The sender is not told. */
  declinePictures: memberProcedure
    .meta({
      rest: {
        method: "PUT",
        path: "/message/{id}/decline-pictures",
        summary: "Take unasked pictures out of one's sight",
      },
    })
    .input(z.object({ id: Id }))
    .output(Nothing)
    .mutation(async ({ ctx, input }) => {
      await declinePictures(ctx, input.id);
      return {};
    }),

  search: memberProcedure
    .meta({ rest: { method: "GET", path: "/messages/search", list: true, summary: "Search one's own messages" } })
    .input(z.object({ query: z.string().trim().min(2).max(100), beforeMessageId: Id.optional() }))
    .output(z.object({ items: z.array(Conversation.omit({ unread: true })), ...cursor }))
    .query(({ ctx, input }) => searchMessages(ctx, input.query, input.beforeMessageId)),

  /** The map chat around the member, newest first. */
  area: memberProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/messages/area",
        list: true,
        summary: "The map chat around one's published position",
      },
    })
    .input(MessagePage)
    .output(BroadcastList)
    .query(async ({ ctx, input }) => {
      requireShown(ctx);
      return toBroadcastList(
        ctx,
        await listSectors(ctx, sectorsAround(ownSector(ctx)), sliceOf(input)),
        sliceOf(input).size,
      );
    }),

  /** One cell of the map chat; NOT_ALLOWED beyond the cells around one's own. */
  bySector: memberProcedure
    .meta({
      rest: { method: "GET", path: "/messages/by-sector/{sector}", list: true, summary: "The map chat of one cell" },
    })
    .input(MessagePage.extend({ sector: SectorName }))
    .output(BroadcastList)
    .query(async ({ ctx, input }) => {
      requireShown(ctx);
      const sector = sectorOf(input.sector);
      if (!sectorsAround(ownSector(ctx)).includes(sector)) throw new AppError("NOT_ALLOWED");
      return toBroadcastList(ctx, await listSectors(ctx, [sector], sliceOf(input)), sliceOf(input).size);
    }),

  preferences: memberProcedure
    .meta({ rest: { method: "GET", path: "/chat-preferences", summary: "First-contact limits and saved phrases" } })
    .output(ChatPreferences)
    .query(({ ctx }) => getChatPreferences(ctx.db, ctx.viewer.profileId)),

  updatePreferences: memberProcedure
    .meta({ rest: { method: "PUT", path: "/chat-preferences", summary: "Change them; absent ones stay" } })
    .input(ChatPreferences.partial())
    .output(ChatPreferences)
    .mutation(({ ctx, input }) => updateChatPreferences(ctx.db, ctx.viewer.profileId, input)),
});

function toBroadcastList(ctx: MemberContext, rows: Awaited<ReturnType<typeof listSectors>>, size: number) {
  const last = rows[rows.length - 1];
  return {
    items: rows.map((row) => toBroadcast(row, ctx.viewer.profileId)),
    nextCursor: last && rows.length === size ? last.id : null,
  };
}
