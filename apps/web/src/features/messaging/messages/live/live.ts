/** The page's live connection: applies events to conversations and badges, catches up after each gap, and flushes the outbox. */
import type { ClientEvent, ServerEvent } from "@lambda/contract/events";
import { CHAT_POLL_MS, LIVE_REFETCH_MS } from "@lambda/contract/limits";
import type { AppRouter } from "@lambda/worker/router";
import { createTRPCClient, httpLink } from "@trpc/client";
import { globalErrorLink, httpLinkOptions, trpcClient } from "../../../../api/client.ts";
import { useIsLive } from "../../../../api/live-state.ts";
import { connectSocket, type SocketConnection } from "../../../../api/socket.ts";
import { type Conversations, conversationsOf } from "../conversation/conversations.ts";
import { type Outbox, outboxOf } from "../outbox/outbox.ts";
import {
  AREA,
  CONVERSATIONS,
  NOTIFICATIONS,
  refreshCounts,
  refreshNow,
  refreshSoon,
  SESSION,
} from "./refresh-queries.ts";

const { messages } = trpcClient;
/** Unbatched, so that sending a message never waits for other calls or their responses. */
const unbatched = createTRPCClient<AppRouter>({ links: [globalErrorLink, httpLink(httpLinkOptions("message"))] });

/** While the socket is ready, only every n-th poll is made. */
const POLL_DIVISOR_WHILE_READY = LIVE_REFETCH_MS / CHAT_POLL_MS;
/** Ids that one call accepts. A page of missed messages may hold more, because it overlaps the previous one. */
const DELIVERED_BATCH_MAX = 100;

const isPageVisible = () => document.visibilityState === "visible";

class LiveConnection {
  readonly #account: number;
  readonly #conversations: Conversations;
  readonly #outbox: Outbox;
  readonly #socket: SocketConnection;
  readonly #poll: number;
  /**
   * This page has fetched every message up to this id; undefined before the first catch-up. Live events do not move it,
   * because an earlier event may have been lost.
   */
  #caughtUpTo: number | undefined;
  /** What the server was told, which pushes the news while nobody sees this page. */
  #toldVisible = false;

