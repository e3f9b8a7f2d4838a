/** The conversations that are open on this page, updated by API responses and socket events. */
import type { ServerEvent } from "@lambda/contract/events";
import { MESSAGES_PAGE_SIZE } from "@lambda/contract/limits";
import type { Message } from "@lambda/contract/messages";
import { createStore } from "zustand/vanilla";
import { errorCodeOf } from "../../../api/error-body.ts";
import { fetchHistory } from "../../../api/message-calls.ts";
import { onClearLocalData } from "../../../device/clear-local-data.ts";
import {
  applyEvent,
  EMPTY_THREAD,
  mergeMessages,
  mergePage,
  otherIdOf,
  type Thread,
  type ThreadKey,
  threadSelector,
} from "./thread.ts";

type Threads = Readonly<Partial<Record<ThreadKey, Thread>>>;

export class Conversations {
  readonly account: number;
  readonly threads = createStore<Threads>(() => ({}));
  /**
   * Conversations that are loaded or loading. `refresh` reloads them all, because a page from before the socket was
   * ready may be stale.
   */
  readonly #requested = new Set<ThreadKey>();

  constructor(account: number) {
    this.account = account;
  }

  /** Loads the newest page and merges it into the thread. Failures are reported in the thread's status. */
  async load(key: ThreadKey): Promise<void> {
    this.#requested.add(key);
    const before = this.#get(key);
    if (before.status !== "ready") this.#set(key, { ...before, status: "loading" });
    try {
      const page = await fetchHistory(threadSelector(key));
      this.#set(key, withNewestPage(this.#get(key), page, before.messages.at(-1)?.id ?? 0, this.account));
    } catch (error) {
      // NOT_FOUND: blocked or deleted in the meantime. After any other failure a loaded thread stays as it is.
      if (errorCodeOf(error) === "NOT_FOUND") this.#set(key, { ...EMPTY_THREAD, status: "gone" });
      else if (this.#get(key).status !== "ready") this.#set(key, { ...this.#get(key), status: "failed", error });
    }
  }

  async loadOlder(key: ThreadKey): Promise<void> {
    const { hasOlder, messages } = this.#get(key);
    const first = messages[0];
    if (!hasOlder || !first) return;
    const page = await fetchHistory({ ...threadSelector(key), beforeMessageId: first.id });
    const thread = this.#get(key);
    this.#set(key, {
      ...thread,
      messages: mergeMessages(page.items, thread.messages),
      hasOlder: page.items.length === MESSAGES_PAGE_SIZE && page.nextCursor !== null,
    });
  }

  /** Reloads every open conversation after a disconnect, because messages may have been unsent in the meantime. */
  async refresh(): Promise<void> {
    await Promise.all([...this.#requested].map((key) => this.load(key)));
  }

  /** Clears the unread line when the member leaves the conversation. */
  leave(key: ThreadKey): void {
    this.#set(key, { ...this.#get(key), firstUnreadId: null });
  }

  receiveMessages(messages: readonly Message[]): void {
    for (const message of messages) {
      const key: ThreadKey = `p${otherIdOf(message, this.account)}`;
      if (!this.#requested.has(key)) continue;
      const thread = this.#get(key);
      this.#set(key, { ...thread, messages: mergeMessages(thread.messages, [message]) });
    }
  }

  receiveEvent(event: ServerEvent): void {
    for (const key of this.#requested) {
      if (!key.startsWith("p")) continue;
      const thread = this.#get(key);
      const changed = applyEvent(thread, event, Number(key.slice(1)), this.account, performance.now());
      if (changed !== thread) this.#set(key, changed);
    }
  }

  removeMessage(key: ThreadKey, id: number): void {
    const thread = this.#get(key);
    this.#set(key, { ...thread, messages: thread.messages.filter((message) => message.id !== id) });
  }

  clear(): void {
    this.#requested.clear();
    this.threads.setState({}, true);
  }

  #get(key: ThreadKey): Thread {
    return this.threads.getState()[key] ?? EMPTY_THREAD;
  }

  /** Ignores responses that arrive after `clear`. */
  #set(key: ThreadKey, thread: Thread): void {
    if (this.#requested.has(key)) this.threads.setState({ [key]: thread });
  }
}

/** @param newestKnownId the newest message's id when the page was requested */
function withNewestPage(
  thread: Thread,
  { items, other, nextCursor }: Awaited<ReturnType<typeof fetchHistory>>,
  newestKnownId: number,
  account: number,
): Thread {
  const wasLoaded = thread.status === "ready";
  const hasEarlierMessages = wasLoaded && (thread.messages[0]?.id ?? 0) < (items.at(-1)?.id ?? 0);
  const unread = items.findLast((message) => message.senderProfileId !== account && !message.tsRecipientRead);
  return {
    ...thread,
    status: "ready",
    messages: mergePage(thread.messages, items, newestKnownId),
    other,
    hasOlder: hasEarlierMessages ? thread.hasOlder : nextCursor !== null,
    firstUnreadId: wasLoaded ? thread.firstUnreadId : (unread?.id ?? null),
  };
}

let current: Conversations | undefined;

/** One object per member, created by whichever comes first: the chat screen or the live connection. */
export function conversationsOf(account: number): Conversations {
  if (current?.account !== account) {
    current?.clear();
    current = new Conversations(account);
  }
  return current;
}

onClearLocalData(() => {
  current?.clear();
  current = undefined;
});
