/** The conversations that this page has open, fed by answers and by the socket alike. */
import type { ServerEvent } from "@lambda/contract/events";
import { MESSAGES_PAGE_SIZE } from "@lambda/contract/limits";
import type { Message } from "@lambda/contract/messages";
import { useSyncExternalStore } from "react";
import { trpcClient } from "../../../api/client.ts";
import { errorCodeOf } from "../../../api/error-body.ts";
import { onWipe } from "../../../device/wipe.ts";
import { applyEvent, EMPTY_THREAD, mergeMessages, mergePage, otherOf, type Thread, type ThreadKey } from "./thread.ts";

const threads = new Map<ThreadKey, Thread>();
/** Asked for on this page, loaded or on the way: an answer from before the line stood may lack what came just then. */
const wanted = new Set<ThreadKey>();
const listeners = new Set<() => void>();
let account = 0;

export function useThread(key: ThreadKey): Thread {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => threads.get(key) ?? EMPTY_THREAD,
  );
}

/** Another member logged in on this page: nothing of the one before stays. */
export function openThreads(forAccount: number): void {
  if (account === forAccount) return;
  account = forAccount;
  threads.clear();
  wanted.clear();
  tell();
}

const nameOf = (key: ThreadKey) => {
  const id = Number(key.slice(1));
  return key.startsWith("p") ? { profileId: id } : { messageId: id };
};

/** Reads the newest page; what is known already stays. Throws what the call throws. */
export async function loadThread(key: ThreadKey): Promise<void> {
  wanted.add(key);
  const knownBefore = threads.get(key)?.messages.at(-1)?.id ?? 0;
  const answer = await trpcClient.messages.history.query(nameOf(key));
  const before = threads.get(key) ?? EMPTY_THREAD;
  const messages = mergePage(before.messages, answer.items, knownBefore);
  const reachesUp = before.loaded && (before.messages[0]?.id ?? 0) < (answer.items.at(-1)?.id ?? 0);
  const unread = answer.items.findLast((message) => message.senderProfileId !== account && !message.tsRecipientRead);
  put(key, {
    ...before,
    messages,
    other: answer.other,
    older: reachesUp ? before.older : answer.nextCursor !== null,
    loaded: true,
    gone: false,
    unreadFrom: before.loaded ? before.unreadFrom : (unread?.id ?? null),
  });
}

export async function loadOlder(key: ThreadKey): Promise<void> {
  const before = threads.get(key);
  const first = before?.messages[0];
  if (!before?.older || !first) return;
  const answer = await trpcClient.messages.history.query({ ...nameOf(key), beforeMessageId: first.id });
  const now = threads.get(key) ?? before;
  put(key, {
    ...now,
    messages: mergeMessages(answer.items, now.messages),
    older: answer.items.length === MESSAGES_PAGE_SIZE && answer.nextCursor !== null,
  });
}

/** The line between seen and new goes when the conversation is left. */
export function leaveThread(key: ThreadKey): void {
  const thread = threads.get(key);
  if (thread) put(key, { ...thread, unreadFrom: null });
}

export function receiveMessages(messages: readonly Message[]): void {
  for (const message of messages) {
    const key: ThreadKey = `p${otherOf(message, account)}`;
    const thread = threads.get(key);
    if (thread || wanted.has(key)) {
      const known = thread ?? EMPTY_THREAD;
      put(key, { ...known, messages: mergeMessages(known.messages, [message]) });
    }
  }
}

export function receiveEvent(event: ServerEvent): void {
  for (const key of wanted) {
    if (!key.startsWith("p")) continue;
    const thread = threads.get(key) ?? EMPTY_THREAD;
    const after = applyEvent(thread, event, Number(key.slice(1)), account, Date.now());
    if (after !== thread) put(key, after);
  }
}

/** After an absence: every open conversation anew, as things may have been taken back meanwhile. */
export async function refreshThreads(): Promise<void> {
  const again = async (key: ThreadKey) => {
    try {
      await loadThread(key);
    } catch (error) {
      // Blocked or deleted meanwhile. Any other failure leaves what is known until the next time.
      if (errorCodeOf(error) === "NOT_FOUND") put(key, { ...EMPTY_THREAD, gone: true });
    }
  };
  await Promise.all([...wanted].map(again));
}

export function dropMessage(key: ThreadKey, id: number): void {
  const thread = threads.get(key);
  if (thread) put(key, { ...thread, messages: thread.messages.filter((message) => message.id !== id) });
}

function put(key: ThreadKey, thread: Thread): void {
  threads.set(key, thread);
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

onWipe(() => openThreads(0));