  constructor(account: number) {
    this.#account = account;
    this.#conversations = conversationsOf(account);
    this.#outbox = outboxOf(account);
    this.#outbox.start({
      send: (draft) => unbatched.messages.send.mutate(draft),
      onSent: (message) => {
        this.#conversations.receiveMessages([message]);
        refreshSoon(message.recipientProfileId === undefined ? AREA : CONVERSATIONS);
      },
      // Somebody who has blocked this member meanwhile is shown as after a reload.
      onRefused: () => {
        void this.#conversations.recheck();
        refreshCounts();
      },
    });
    this.#socket = connectSocket({
      path: () => {
        this.#toldVisible = isPageVisible();
        return `/ws?visible=${this.#toldVisible}`;
      },
      onEvent: (event) => this.#onEvent(event),
      onReady: () => {
        useIsLive.setState(true);
        this.#tellVisible();
        void this.#catchUp();
        void this.#conversations.refresh();
        void this.#outbox.flush();
        // All that events change: those of the time without a socket were never heard.
        for (const key of [CONVERSATIONS, SESSION, NOTIFICATIONS]) refreshNow(key);
      },
      onLost: () => useIsLive.setState(false),
      // Logged out or suspended in the meantime: the refetched session ends this connection.
      onRefused: () => refreshSoon(SESSION),
    });
    addEventListener("online", this.#flush);
    document.addEventListener("visibilitychange", this.#tellVisible);
    let polls = 0;
    this.#poll = window.setInterval(() => {
      polls += 1;
      // A socket can be dead without reporting it, so a few polls are made even while it is ready.
      const isDue = !this.#socket.isReady() || polls % POLL_DIVISOR_WHILE_READY === 0;
      // `navigator.onLine` is not asked: it is wrong behind some VPNs.
      if (isDue && isPageVisible()) void this.#pollChanges();
    }, CHAT_POLL_MS);
  }

  send(event: ClientEvent): boolean {
    return this.#socket.send(event);
  }

  stop(): void {
    this.#socket.close();
    removeEventListener("online", this.#flush);
    document.removeEventListener("visibilitychange", this.#tellVisible);
    window.clearInterval(this.#poll);
  }

  readonly #tellVisible = () => {
    const visible = isPageVisible();
    if (visible !== this.#toldVisible && this.send({ type: "visible", visible })) this.#toldVisible = visible;
  };

  readonly #flush = () => void this.#outbox.flush();

  #onEvent(event: ServerEvent): void {
    this.#conversations.receiveEvent(event);
    if (event.type === "message") {
      const { id, clientId, senderProfileId } = event.message;
      this.#outbox.confirmSent(clientId);
      if (senderProfileId !== this.#account) this.send({ type: "delivered", messageIds: [id] });
    }
    if (event.type === "message" || event.type === "seen" || event.type === "unsent") refreshCounts();
    if (event.type === "notification") refreshSoon(SESSION, NOTIFICATIONS);
  }

  /**
   * Fetches what the socket would have reported: new messages, which also refresh the list, and what was unsent, seen, declined, opened or
   * blocked in open conversations. The list asks for itself every few minutes.
   */
  async #pollChanges(): Promise<void> {
    await this.#catchUp();
    await this.#conversations.recheck();
    refreshSoon(SESSION, NOTIFICATIONS);
  }

  /** Fetches everything since the last catch-up, in order. The first one only records the newest id and reloads open conversations. */
  async #catchUp(): Promise<void> {
    try {
      if (this.#caughtUpTo === undefined) await this.#findStartingPoint();
      else await this.#fetchSince(this.#caughtUpTo);
    } catch {
      // The next poll or reconnect tries again.
    }
  }

  async #findStartingPoint(): Promise<void> {
    const { items, nextCursor } = await messages.conversations.query({ size: 1 });
    // A conversation without a readable message is left out, but the cursor still has the message's id.
    const newest = items[0]?.message.id ?? nextCursor ?? 0;
    // Everything sent while no device was connected has now been delivered.
    if (newest > 0) await messages.delivered.mutate({ upToMessageId: newest });
    this.#caughtUpTo = newest;
    await this.#conversations.refresh();
  }

  async #fetchSince(sinceMessageId: number): Promise<void> {
    const { items, nextCursor } = await messages.missed.query({ sinceMessageId });
    if (items.length > 0) {
      this.#conversations.receiveMessages(items);
      for (const { clientId } of items) this.#outbox.confirmSent(clientId);
      const arrived = items.filter((message) => message.clientId === undefined && !message.tsDelivered);
      if (arrived.length > 0) await this.#acknowledge(arrived.map((message) => message.id));
      refreshCounts();
    }
    // The page overlaps the previous one, and may end before the given id. One with a cursor may be empty.
    this.#caughtUpTo = Math.max(sinceMessageId, items.at(-1)?.id ?? 0, nextCursor ?? 0);
    if (nextCursor !== null) await this.#fetchSince(this.#caughtUpTo);
  }

  async #acknowledge(messageIds: number[]): Promise<void> {
    for (let from = 0; from < messageIds.length; from += DELIVERED_BATCH_MAX) {
      const batch = messageIds.slice(from, from + DELIVERED_BATCH_MAX);
      if (!this.send({ type: "delivered", messageIds: batch })) await messages.delivered.mutate({ messageIds: batch });
    }
  }
}

let current: LiveConnection | undefined;

export function startLiveConnection(account: number): () => void {
  const connection = new LiveConnection(account);
  current = connection;
  return () => {
    connection.stop();
    if (current === connection) current = undefined;
  };
}

/** Sends a typing signal to the other member. Dropped while the socket is down. */
export function sendTyping(toProfileId: number): void {
  current?.send({ type: "typing", toProfileId });
}
