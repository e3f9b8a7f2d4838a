/** What a conversation on this device is, and how events change it: pure, so that merging is tested without a browser. */
import type { LiveMessage, ServerEvent } from "@lambda/contract/events";
import type { ChatPartner, Message } from "@lambda/contract/messages";

/** `failed`: the first page did not come. `gone`: it was there, and cannot be read any more. */
export type ThreadStatus = "loading" | "ready" | "failed" | "gone";

export interface Thread {
  readonly status: ThreadStatus;
  /** Why it failed; undefined in any other status. */
  readonly error?: unknown;
  /** Oldest first, each id once. */
  readonly messages: readonly Message[];
  /** There is more above. */
  readonly older: boolean;
  /** null: not visible to the member now. */
  readonly other: ChatPartner | null;
  /** The unread line stands above this message; set at the first load. */
  readonly unreadFrom: number | null;
  /** "is typing" until then (milliseconds). */
  readonly typingUntil: number;
}

export const EMPTY_THREAD: Thread = {
  status: "loading",
  messages: [],
  older: false,
  other: null,
  unreadFrom: null,
  typingUntil: 0,
};

/** A conversation's name on this device: by the other member, or by a message while that member is not visible. */
export type ThreadKey = `p${number}` | `m${number}`;

/** The other side of a message, as this member sees it; 0 when not visible. */
export function otherOf(message: Pick<LiveMessage, "senderProfileId" | "recipientProfileId">, me: number): number {
  return message.senderProfileId === me ? (message.recipientProfileId ?? 0) : message.senderProfileId;
}

/**
 * Both lists as one: each id once, the newer answer wins, ordered by id. A receipt never goes back: the answer to a sending may
 * arrive after the event that tells of its delivery.
 */
export function mergeMessages(known: readonly Message[], incoming: readonly Message[]): Message[] {
  const byId = new Map(known.map((message) => [message.id, message]));
  for (const message of incoming) {
    const before = byId.get(message.id);
    byId.set(message.id, {
      ...before,
      ...message,
      tsDelivered: message.tsDelivered ?? before?.tsDelivered,
      tsRecipientRead: message.tsRecipientRead ?? before?.tsRecipientRead ?? null,
    });
  }
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

/**
 * The newest page, read anew, into what is known. What the page should hold and does not was taken back; what arrived while it
 * was being read stays.
 *
 * @param page newest first, as the server answers it
 * @param knownBefore the newest id that was known when the page was asked for
 */
export function mergePage(known: readonly Message[], page: readonly Message[], knownBefore: number): Message[] {
  const oldest = page[page.length - 1]?.id ?? 0;
  const newest = Math.max(page[0]?.id ?? 0, knownBefore);
  return mergeMessages(
    known.filter(({ id }) => id < oldest || id > newest),
    page,
  );
}

/** A thread after an event; the same object when it does not concern it. */
export function applyEvent(thread: Thread, event: ServerEvent, otherId: number, me: number, now: number): Thread {
  const change = (messages: readonly Message[]): Thread => ({ ...thread, messages });
  switch (event.type) {
    case "message":
      if (otherOf(event.message, me) !== otherId) return thread;
      return {
        ...change(mergeMessages(thread.messages, [event.message])),
        typingUntil: event.message.senderProfileId === otherId ? 0 : thread.typingUntil,
      };
    case "delivered":
      if (event.profileId !== otherId) return thread;
      return change(
        thread.messages.map((message) =>
          event.messageIds.includes(message.id) && !message.tsDelivered
            ? { ...message, tsDelivered: event.ts }
            : message,
        ),
      );
    case "seen": {
      const byOther = event.profileId === otherId && event.withProfileId === me;
      const holdsIt = () => thread.messages.some((message) => message.id === event.upToMessageId);
      const byMe = event.profileId === me && event.withProfileId === null && holdsIt();
      if (!byOther && !byMe) return thread;
      const sender = byOther ? me : otherId;
      return change(
        thread.messages.map((message) =>
          message.senderProfileId === sender && message.id <= event.upToMessageId && !message.tsRecipientRead
            ? { ...message, tsDelivered: message.tsDelivered ?? event.ts, tsRecipientRead: event.ts }
            : message,
        ),
      );
    }
    case "unsent":
      if (thread.messages.every((message) => message.id !== event.messageId)) return thread;
      return change(thread.messages.filter((message) => message.id !== event.messageId));
    case "opened":
      return change(
        thread.messages.map((message) =>
          message.id === event.messageId && message.attachment?.type === "once"
            ? { ...message, attachment: { ...message.attachment, tsOpened: event.ts } }
            : message,
        ),
      );
    case "typing":
      return event.profileId === otherId ? { ...thread, typingUntil: now } : thread;
    default:
      return thread;
  }
}

/** The newest message that the other sent and this member has not seen, or undefined. */
export function newestUnread(thread: Thread, me: number): Message | undefined {
  return thread.messages.findLast((message) => message.senderProfileId !== me && !message.tsRecipientRead);
}

/** Where a message stands in its group. */
export type GroupEdge = "only" | "first" | "middle" | "last";

/** Messages of one sender within this time stand together. */
const GROUP_MS = 5 * 60_000;

interface Grouped {
  readonly senderProfileId: number;
  readonly tsCreated: string;
}

/** Where each message stands among those of the same sender, and whether a new day begins with it. */
export function groupMessages(
  messages: readonly Grouped[],
  breakBefore?: number,
): { edge: GroupEdge; newDay: boolean }[] {
  const day = (message: Grouped) => new Date(message.tsCreated).toDateString();
  const joins = (at: number) => {
    const [above, below] = [messages[at - 1], messages[at]];
    if (!above || !below || at === breakBefore) return false;
    const near = Date.parse(below.tsCreated) - Date.parse(above.tsCreated) < GROUP_MS;
    return near && above.senderProfileId === below.senderProfileId && day(above) === day(below);
  };
  return messages.map((message, at) => {
    const above = messages[at - 1];
    const [top, bottom] = [!joins(at), !joins(at + 1)];
    return {
      edge: top ? (bottom ? "only" : "first") : bottom ? "last" : "middle",
      newDay: !above || day(above) !== day(message),
    };
  });
}
