import type { Message } from "@lambda/contract/messages";
import { as, type TestMember } from "@lambda/testing/member";
import { openSocket, type TestSocket } from "@lambda/testing/socket";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { answerTo, kindOf } from "./demo-answers.ts";

let worker: TestWorker;
const open: TestSocket[] = [];
beforeAll(async () => {
  worker = await startWorker();
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.close();
});

let made = 0;
const asNeighbour = () => {
  made += 1;
  return as(worker, { email: `demo-${made}@example.test`, isTest: true });
};

async function connect(member: TestMember): Promise<TestSocket> {
  const socket = await openSocket(worker, member);
  open.push(socket);
  return socket;
}

async function write(from: TestMember, to: TestMember, bodyText: string, clientId?: string): Promise<Message> {
  const answer = await from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText, clientId });
  expect(answer.status).toBe(201);
  return (await answer.json()) as Message;
}

const talk = (member: TestMember, other: TestMember) =>
  member.get<Message[]>(`/api/messages/most-recent-with/${other.id}`);

describe("a neighbour of the demo", { timeout: 30_000 }, () => {
  it("sees a message, types and answers it once, in this order", async () => {
    const [member, neighbour] = [await as(worker), await asNeighbour()];
    const socket = await connect(member);
    const sent = await write(member, neighbour, "Hi there", "hello-hello");
    await write(member, neighbour, "Hi there", "hello-hello");
    const { message } = await socket.until("message", ({ message }) => message.senderProfileId === neighbour.id);
    const kinds = socket.events.filter(({ type }) => type !== "message").map(({ type }) => type);
    expect([...new Set(kinds)]).toEqual(["ready", "delivered", "seen", "typing"]);
    expect(message.bodyText).toBe(answerTo(sent));
    expect(Date.parse(message.tsCreated) - Date.parse(sent.tsCreated)).toBeLessThan(8000);

    // Written in a row: the last one is answered, by the same clock as the first.
    await write(member, neighbour, "How was the market?");
    const last = await write(member, neighbour, "Are there still peaches?");
    await socket.until("message", ({ message }) => message.bodyText === answerTo(last) && message.id > last.id);
    const said = (await talk(member, neighbour)).map((message) => message.senderProfileId === member.id);
    expect(said).toEqual([false, true, true, false, true]);
  });

  it("answers a batch of the web application as well", async () => {
    const [member, neighbour] = [await as(worker), await asNeighbour()];
    const socket = await connect(member);
    const input = { 0: {}, 1: { recipientProfileId: neighbour.id, bodyText: "Gracias, vecino" } };
    await member.send("POST", "/trpc/meta.nothing,messages.send?batch=1", input);
    const { message } = await socket.until("message", ({ message }) => message.senderProfileId === neighbour.id);
    expect(message.bodyText).toMatch(/No hay de qué|para eso están/);
  });

  it("says nothing once blocked, nor to a seed's message, nor where nobody of the demo is written to", async () => {
    const [member, neighbour, stranger] = [await as(worker), await asNeighbour(), await as(worker)];
    const [blocked, played] = [await asNeighbour(), await asNeighbour()];
    const socket = await connect(member);
    await write(member, stranger, "Hello");
    await write(member, blocked, "Hello");
    const block = await member.send("PUT", "/api/profile-like", { likedProfileId: blocked.id, blocked: true });
    expect(block.status).toBe(200);
    const seeded = await member.fetch("/api/message", {
      method: "POST",
      headers: { "content-type": "application/json", "x-development-now": String(Date.now()) },
      body: JSON.stringify({ recipientProfileId: played.id, bodyText: "Hello" }),
    });
    expect(seeded.status).toBe(201);
    // An answer to this later one comes after any to those before.
    await write(member, neighbour, "Hello");
    await socket.until("message", ({ message }) => message.senderProfileId === neighbour.id);
    const senders = socket.events.flatMap((event) => (event.type === "message" ? [event.message.senderProfileId] : []));
    expect(new Set(senders)).toEqual(new Set([member.id, neighbour.id]));
  });
});

describe("an answer", () => {
  const heard = { id: 7, bodyText: "", profilePicIds: [], attachment: null };
  it.each([
    ["picture", { profilePicIds: [1], bodyText: "What do you think?" }],
    ["place", { attachment: { type: "position" as const } }],
    ["album", { attachment: { type: "album" as const } }],
    ["greeting", { bodyText: "Good evening!" }],
    ["question", { bodyText: "Hey, are you around?" }],
    ["thanks", { bodyText: "Oh, thank you" }],
    ["farewell", { bodyText: "Good night, neighbour" }],
    ["other", { bodyText: "I am reading on the roof." }],
  ] as const)("to a %s fits", (kind, message) => {
    expect(kindOf({ ...heard, ...message })).toBe(kind);
    expect(answerTo({ ...heard, ...message })).toBe(answerTo({ ...heard, ...message }));
  });

  it("is Spanish to Spanish words", () => {
    expect(answerTo({ ...heard, bodyText: "¿Quieres un café?" })).toMatch(/café|tarde/);
  });
});
