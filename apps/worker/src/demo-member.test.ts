import type { Message } from "@lambda/contract/messages";
import { createMember, type TestMember } from "@lambda/testing/member";
import { openSocket, type TestSocket } from "@lambda/testing/socket";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { classifyMessage, replyTo } from "./demo-replies.ts";

let worker: TestWorker;
const open: TestSocket[] = [];
beforeAll(async () => {
  worker = await startWorker();
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.close();
});

let created = 0;
const createDemoMember = () => {
  created += 1;
  return createMember(worker, { email: `demo-${created}@example.test`, isTest: true });
};

async function connect(member: TestMember): Promise<TestSocket> {
  const socket = await openSocket(worker, member);
  open.push(socket);
  return socket;
}

async function write(from: TestMember, to: TestMember, bodyText: string, clientId?: string): Promise<Message> {
  const response = await from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText, clientId });
  expect(response.status).toBe(201);
  return (await response.json()) as Message;
}

const readConversation = (member: TestMember, other: TestMember) =>
  member.get<Message[]>(`/api/messages/most-recent-with/${other.id}`);

describe("a demo member", { tags: "slow", timeout: 90_000 }, () => {
  it("reads a message, types and replies once, in this order", async () => {
    const [member, demoMember] = [await createMember(worker), await createDemoMember()];
    const socket = await connect(member);
    const sent = await write(member, demoMember, "Hi there", "hello-hello");
    await write(member, demoMember, "Hi there", "hello-hello");
    const { message } = await socket.waitFor("message", ({ message }) => message.senderProfileId === demoMember.id);
    const kinds = () => [...new Set(socket.events.map(({ type }) => type).filter((type) => type !== "message"))];
    // The first answer tells what was read before it.
    expect(kinds().filter((type) => type !== "seen")).toEqual(["ready", "typing"]);
    await socket.waitFor("seen");
    expect(message.bodyText).toBe(replyTo(sent));
    expect(Date.parse(message.tsCreated) - Date.parse(sent.tsCreated)).toBeLessThan(60_000);

    // Of two messages in a row the last one gets the reply.
    await write(member, demoMember, "How was the market?");
    const last = await write(member, demoMember, "Are there still peaches?");
    await socket.waitFor("message", ({ message }) => message.bodyText === replyTo(last) && message.id > last.id);
    expect(kinds().toSorted()).toEqual(["delivered", "ready", "seen", "typing"]);
    const isFromMember = (await readConversation(member, demoMember)).map(
      (message) => message.senderProfileId === member.id,
    );
    expect(isFromMember).toEqual([false, true, true, false, true]);
  });

  it("also replies to a message sent in a tRPC batch", async () => {
    const [member, demoMember] = [await createMember(worker), await createDemoMember()];
    const socket = await connect(member);
    const input = { 0: {}, 1: { recipientProfileId: demoMember.id, bodyText: "Gracias, vecino" } };
    await member.send("POST", "/trpc/meta.nothing,messages.send?batch=1", input);
    const { message } = await socket.waitFor("message", ({ message }) => message.senderProfileId === demoMember.id);
    expect(message.bodyText).toMatch(/No hay de qué|para eso están/);
  });

  it("does not reply once blocked or to a seeded message, and other members do not reply at all", async () => {
    const [member, demoMember, stranger] = [
      await createMember(worker),
      await createDemoMember(),
      await createMember(worker),
    ];
    const [blocked, scripted] = [await createDemoMember(), await createDemoMember()];
    const socket = await connect(member);
    await write(member, stranger, "Hello");
    await write(member, blocked, "Hello");
    const block = await member.send("PUT", "/api/profile-like", { likedProfileId: blocked.id, blocked: true });
    expect(block.status).toBe(200);
    const seeded = await member.fetch("/api/message", {
      method: "POST",
      headers: { "content-type": "application/json", "x-development-now": String(Date.now()) },
      body: JSON.stringify({ recipientProfileId: scripted.id, bodyText: "Hello" }),
    });
    expect(seeded.status).toBe(201);
    // The reply to this later message would arrive after replies to the earlier ones.
    await write(member, demoMember, "Hello");
    await socket.waitFor("message", ({ message }) => message.senderProfileId === demoMember.id);
    const senders = socket.events.flatMap((event) => (event.type === "message" ? [event.message.senderProfileId] : []));
    expect(new Set(senders)).toEqual(new Set([member.id, demoMember.id]));
  });
});

describe("a reply", () => {
  const received = { id: 7, bodyText: "", profilePicIds: [], attachment: null };
  it.each([
    ["picture", { profilePicIds: [1], bodyText: "What do you think?" }],
    ["place", { attachment: { type: "position" as const } }],
    ["album", { attachment: { type: "album" as const } }],
    ["greeting", { bodyText: "Good evening!" }],
    ["question", { bodyText: "Hey, are you around?" }],
    ["thanks", { bodyText: "Oh, thank you" }],
    ["farewell", { bodyText: "Good night, neighbor" }],
    ["other", { bodyText: "I am reading on the roof." }],
  ] as const)("fits a message classified as %s", (kind, message) => {
    expect(classifyMessage({ ...received, ...message })).toBe(kind);
    expect(replyTo({ ...received, ...message })).toBe(replyTo({ ...received, ...message }));
  });

  it("is in Spanish when the message is", () => {
    expect(replyTo({ ...received, bodyText: "¿Quieres un café?" })).toMatch(/café|tarde/);
  });
});
