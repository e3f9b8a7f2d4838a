import { expect, it } from "vitest";
import { parseClientEvent, parseServerEvent } from "./events.ts";

const message = {
  id: 7,
  senderProfileId: 3,
  recipientProfileId: 4,
  bodyText: "hello",
  profilePicIds: [1, 2],
  attachment: { type: "position", lat: 1.5, lon: -2, exact: false },
  tsCreated: "2026-11-20T10:00:00.000Z",
  tsDelivered: null,
  tsRecipientRead: null,
  tsRecipientDeleted: null,
  tsSenderDeleted: null,
};
const parse = (event: unknown) => parseServerEvent(JSON.stringify(event));

it("parses each event and drops unknown fields", () => {
  const events = [
    { type: "ready" },
    { type: "message", message },
    { type: "message", message: { ...message, attachment: { type: "album", tsExpires: null }, clientId: "c" } },
    { type: "broadcast", message, senderProfileName: "Ansel", senderPicId: null },
    { type: "delivered", profileId: 1, messageIds: [1], ts: message.tsCreated },
    { type: "seen", profileId: 1, withProfileId: 2, upToMessageId: 3, ts: message.tsCreated },
    { type: "typing", profileId: 1 },
    { type: "seen", profileId: 1, withProfileId: null, upToMessageId: 3, ts: message.tsCreated },
    { type: "unsent", messageId: 1, profileId: null },
    { type: "notification", kind: "match" },
  ];
  for (const event of events) {
    expect(parse(event)).toEqual(event);
    expect(parse({ ...event, extra: 1 })).toEqual(event);
  }
  expect(parse({ type: "message", message: { ...message, email: "a@b" } })).toEqual({ type: "message", message });
});

it("rejects invalid frames", () => {
  const changes = [
    { id: 0 },
    { id: "7" },
    { id: 1.5 },
    { bodyText: null },
    { profilePicIds: [0] },
    { profilePicIds: {} },
    { tsCreated: "yesterday" },
    { tsCreated: "2026-13-40T10:00:00Z" },
    { tsRecipientRead: undefined },
    { attachment: { type: "place" } },
    { attachment: { type: "album" } },
    { attachment: { type: "toString" } },
  ];
  for (const change of changes) expect(parse({ type: "message", message: { ...message, ...change } })).toBeUndefined();
  for (const frame of ["", "{", "null", "1", "[]", '{"type":"constructor"}', '{"type":"message"}', "pong"])
    expect(parseServerEvent(frame)).toBeUndefined();
  expect(parseServerEvent(new ArrayBuffer(2))).toBeUndefined();
});

it("parses client events", () => {
  expect(parseClientEvent('{"type":"typing","toProfileId":4,"x":1}')).toEqual({ type: "typing", toProfileId: 4 });
  expect(parseClientEvent('{"type":"delivered","messageIds":[1,2]}')).toEqual({
    type: "delivered",
    messageIds: [1, 2],
  });
  const many = JSON.stringify({ type: "delivered", messageIds: Array.from({ length: 101 }, (_, index) => index + 1) });
  for (const frame of ['{"type":"delivered","messageIds":[]}', '{"type":"typing"}', many, '{"type":"ready"}'])
    expect(parseClientEvent(frame)).toBeUndefined();
});
