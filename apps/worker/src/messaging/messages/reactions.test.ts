import { REACTIONS } from "@lambda/contract/events";
import { MESSAGES_PER_MINUTE_MAX } from "@lambda/contract/limits";
import type { Conversation, Message } from "@lambda/contract/messages";
import { createMember, type TestMember } from "@lambda/testing/member";
import { openSocket } from "@lambda/testing/socket";
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
  [ann, bob] = [await createMember(worker), await createMember(worker)];
});

async function write(from: TestMember, to: TestMember, bodyText: string, extra: object = {}): Promise<Message> {
  const response = await from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText, ...extra });
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json()) as Message;
}
const react = (member: TestMember, id: number, reaction: unknown) =>
  member.send("PUT", `/api/message/${id}/reaction`, { reaction });
const history = (reader: TestMember, other: TestMember) =>
  reader.get<Message[]>(`/api/messages/between/${reader.id}/${other.id}`);
const remove = (member: TestMember, id: number, forMe = false) =>
  member.send("DELETE", `/api/message/${id}${forMe ? "?forMe=true" : ""}`);
const block = (member: TestMember, other: TestMember) =>
  member.send("PUT", "/api/profile-like", { likedProfileId: other.id, blocked: true });
const hide = (member: TestMember, hidden: 0 | 1) =>
  worker.env.DB.prepare("update profile set hidden = ? where id = ?").bind(hidden, member.id).run();
const bytesOf = async (response: Response) => [response.status, await response.text()];

