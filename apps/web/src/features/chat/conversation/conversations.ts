/** The conversations that this page has open, fed by answers and by the socket alike. */
import type { ServerEvent } from "@lambda/contract/events";
import { MESSAGES_PAGE_SIZE } from "@lambda/contract/limits";
import type { Message } from "@lambda/contract/messages";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { errorCodeOf } from "../../../api/error-body.ts";
import { fetchHistory } from "../../../api/message-calls.ts";
import { onClearLocalData } from "../../../device/clear-local-data.ts";
import { applyEvent, EMPTY_THREAD, mergeMessages, mergePage, otherOf, type Thread, type ThreadKey } from "./thread.ts";

type Threads = Readonly<Partial<Record<ThreadKey, Thread>>>;

export class Conversations {
  readonly account: number;
  readonly threads = createStore<Threads>(() => ({}));
  /** Asked for on this page, loaded or on the way: an answer from before the socket was ready may lack what came just then. */
  readonly #requested = new Set<ThreadKey>();

  constructor(account: number) {
    this.account = account;
  }

  /** Reads the newest page; what is known already stays. The thread's status says how it went. */
  async load(key: ThreadKey): Promise<void> {
    this.#requested.add(key);
    const known = this.#get(key);
    if (known.status !== "ready") this.#put(key, { ...known, status: "loading" });
    try {
      const page = await fetchHistory(nameOf(key));
      this.#put(key, withNewestPage(this.#get(key), page, known.messages.at(-1)?.id ?? 0, this.account));
    } catch (error) {
      // Blocked or deleted meanwhile. Any other failure leaves what is known until the next time.
      if (errorCodeOf(error) === "NOT_FOUND") this.#put(key, { ...EMPTY_THREAD, status: "gone" });
      else if (this.#get(key).status !== "ready") this.#put(key, { ...this.#get(key), status: "failed", error });
    }
  }

  async loadOlder(key: ThreadKey): Promise<void> {
    const { older, messages } = this.#get(key);
    const first = messages[0];
    if (!older || !first) return;
    const page = await fetchHistory({ ...nameOf(key), beforeMessageId: first.id });
    const thread = this.#get(key);
    this.#put(key, {
      ...thread,
      messages: mergeMessages(page.items, thread.messages),
      older: page.items.length === MESSAGES_PAGE_SIZE && page.nextCursor !== null,
    });
  }

  /** After an absence: every open conversation anew, as messages may have been taken back meanwhile. */
  async refresh(): Promise<void> {
    await Promise.all([...this.#requested].map((key) => this.load(key)));
  }

  /** The line between seen and new goes when the conversation is left. */
  leave(key: ThreadKey): void {
    this.#put(key, { ...this.#get(key), unreadFrom: null });
  }

  receiveMessages(messages: readonly Message[]): void {
    for (const message of messages) {
      const key: ThreadKey = `p${otherOf(message, this.account)}`;
      if (!this.#requested.has(key)) continue;
      const thread = this.#get(key);
      this.#put(key, { ...thread, messages: mergeMessages(thread.messages, [message]) });
    }
  }

  receiveEvent(event: ServerEvent): void {
    for (const key of this.#requested) {
      if (!key.startsWith("p")) continue;
      const thread = this.#get(key);
      const changed = applyEvent(thread, event, Number(key.slice(1)), this.account, Date.now());
      if (changed !== thread) this.#put(key, changed);
    }
  }

  dropMessage(key: ThreadKey, id: number): void {
    const thread = this.#get(key);
    this.#put(key, { ...thread, messages: thread.messages.filter((message) => message.id !== id) });
  }

  forgetAll(): void {
    this.#requested.clear();
    this.threads.setState({}, true);
  }

  #get(key: ThreadKey): Thread {
    return this.threads.getState()[key] ?? EMPTY_THREAD;
  }

  /** Answers that come after everything was forgotten belong to nobody. */
  #put(key: ThreadKey, thread: Thread): void {
    if (this.#requested.has(key)) this.threads.setState({ [key]: thread });
  }
}

const nameOf = (key: ThreadKey) => {
  const id = Number(key.slice(1));
  return key.startsWith("p") ? { profileId: id } : { messageId: id };
};

/** @param knownBefore the newest message's id when the page was asked for */
function withNewestPage(
  thread: Thread,
  { items, other, nextCursor }: Awaited<ReturnType<typeof fetchHistory>>,
  knownBefore: number,
  account: number,
): Thread {
  const wasLoaded = thread.status === "ready";
  const reachesFurtherUp = wasLoaded && (thread.messages[0]?.id ?? 0) < (items.at(-1)?.id ?? 0);
  const unread = items.findLast((message) => message.senderProfileId !== account && !message.tsRecipientRead);
  return {
    ...thread,
    status: "ready",
    messages: mergePage(thread.messages, items, knownBefore),
    other,
    older: reachesFurtherUp ? thread.older : nextCursor !== null,
    unreadFrom: wasLoaded ? thread.unreadFrom : (unread?.id ?? null),
  };
}

let current: Conversations | undefined;

/** One object a member: the screen or the live connection, whichever comes first, makes it. */
export function conversationsOf(account: number): Conversations {
  if (current?.account !== account) {
    current?.forgetAll();
    current = new Conversations(account);
  }
  return current;
}

export function useThread({ threads }: Conversations, key: ThreadKey): Thread {
  return useStore(threads, (all) => all[key] ?? EMPTY_THREAD);
}

onClearLocalData(() => {
  current?.forgetAll();
  current = undefined;
});
