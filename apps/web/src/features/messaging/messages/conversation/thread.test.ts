import type { Message } from "@lambda/contract/messages";
import { describe, expect, it } from "vitest";
import {
  applyEvent,
  EMPTY_THREAD,
  groupMessages,
  mergeMessages,
  mergePage,
  newestUnread,
  type Thread,
} from "./thread.ts";

const ME = 1;
const OTHER = 2;

function message(id: number, from: number, overrides: Partial<Message> = {}): Message {
  return {
    id,
    senderProfileId: from,
    recipientProfileId: from === ME ? OTHER : ME,
    bodyText: `m${id}`,
    profilePicIds: [],
    tsCreated: new Date(Date.UTC(2026, 0, 1, 12, id)).toISOString(),
    tsRecipientRead: null,
    tsRecipientDeleted: null,
    tsSenderDeleted: null,
    ...overrides,
  };
}
const thread = (...messages: Message[]): Thread => ({ ...EMPTY_THREAD, status: "ready", messages });
const ids = (of: { messages: readonly Message[] }) => of.messages.map((item) => item.id);

describe("merging messages", () => {
  it("keeps each message once and in order when messages arrive twice or late", () => {
    const merged = mergeMessages(
      [message(2, ME), message(4, OTHER)],
      [message(3, OTHER), message(2, ME), message(1, OTHER)],
    );
    expect(merged.map((item) => item.id)).toEqual([1, 2, 3, 4]);
  });

  it("keeps a receipt when the response to the send arrives after it", () => {
    const receivedAt = "2026-01-01T00:00:00.000Z";
    const known = [{ ...message(2, ME), tsDelivered: receivedAt, tsRecipientRead: receivedAt }];
    expect(mergeMessages(known, [{ ...message(2, ME), tsDelivered: null, tsRecipientRead: null }])).toEqual(known);
  });

  it("removes unsent messages when a page is reloaded, and keeps newer and older ones", () => {
    const known = [1, 2, 3, 4, 6].map((id) => message(id, OTHER));
    const page = [4, 2].map((id) => message(id, OTHER));
    expect(mergePage(known, page, 4).map((item) => item.id)).toEqual([1, 2, 4, 6]);
    expect(mergePage(known, [], 4).map((item) => item.id)).toEqual([6]);
    expect(mergePage(known, [], 6)).toEqual([]);
    expect(mergePage(known, [message(3, OTHER)], 4, 2).map((item) => item.id)).toEqual([1, 3, 6]);
    expect(mergePage([message(9, OTHER)], page, 0).map((item) => item.id)).toEqual([2, 4, 9]);
  });

  it("takes a reaction from a reloaded page, also its end, and keeps it when the response to the send arrives late", () => {
    const reacted = { ...message(2, ME), reaction: "heart" as const };
    expect(mergePage([message(2, ME)], [reacted], 2)[0]?.reaction).toBe("heart");
    expect(mergePage([reacted], [message(2, ME)], 2)[0]?.reaction).toBeUndefined();
    expect(mergeMessages([reacted], [message(2, ME)])[0]?.reaction).toBe("heart");
    const withdrawn = { type: "reacted" as const, messageId: 2, reaction: null };
    const after = applyEvent(thread(reacted), withdrawn, OTHER, ME, 0);
    expect(after.messages[0]?.reaction).toBeUndefined();
  });

  it("ignores messages of other conversations", () => {
    const before = thread(message(1, OTHER));
    const foreign = { type: "message" as const, message: message(2, 3) };
    expect(applyEvent(before, foreign, OTHER, ME, 0)).toBe(before);
    const mine = applyEvent(before, { type: "message", message: message(2, ME) }, OTHER, ME, 0);
    expect(ids(mine)).toEqual([1, 2]);
  });

  it("marks messages as delivered and seen only by the member concerned", () => {
    const before = thread(message(1, ME), message(2, OTHER), message(3, ME));
    const ts = "2026-01-01T13:00:00.000Z";
    const delivered = applyEvent(before, { type: "delivered", profileId: OTHER, messageIds: [1, 3], ts }, OTHER, ME, 0);
    expect(delivered.messages.map((item) => item.tsDelivered)).toEqual([ts, undefined, ts]);
    const seen = applyEvent(
      delivered,
      { type: "seen", profileId: OTHER, withProfileId: ME, upToMessageId: 2, ts },
      OTHER,
      ME,
      0,
    );
    expect(seen.messages.map((item) => item.tsRecipientRead)).toEqual([ts, null, null]);
    expect(newestUnread(seen, ME, 9)?.id).toBe(2);
    expect(newestUnread(seen, ME, 1)).toBeUndefined();
    // Events from the member's other devices name the message but not the conversation.
    const own = { type: "seen" as const, profileId: ME, withProfileId: null, ts };
    expect(applyEvent(seen, { ...own, upToMessageId: 9 }, OTHER, ME, 0)).toBe(seen);
    expect(newestUnread(applyEvent(seen, { ...own, upToMessageId: 3 }, OTHER, ME, 0), ME, 9)).toBeUndefined();
  });

  it("removes unsent messages, and stops the typing indicator when the message arrives", () => {
    const typing = applyEvent(thread(message(1, OTHER)), { type: "typing", profileId: OTHER }, OTHER, ME, 500);
    expect(typing.lastTyped).toBe(500);
    expect(applyEvent(typing, { type: "message", message: message(2, OTHER) }, OTHER, ME, 0).lastTyped).toBe(
      Number.NEGATIVE_INFINITY,
    );
    for (const profileId of [OTHER, null]) {
      expect(ids(applyEvent(typing, { type: "unsent", messageId: 1, profileId }, OTHER, ME, 0))).toEqual([]);
      expect(applyEvent(typing, { type: "unsent", messageId: 2, profileId }, OTHER, ME, 0)).toBe(typing);
    }
  });

  it("shows when a view-once picture was opened, in its own conversation alone", () => {
    const ts = new Date(Date.UTC(2026, 0, 2)).toISOString();
    const once = { type: "once", kind: "picture", tsExpires: ts } as const;
    const before = thread(message(1, ME, { attachment: { ...once, tsOpened: null } }));
    const opened = (messageId: number) =>
      applyEvent(before, { type: "opened", messageId, profileId: OTHER, ts }, OTHER, ME, 0);
    expect(opened(1).messages[0]?.attachment).toMatchObject({ tsOpened: ts });
    expect(opened(2)).toBe(before);
  });
});

describe("grouping messages", () => {
  it("groups messages of one sender within minutes and marks each new day", () => {
    const at = (id: number, from: number, time: string) =>
      message(id, from, { tsCreated: new Date(time).toISOString() });
    const groups = groupMessages([
      at(1, OTHER, "2026-01-01T12:00:00"),
      at(2, OTHER, "2026-01-01T12:01:00"),
      at(3, OTHER, "2026-01-01T12:02:00"),
      at(4, ME, "2026-01-01T12:03:00"),
      at(5, ME, "2026-01-02T12:03:00"),
    ]);
    expect(groups.map((item) => item.groupPosition)).toEqual(["first", "middle", "last", "only", "only"]);
    expect(groups.map((item) => item.isNewDay)).toEqual([true, false, false, false, true]);
  });
});
