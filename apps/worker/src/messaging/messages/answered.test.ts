/** Of the main database, where such a message is stored in one round trip. */
import type { Conversation, Message } from "@lambda/contract/messages";
import { createMember, type TestMember } from "@lambda/testing/member";
import { readHistory, sendText, textsOf } from "@lambda/testing/scenes/messages";
import { findStoredMessage } from "@lambda/testing/stored-messages";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";

let worker: TestWorker;
let ann: TestMember;
let bob: TestMember;
beforeAll(async () => {
  worker = await startWorker();
});
beforeEach(async () => {
  [ann, bob] = [await createMember(worker, { name: "Ansel" }), await createMember(worker, { name: "Bob" })];
});

let clientIds = 0;
const clientId = () => `client-${String(clientIds++).padStart(8, "0")}`;

describe("sending to a member who has answered", () => {
  let messages: Message[];
  beforeEach(async () => {
    messages = [
      await sendText(ann, bob, "hi"),
      await sendText(bob, ann, "hello"),
      await sendText(ann, bob, "how are you?"),
    ];
  });
  const post = (extra: object = {}) =>
    ann.send("POST", "/api/message", { recipientProfileId: bob.id, bodyText: "fine", clientId: clientId(), ...extra });
  const unread = async () => (await bob.get<Conversation[]>("/api/conversations"))[0]?.unread;

  it("takes one round trip, and stores, quotes and counts like any other", async () => {
    const sent = await post({ replyToId: messages[1]?.id });
    expect([sent.headers.get("x-d1-trips"), sent.headers.get("x-d1-crossings")]).toEqual(["1", "1"]);
    const { id } = (await sent.json()) as Message;
    const same = "sender_id, recipient_id, low_id, high_id, picture_ids, attachment, brand, sector, flagged, filtered";
    expect(await findStoredMessage(worker, same, id)).toEqual(await findStoredMessage(worker, same, messages[2]!.id));
    expect((await readHistory(bob, ann))[0]).toMatchObject({ id, bodyText: "fine", replyToId: messages[1]?.id });
    expect(await unread()).toBe(2);
  });

  it("stores a retry once, and shows nothing again that the recipient deleted", async () => {
    const body = { bodyText: "once", clientId: clientId() };
    const ids = await Promise.all(
      (await Promise.all([post(body), post(body)])).map(async (response) => ((await response.json()) as Message).id),
    );
    expect([new Set(ids).size, await unread()]).toEqual([1, 2]);
    for (const { id } of await readHistory(bob, ann))
      expect((await bob.send("DELETE", `/api/message/${id}?forMe=true`)).status).toBe(204);
    await readHistory(ann, bob);
    expect(((await (await post(body)).json()) as Message).id).toBe(ids[0]);
    expect(await unread()).toBeUndefined();
    expect((await readHistory(ann, bob)).length).toBe(4);
  });

  it.each([
    ["who hides", "update profile set hidden = 1 where id = $bob", "NOT_FOUND"],
    ["while hiding", "update profile set hidden = 1 where id = $ann", "HIDING"],
    ["while shared with no site", "update profile set shared_on = 0 where id = $ann", "NOT_ALLOWED"],
    [
      "whose pair begins anew",
      "update message_pair set low_count = 5, high_count = 0 where low_id = $ann",
      "UNANSWERED",
    ],
  ])("is refused as ever: %s", async (_, query, code) => {
    await worker.run({ query: query.replace("$ann", `${ann.id}`).replace("$bob", `${bob.id}`) });
    expect(await (await post()).json()).toMatchObject({ error: { code } });
    await worker.run({ query: "update profile set hidden = 0 where id in (?, ?)", values: [ann.id, bob.id] });
    expect(textsOf(await readHistory(ann, bob))).toEqual(["how are you?", "hello", "hi"]);
  });

  it("is refused as ever: who blocked the sender", async () => {
    await bob.send("PUT", "/api/profile-like", { likedProfileId: ann.id, blocked: true });
    expect((await post()).status).toBe(404);
    expect(textsOf(await readHistory(ann, bob))).toEqual(["how are you?", "hello", "hi"]);
  });
});
