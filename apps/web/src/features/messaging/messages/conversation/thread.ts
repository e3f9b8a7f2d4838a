/** The state of one conversation and how events change it. Pure functions, so that merging can be tested without a browser. */
import type { LiveMessage, ServerEvent } from "@lambda/contract/events";
import type { ChatPartner, Message } from "@lambda/contract/messages";

/** `failed`: the first page could not be loaded. `gone`: the conversation no longer exists for this member. */
export type ThreadStatus = "loading" | "ready" | "failed" | "gone";

export interface Thread {
  readonly status: ThreadStatus;
  /** Set in status `failed` only. */
  readonly error?: unknown;
  /** Oldest first, each id once. */
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  /** null while the other member is not visible. */
  readonly other: ChatPartner | null;
  /** The unread line is shown above this message. Set by the first load. */
  readonly firstUnreadId: number | null;
  /** When the other member last signaled typing, by performance.now(); -Infinity for not typing. */
  readonly lastTyped: number;
}

export const EMPTY_THREAD: Thread = {
  status: "loading",
  messages: [],
  hasOlder: false,
  other: null,
  firstUnreadId: null,
  lastTyped: Number.NEGATIVE_INFINITY,
};

/** `p` and the other member's id, or `m` and a message's id while the other member is not visible. */
export type ThreadKey = `p${number}` | `m${number}`;

/** The key as the API's input. */
export function threadSelector(key: ThreadKey): { profileId: number } | { messageId: number } {
  const id = Number(key.slice(1));
  return key.startsWith("p") ? { profileId: id } : { messageId: id };
}

/** The other member of a message; 0 while they are not visible. */
export function otherIdOf(message: Pick<LiveMessage, "senderProfileId" | "recipientProfileId">, me: number): number {
  return message.senderProfileId === me ? (message.recipientProfileId ?? 0) : message.senderProfileId;
}

/**
 * Merges by id, in order of id; `incoming` wins. Receipts are never removed: the response to a send may arrive after
 * the event that reports its delivery.
 */
export function mergeMessages(known: readonly Message[], incoming: readonly Message[]): Message[] {
  const byId = new Map(known.map((message) => [message.id, message]));
  for (const message of incoming) {
    const previous = byId.get(message.id);
    byId.set(message.id, {
      ...previous,
      ...message,
      tsDelivered: message.tsDelivered ?? previous?.tsDelivered,
      tsRecipientRead: message.tsRecipientRead ?? previous?.tsRecipientRead ?? null,
    });
  }
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

/**
 * Merges a reloaded newest page. Known messages missing from the page's range were unsent and are removed; messages
 * that arrived during the request stay.
 *
 * @param page newest first
 * @param newestKnownId the newest id that was known when the page was requested
 * @param oldest where the page's range begins, if not at its last message
 */
export function mergePage(
  known: readonly Message[],
  page: readonly Message[],
  newestKnownId: number,
  oldest = page[page.length - 1]?.id ?? 0,
): Message[] {
  const newest = Math.max(page[0]?.id ?? 0, newestKnownId);
  return mergeMessages(
    known.filter(({ id }) => id < oldest || id > newest),
    page,
  );
}

/** Returns the thread unchanged if the event does not concern it. */
export function applyEvent(thread: Thread, event: ServerEvent, otherId: number, me: number, now: number): Thread {
  const withMessages = (messages: readonly Message[]): Thread => ({ ...thread, messages });
  switch (event.type) {
    case "message":
      if (otherIdOf(event.message, me) !== otherId) return thread;
      return {
        ...withMessages(mergeMessages(thread.messages, [event.message])),
        lastTyped: event.message.senderProfileId === otherId ? Number.NEGATIVE_INFINITY : thread.lastTyped,
      };
    case "delivered":
      if (event.profileId !== otherId) return thread;
      return withMessages(
        thread.messages.map((message) =>
          event.messageIds.includes(message.id) && !message.tsDelivered
            ? { ...message, tsDelivered: event.ts }
            : message,
        ),
      );
    case "seen": {
      const byOther = event.profileId === otherId && event.withProfileId === me;
      const hasMessage = () => thread.messages.some((message) => message.id === event.upToMessageId);
      const byMe = event.profileId === me && event.withProfileId === null && hasMessage();
      if (!byOther && !byMe) return thread;
      const sender = byOther ? me : otherId;
      return withMessages(
        thread.messages.map((message) =>
          message.senderProfileId === sender && message.id <= event.upToMessageId && !message.tsRecipientRead
            ? { ...message, tsDelivered: message.tsDelivered ?? event.ts, tsRecipientRead: event.ts }
            : message,
        ),
      );
    }
    case "unsent":
      if (thread.messages.every((message) => message.id !== event.messageId)) return thread;
      return withMessages(thread.messages.filter((message) => message.id !== event.messageId));
    case "reacted":
      if (thread.messages.every((message) => message.id !== event.messageId)) return thread;
      return withMessages(
        thread.messages.map((message) =>
          message.id === event.messageId ? { ...message, reaction: event.reaction ?? undefined } : message,
        ),
      );
    case "opened":
      if (thread.messages.every((message) => message.id !== event.messageId)) return thread;
      return withMessages(
        thread.messages.map((message) =>
          message.id === event.messageId && message.attachment?.type === "once"
            ? { ...message, attachment: { ...message.attachment, tsOpened: event.ts } }
            : message,
        ),
      );
    case "typing":
      return event.profileId === otherId ? { ...thread, lastTyped: now } : thread;
    default:
      return thread;
  }
}

/** The newest message of the other that was on the screen and is not marked as read, or undefined. */
export function newestUnread(thread: Thread, me: number, shownUpTo: number): Message | undefined {
  return thread.messages.findLast(
    ({ id, senderProfileId, tsRecipientRead }) => id <= shownUpTo && senderProfileId !== me && !tsRecipientRead,
  );
}

export type GroupPosition = "only" | "first" | "middle" | "last";

/** Messages of one sender within this time form a group. */
const GROUP_MS = 5 * 60_000;

interface GroupedMessage {
  readonly senderProfileId: number;
  readonly tsCreated: string;
}

/** @param breakBefore index of a message that always starts a new group: the first unread one */
export function groupMessages(
  messages: readonly GroupedMessage[],
  breakBefore?: number,
): { groupPosition: GroupPosition; isNewDay: boolean }[] {
  const day = (message: GroupedMessage) => new Date(message.tsCreated).toDateString();
  const joinsPrevious = (index: number) => {
    const [above, below] = [messages[index - 1], messages[index]];
    if (!above || !below || index === breakBefore) return false;
    const isClose = Date.parse(below.tsCreated) - Date.parse(above.tsCreated) < GROUP_MS;
    return isClose && above.senderProfileId === below.senderProfileId && day(above) === day(below);
  };
  return messages.map((message, index) => {
    const above = messages[index - 1];
    const [isFirst, isLast] = [!joinsPrevious(index), !joinsPrevious(index + 1)];
    return {
      groupPosition: isFirst ? (isLast ? "only" : "first") : isLast ? "last" : "middle",
      isNewDay: !above || day(above) !== day(message),
    };
  });
}
