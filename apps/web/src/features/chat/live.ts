/** The page's live connection: events into the conversations and badges, catching up after each gap, sending what waits. */
import type { ServerEvent } from "@lambda/contract/events";
import { CHAT_POLL_MS, CONVERSATIONS_REFETCH_MS } from "@lambda/contract/limits";
import { getQueryKey } from "@trpc/react-query";
import { trpcClient } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { singleClient } from "../../api/single-client.ts";
import { type Line, openLine } from "../../api/socket.ts";
import { trpc } from "../../api/trpc.ts";
import { openThreads, receiveEvent, receiveMessages, refreshThreads } from "./conversation/threads.ts";
import { outbox } from "./outbox/outbox.ts";

/** While the line stands, every how many polls are still made. */
const POLLS_WHILE_UP = CONVERSATIONS_REFETCH_MS / CHAT_POLL_MS;

let line: Line | undefined;
/**
 * Up to which id this page has read everything; undefined until it asked. Live events do not move it: one of them may have
 * been lost before a later one arrived.
 */
let caughtUpTo: number | undefined;

const CONVERSATIONS = getQueryKey(trpc.messages.conversations);
const AREA = getQueryKey(trpc.messages.area);
const SESSION = getQueryKey(trpc.accounts.session);
const NOTIFICATIONS = getQueryKey(trpc.notifications.list);

/** Tells the other that this member types; lost without harm while the line is down. */
export function sendTyping(toProfileId: number): void {
  line?.send({ type: "typing", toProfileId });
}

/** The conversation list and the unread counts anew, as this page changed them. */
export function refreshCounts(): void {
  refresh(CONVERSATIONS, SESSION);
}

/** Starts for a member and answers how to stop. */
export function startLive(profileId: number): () => void {
  openThreads(profileId);
  caughtUpTo = undefined;
  outbox.start(profileId, {
    send: (draft) => singleClient.messages.send.mutate(draft),
    onSent: (message) => {
      receiveMessages([message]);
      refresh(message.recipientProfileId === undefined ? AREA : CONVERSATIONS);
    },
  });

  const made = openLine({
    path: "/ws",
    onEvent: (event) => onEvent(event, profileId),
    onUp: () => {
      void catchUp();
      void refreshThreads();
      void outbox.flush();
      refresh(CONVERSATIONS, SESSION);
    },
    // Logged out or suspended meanwhile: the session's answer ends this line.
    onRefused: () => refresh(SESSION),
  });
  line = made;
  const flush = () => void outbox.flush();
  addEventListener("online", flush);
  let polls = 0;
  const poll = window.setInterval(() => {
    polls += 1;
    // A line that stands is trusted, but not for ever.
    const due = !made.up() || polls % POLLS_WHILE_UP === 0;
    if (due && navigator.onLine && document.visibilityState === "visible") void catchUp();
  }, CHAT_POLL_MS);

  return () => {
    made.close();
    if (line === made) line = undefined;
    removeEventListener("online", flush);
    window.clearInterval(poll);
  };
}

function onEvent(event: ServerEvent, me: number): void {
  receiveEvent(event);
  if (event.type === "message") {
    const { message } = event;
    outbox.settle(message.clientId);
    if (message.senderProfileId !== me) line?.send({ type: "delivered", messageIds: [message.id] });
    refresh(CONVERSATIONS, SESSION);
  }
  if (event.type === "seen" || event.type === "unsent") refresh(CONVERSATIONS, SESSION);
  if (event.type === "notification") refresh(SESSION, NOTIFICATIONS);
}

/** Everything since the last time, in order. The first time only notes where to begin: open conversations are read anew then. */
async function catchUp(): Promise<void> {
  try {
    if (caughtUpTo === undefined) {
      const { items } = await trpcClient.messages.conversations.query({ size: 1 });
      const newest = items[0]?.message.id ?? 0;
      // What waited for a device has reached one now.
      if (newest > 0) await trpcClient.messages.delivered.mutate({ upToMessageId: newest });
      caughtUpTo = newest;
      await refreshThreads();
      return;
    }
    for (;;) {
      const { items, nextCursor } = await trpcClient.messages.missed.query({ sinceMessageId: caughtUpTo });
      const last = items[items.length - 1];
      if (!last) return;
      receiveMessages(items);
      for (const { clientId } of items) outbox.settle(clientId);
      const arrived = items.filter((message) => message.clientId === undefined && !message.tsDelivered);
      if (arrived.length > 0) await acknowledge(arrived.map((message) => message.id));
      refresh(CONVERSATIONS, SESSION);
      caughtUpTo = last.id;
      if (nextCursor === null) return;
    }
  } catch {
    // The next poll, or the line, tries again.
  }
}

async function acknowledge(messageIds: number[]): Promise<void> {
  if (line?.send({ type: "delivered", messageIds })) return;
  await trpcClient.messages.delivered.mutate({ messageIds });
}

/** What a message sets off (told, marked as seen, answered) comes within moments, and costs one reading. */
const REFRESH_AFTER_MS = 250;
const stale = new Set<readonly unknown[]>();
let refreshing: number | undefined;

function refresh(...keys: readonly (readonly unknown[])[]): void {
  for (const key of keys) stale.add(key);
  if (refreshing !== undefined) return;
  refreshing = window.setTimeout(() => {
    refreshing = undefined;
    const due = [...stale];
    stale.clear();
    for (const queryKey of due) void queryClient.invalidateQueries({ queryKey });
  }, REFRESH_AFTER_MS);
}