describe("a reaction", () => {
  it("reaches both members live, is replaced and withdrawn, and is one a message", async () => {
    const [annSocket, bobSocket] = [await openSocket(worker, ann), await openSocket(worker, bob)];
    const { id } = await write(ann, bob, "look at this");
    expect(await history(ann, bob)).toEqual([expect.not.objectContaining({ reaction: expect.anything() })]);
    for (const reaction of [...REACTIONS, "heart", "heart"] as const) {
      expect((await react(bob, id, reaction)).status).toBe(200);
      for (const socket of [annSocket, bobSocket])
        await socket.waitFor("reacted", (event) => event.messageId === id && event.reaction === reaction);
    }
    expect(await history(ann, bob)).toEqual([expect.objectContaining({ id, reaction: "heart" })]);
    expect(await history(bob, ann)).toEqual([expect.objectContaining({ id, reaction: "heart" })]);
    const [conversation] = await ann.get<Conversation[]>("/api/conversations");
    expect(conversation?.message.reaction).toBe("heart");

    expect((await react(bob, id, null)).status).toBe(200);
    await annSocket.waitFor("reacted", (event) => event.reaction === null);
    expect(await findStoredMessage(worker, "reaction", id)).toEqual({ reaction: null });
    expect((await history(ann, bob))[0]).not.toHaveProperty("reaction");
    annSocket.close();
    bobSocket.close();
  });

  it("is the recipient's alone, and no answer to the message", async () => {
    const { id } = await write(ann, bob, "hello");
    const stranger = await createMember(worker);
    for (const member of [ann, stranger]) expect((await react(member, id, "heart")).status).toBe(404);
    for (const wrong of ["love", "", 1, undefined, ["heart"]]) {
      const refused = await react(bob, id, wrong);
      expect(refused.status).toBe(400);
      expect(await refused.text()).toContain("reaction");
    }
    expect((await react(bob, id, "fire")).status).toBe(200);
    // Four more first messages: a reaction opens no conversation.
    for (const text of ["b", "c", "d", "e"]) await write(ann, bob, text);
    const sixth = await ann.send("POST", "/api/message", { recipientProfileId: bob.id, bodyText: "f" });
    expect(await sixth.json()).toMatchObject({ error: { code: "UNANSWERED" } });
    expect((await bob.get<{ unreadMessages: number }>("/api/session")).unreadMessages).toBe(5);
  });

  it("goes with its message, for both when it is unsent", async () => {
    const [kept, unsent] = [await write(ann, bob, "kept"), await write(ann, bob, "unsent")];
    for (const { id } of [kept, unsent]) await react(bob, id, "laugh");
    await remove(ann, unsent.id);
    expect(await findStoredMessage(worker, "reaction", unsent.id)).toEqual({ reaction: null });
    expect((await react(bob, unsent.id, "sad")).status).toBe(404);
    await remove(bob, kept.id, true);
    expect((await react(bob, kept.id, "sad")).status).toBe(404);
    expect(await history(ann, bob)).toEqual([expect.objectContaining({ id: kept.id, reaction: "laugh" })]);
  });

  it("to somebody who blocked the reader is answered like one to somebody who hides, and reaches nobody", async () => {
    const cases = [];
    for (const vanish of [(writer: TestMember) => hide(writer, 1), (writer: TestMember) => block(writer, ann)]) {
      const writer = await createMember(worker);
      const { id } = await write(writer, ann, "was here");
      await react(ann, id, "heart");
      await vanish(writer);
      const socket = await openSocket(worker, writer);
      const refused = await bytesOf(await react(ann, id, "sad"));
      const withdrawn = await bytesOf(await react(ann, id, null));
      const listed = (await ann.get<Conversation[]>("/api/conversations")).find(({ message }) => message.id === id);
      const shown = { ...listed, message: { ...listed?.message, id: 0, tsCreated: "" } };
      expect(await findStoredMessage(worker, "reaction", id)).toEqual({ reaction: "heart" });
      expect(socket.events.filter(({ type }) => type === "reacted")).toEqual([]);
      socket.close();
      cases.push({ refused, withdrawn, shown });
    }
    expect(cases[0]).toMatchObject({ refused: [404, expect.anything()], withdrawn: [404, expect.anything()] });
    expect(cases[1]).toEqual(cases[0]);
  });

  it("is refused while its author hides, and to a man he blocked", async () => {
    const { id } = await write(ann, bob, "peekaboo");
    await hide(bob, 1);
    expect(await (await react(bob, id, "wow")).json()).toMatchObject({ error: { code: "HIDING" } });
    await hide(bob, 0);
    await block(bob, ann);
    expect((await react(bob, id, "wow")).status).toBe(404);
    expect(await findStoredMessage(worker, "reaction", id)).toEqual({ reaction: null });
  });

  it("counts like a message", async () => {
    const { id } = await write(ann, bob, "hello");
    const put = () =>
      bob.fetch(`/api/message/${id}/reaction`, {
        method: "PUT",
        headers: { "content-type": "application/json", "x-development-quotas": "on" },
        body: JSON.stringify({ reaction: "thumb" }),
      });
    const statuses: number[] = [];
    for (let call = 0; call <= MESSAGES_PER_MINUTE_MAX; call += 1) statuses.push((await put()).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(MESSAGES_PER_MINUTE_MAX);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("a reply", () => {
  it("names the message that it answers to both members, once however often it is sent", async () => {
    const bobSocket = await openSocket(worker, bob);
    const first = await write(ann, bob, "Saturday or Sunday?");
    const answer = await write(bob, ann, "Sunday", { replyToId: first.id, clientId: "answer-00001" });
    expect(answer).toMatchObject({ replyToId: first.id });
    expect(await write(bob, ann, "Sunday", { replyToId: first.id, clientId: "answer-00001" })).toEqual(answer);
    const own = await write(ann, bob, "Or Monday", { replyToId: first.id });
    expect((await bobSocket.waitFor("message", ({ message }) => message.id === own.id)).message.replyToId).toBe(
      first.id,
    );
    for (const [reader, other] of [
      [ann, bob],
      [bob, ann],
    ] as const)
      expect((await history(reader, other)).map(({ replyToId }) => replyToId)).toEqual([first.id, first.id, undefined]);
    bobSocket.close();
  });

  it("is sent as a message of its own when there is nothing to answer", async () => {
    const stranger = await createMember(worker);
    const theirs = await write(stranger, ann, "not yours");
    const [unsent, deleted] = [await write(ann, bob, "gone soon"), await write(ann, bob, "not for me")];
    await remove(ann, unsent.id);
    await remove(bob, deleted.id, true);
    for (const replyToId of [theirs.id, unsent.id, deleted.id, 999_999_999])
      expect(await write(bob, ann, "what was that?", { replyToId })).not.toHaveProperty("replyToId");
    const bad = await bob.send("POST", "/api/message", { recipientProfileId: ann.id, bodyText: "x", replyToId: "one" });
    expect(bad.status).toBe(400);
    expect(await bad.text()).toContain("replyToId");
  });

  it("does not tell the sender that a word hid what it answers", async () => {
    await bob.send("PUT", "/api/chat-preferences", { unwantedWords: ["viagra"] });
    const hidden = await write(ann, bob, "cheap viagra");
    expect(await write(ann, bob, "see above", { replyToId: hidden.id })).toMatchObject({ replyToId: hidden.id });
    expect(await history(bob, ann)).toEqual([]);
  });

  it("keeps nothing of what it answered, which is unsent like any other message", async () => {
    const first = await write(ann, bob, "my address is 12 Elm Street");
    const answer = await write(bob, ann, "on my way", { replyToId: first.id });
    await remove(ann, first.id);
    const [shown, ...others] = await history(bob, ann);
    expect(others).toEqual([]);
    expect(shown).toMatchObject({ id: answer.id, bodyText: "on my way" });
    expect(JSON.stringify(shown)).not.toContain("Elm");
    await remove(bob, answer.id);
    expect(await findStoredMessage(worker, "reply_to", answer.id)).toEqual({ reply_to: null });
  });
});
