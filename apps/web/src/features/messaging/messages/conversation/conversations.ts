/** The conversations that are open on this page, updated by API responses and socket events. */
import type { SessionContext } from "@lambda/contract/accounts";
import type { ServerEvent } from "@lambda/contract/events";
import { MESSAGES_PAGE_SIZE } from "@lambda/contract/limits";
import type { Message } from "@lambda/contract/messages";
import { createStore } from "zustand/vanilla";
import { trpcClient } from "../../../../api/client.ts";
import { errorCodeOf } from "../../../../api/error-body.ts";
import { SESSION_KEY } from "../../../../api/page-account.ts";
import { queryClient } from "../../../../api/query-client.ts";
import type { RouterOutputs } from "../../../../api/trpc.ts";
import { onClearLocalData } from "../../../../device/clear-local-data.ts";
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

const { history } = trpcClient.messages;

type HistoryPage = RouterOutputs["messages"]["history"];
type Threads = Readonly<Partial<Record<ThreadKey, Thread>>>;

export class Conversations {
  readonly account: number;
  readonly threads = createStore<Threads>(() => ({}));
  /** Conversations that are loaded or loading. `refresh` reloads them all, because a page from before the socket was ready may be stale. */
  readonly #requested = new Set<ThreadKey>();

  /** Those on the screen. */
  readonly #open = new Set<ThreadKey>();
  /** Messages that were taken away, which a page that was read before may still bring. */
  readonly #removed = new Set<number>();
  /** Below this message an open conversation is reread next. */
  readonly #rechecked = new Map<ThreadKey, number>();

  constructor(account: number) {
    this.account = account;
  }

  async open(key: ThreadKey): Promise<void> {
    this.#open.add(key);
    await this.load(key);
  }

  /** Loads the newest page and merges it into the thread. Failures are reported in the thread's status. */
  async load(key: ThreadKey): Promise<void> {
    this.#requested.add(key);
    const before = this.#get(key);
    if (before.status !== "ready") this.#set(key, { ...before, status: "loading" });
    try {
      const isFirst = before.status !== "ready";
      const page = await (isFirst ? fetchToFirstUnread(key, this.account) : history.query(threadSelector(key)));
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
    const page = await history.query({ ...threadSelector(key), beforeMessageId: first.id });
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

  /**
   * Rereads the open conversations without a socket's events: the newest page, and in turn one of the earlier ones. So messages disappear
   * and receipts appear as with a socket.
   */
  async recheck(): Promise<void> {
    await Promise.all([...this.#open].flatMap((key) => [this.load(key), this.#recheckEarlier(key)]));
  }

  async #recheckEarlier(key: ThreadKey): Promise<void> {
    const { messages } = this.#get(key);
    const before = this.#rechecked.get(key) ?? messages.at(-MESSAGES_PAGE_SIZE)?.id;
    this.#rechecked.delete(key);
    const oldest = messages[0]?.id;
    if (before === undefined || oldest === undefined || before <= oldest) return;
    const page = await history.query({ ...threadSelector(key), beforeMessageId: before }).catch(() => undefined);
    if (!page) return;
    const items = page.items.filter(({ id }) => id >= oldest);
    const thread = this.#get(key);
    this.#set(key, {
      ...thread,
      messages: mergePage(thread.messages, items, before - 1, items.length < page.items.length ? oldest : undefined),
    });
    if (items.length === page.items.length && page.nextCursor !== null) this.#rechecked.set(key, items.at(-1)?.id ?? 0);
  }

  /** Clears the unread line when the member leaves the conversation. */
  leave(key: ThreadKey): void {
    this.#open.delete(key);
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
    if (event.type === "unsent") this.#removed.add(event.messageId);
    for (const key of this.#requested) {
      if (!key.startsWith("p")) continue;
      const thread = this.#get(key);
      const changed = applyEvent(thread, event, Number(key.slice(1)), this.account, performance.now());
      if (changed !== thread) this.#set(key, changed);
    }
  }

  removeMessage(key: ThreadKey, id: number): void {
    this.#removed.add(id);
    this.#set(key, this.#get(key));
  }

  clear(): void {
    this.#requested.clear();
    this.#open.clear();
    this.threads.setState({}, true);
  }

  #get(key: ThreadKey): Thread {
    return this.threads.getState()[key] ?? EMPTY_THREAD;
  }

  /** Ignores responses that arrive after `clear`. */
  #set(key: ThreadKey, thread: Thread): void {
    if (!this.#requested.has(key)) return;
    const isRemoved = ({ id }: Message) => this.#removed.has(id);
    const { messages } = thread;
    const kept = messages.some(isRemoved) ? messages.filter((message) => !isRemoved(message)) : messages;
    this.threads.setState({ [key]: { ...thread, messages: kept } });
  }
}

const isReadFromOther = ({ senderProfileId, tsRecipientRead }: Message, account: number) =>
  senderProfileId !== account && tsRecipientRead !== null;

const UNREAD_PAGE_SIZE = 200;

/** The newest page, with those before it down to the first unread message. */
async function fetchToFirstUnread(key: ThreadKey, account: number): Promise<HistoryPage> {
  const page = await history.query(threadSelector(key));
  // What was read while the two could not see each other stays without a receipt, so the count bounds the search.
  const unread = queryClient.getQueryData<SessionContext>(SESSION_KEY)?.unreadMessages ?? UNREAD_PAGE_SIZE;
  let { items, nextCursor } = page;
  const isAllUnread = () =>
    items.some(({ senderProfileId }) => senderProfileId !== account) &&
    !items.some((message) => isReadFromOther(message, account));
  while (nextCursor !== null && items.length < unread + MESSAGES_PAGE_SIZE && isAllUnread()) {
    const beforeMessageId = items.at(-1)?.id;
    const older = await history.query({ ...threadSelector(key), beforeMessageId, size: UNREAD_PAGE_SIZE });
    items = [...items, ...older.items];
    nextCursor = older.items.length === 0 ? null : older.nextCursor;
  }
  return { ...page, items, nextCursor };
}

/** @param newestKnownId the newest message's id when the page was requested */
function withNewestPage(
  thread: Thread,
  { items, other, nextCursor }: HistoryPage,
  newestKnownId: number,
  account: number,
): Thread {
  const wasLoaded = thread.status === "ready";
  const hasEarlierMessages = wasLoaded && (thread.messages[0]?.id ?? 0) < (items.at(-1)?.id ?? 0);
  const newestRead = items.findIndex((message) => isReadFromOther(message, account));
  const unread = items
    .slice(0, newestRead < 0 ? items.length : newestRead)
    .findLast(({ senderProfileId }) => senderProfileId !== account);
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
