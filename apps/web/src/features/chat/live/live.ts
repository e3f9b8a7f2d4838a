/** The page's live connection: events into the conversations and badges, catching up after each gap, sending what waits. */
import type { ClientEvent, ServerEvent } from "@lambda/contract/events";
import { CHAT_POLL_MS, LIVE_REFETCH_MS } from "@lambda/contract/limits";
import { setLive } from "../../../api/live-state.ts";
import { fetchConversations, fetchMissed, markDelivered } from "../../../api/message-calls.ts";
import { sendMessage } from "../../../api/send-message.ts";
import { connectSocket, type SocketConnection } from "../../../api/socket.ts";
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

/** While the socket is ready, every how many polls are still made. */
const POLLS_WHILE_READY = LIVE_REFETCH_MS / CHAT_POLL_MS;
/** Ids that one call takes; what was missed may be more, as its answer begins a little before. */
const DELIVERED_AT_ONCE_MAX = 100;

class LiveConnection {
  readonly #account: number;
  readonly #conversations: Conversations;
  readonly #outbox: Outbox;
  readonly #socket: SocketConnection;
  readonly #poll: number;
  /**
   * Up to which id this page has read everything; undefined until it asked. Live events do not move it: one of them may have
   * been lost before a later one arrived.
   */
  #caughtUpTo: number | undefined;

  constructor(account: number) {
    this.#account = account;
    this.#conversations = conversationsOf(account);
    this.#outbox = outboxOf(account);
    this.#outbox.start({
      send: sendMessage,
      onSent: (message) => {
        this.#conversations.receiveMessages([message]);
        refreshSoon(message.recipientProfileId === undefined ? AREA : CONVERSATIONS);
      },
    });
    this.#socket = connectSocket({
      path: "/ws",
      onEvent: (event) => this.#onEvent(event),
      onReady: () => {
        setLive(true);
        void this.#catchUp();
        void this.#conversations.refresh();
        void this.#outbox.flush();
        refreshNow(CONVERSATIONS);
        refreshNow(SESSION);
      },
      onLost: () => setLive(false),
      // Logged out or suspended meanwhile: the session's answer ends this connection.
      onRefused: () => refreshSoon(SESSION),
    });
    addEventListener("online", this.#flush);
    let polls = 0;
    this.#poll = window.setInterval(() => {
      polls += 1;
      // A socket that is ready is trusted, but not for ever.
      const due = !this.#socket.isReady() || polls % POLLS_WHILE_READY === 0;
      if (due && navigator.onLine && document.visibilityState === "visible") void this.#catchUp();
    }, CHAT_POLL_MS);
  }

  send(event: ClientEvent): boolean {
    return this.#socket.send(event);
  }

  stop(): void {
    this.#socket.close();
    removeEventListener("online", this.#flush);
    window.clearInterval(this.#poll);
  }

  readonly #flush = () => void this.#outbox.flush();

  #onEvent(event: ServerEvent): void {
    this.#conversations.receiveEvent(event);
    if (event.type === "message") {
      const { id, clientId, senderProfileId } = event.message;
      this.#outbox.settle(clientId);
      if (senderProfileId !== this.#account) this.send({ type: "delivered", messageIds: [id] });
    }
    if (event.type === "message" || event.type === "seen" || event.type === "unsent") refreshCounts();
    if (event.type === "notification") refreshSoon(SESSION, NOTIFICATIONS);
  }

  /** Everything since the last time, in order. The first time only notes where to begin: open conversations are read anew then. */
  async #catchUp(): Promise<void> {
    try {
      if (this.#caughtUpTo === undefined) await this.#findBeginning();
      else await this.#readSince(this.#caughtUpTo);
    } catch {
      // The next poll, or the socket, tries again.
    }
  }

  async #findBeginning(): Promise<void> {
    const { items, nextCursor } = await fetchConversations({ size: 1 });
    // Without its message, a conversation still says where it is.
    const newest = items[0]?.message.id ?? nextCursor ?? 0;
    // What waited for a device has reached one now.
    if (newest > 0) await markDelivered({ upToMessageId: newest });
    this.#caughtUpTo = newest;
    await this.#conversations.refresh();
  }

  async #readSince(sinceMessageId: number): Promise<void> {
    const { items, nextCursor } = await fetchMissed({ sinceMessageId });
    const last = items[items.length - 1];
    if (!last) return;
    this.#conversations.receiveMessages(items);
    for (const { clientId } of items) this.#outbox.settle(clientId);
    const arrived = items.filter((message) => message.clientId === undefined && !message.tsDelivered);
    if (arrived.length > 0) await this.#acknowledge(arrived.map((message) => message.id));
    refreshCounts();
    // The answer begins a little before the id, and may end there.
    this.#caughtUpTo = Math.max(sinceMessageId, last.id);
    if (nextCursor !== null) await this.#readSince(this.#caughtUpTo);
  }

  async #acknowledge(messageIds: number[]): Promise<void> {
    for (let from = 0; from < messageIds.length; from += DELIVERED_AT_ONCE_MAX) {
      const some = messageIds.slice(from, from + DELIVERED_AT_ONCE_MAX);
      if (!this.send({ type: "delivered", messageIds: some })) await markDelivered({ messageIds: some });
    }
  }
}

let current: LiveConnection | undefined;

/** Starts for a member and answers how to stop. */
export function startLive(account: number): () => void {
  const connection = new LiveConnection(account);
  current = connection;
  return () => {
    connection.stop();
    if (current === connection) current = undefined;
  };
}

/** Tells the other that this member types; lost without harm while the socket is down. */
export function sendTyping(toProfileId: number): void {
  current?.send({ type: "typing", toProfileId });
}
