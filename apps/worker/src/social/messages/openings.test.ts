import type { Message } from "@lambda/contract/messages";
import { as, type TestMember } from "@lambda/testing/member";
import { openSocket } from "@lambda/testing/socket";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { areAlike, sketchOf } from "../../platform/rate-limits/sketch.ts";
import { holdsUnwanted } from "./unwanted-words.ts";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const write = (from: TestMember, to: TestMember, bodyText: string, extra: object = {}) =>
  from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText, ...extra });

describe("an opener", () => {
  const OPENER = "Hello Marcus, I like the way you smile, coffee on Saturday?";

  it("is known again with letters swapped, emoji added or another name in it, and another one is not", () => {
    const known = (text: string) => areAlike(sketchOf(OPENER, "key"), sketchOf(text, "key"));
    expect(known("Hello Tom, I like the way you smile, coffee on Saturday?")).toBe(true);
    expect(known("Hello, I like the way you smile, coffee on Saturday?")).toBe(true);
    expect(known("😘 HELLO Marcus!!! I like the way you smile 😘 coffee on Saturday? ☕️")).toBe(true);
    expect(known("Hello Marcus, I liek the way you smiel, coffee on Saturday?")).toBe(true);
    expect(known("Hi Marcus, are you going to the concert on Saturday as well?")).toBe(false);
    expect(known("Your dog looks a lot like mine. Do you walk him by the river?")).toBe(false);
  });

  it("goes to one member alone, and is kept as nothing that reads", async () => {
    const [me, ann, bob, cy] = [await as(worker), await as(worker), await as(worker), await as(worker)];
    expect((await write(me, ann, OPENER)).status).toBe(201);
    const refused = await write(me, bob, OPENER.replace("Marcus", "Bob"));
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: { code: "OPENING_REPEATED", field: "bodyText" } });
    expect(await bob.get(`/api/messages/most-recent-with/${me.id}`)).toEqual([]);
    // Refused, it counts for nothing: somebody else's text, and the same to the same member, go on.
    expect((await write(me, ann, OPENER)).status).toBe(201);
    expect((await write(me, bob, "Your dog looks a lot like mine. Do you walk him by the river?")).status).toBe(201);
    expect((await write(cy, bob, OPENER)).status).toBe(201);
    // An answer, and what follows the first message, may say what it likes.
    await write(ann, cy, "And you, neighbour, how do you do?");
    expect((await write(cy, ann, OPENER)).status).toBe(201);
  });

  it("may be a plain greeting to several", async () => {
    const me = await as(worker);
    for (const text of ["hi", "Hey 👋", "Hey handsome", "Hey handsome"]) {
      expect((await write(me, await as(worker), text)).status).toBe(201);
    }
  });
});

describe("words that a member does not want to read first", () => {
  it.each([
    ["Fun tonight?", true],
    ["any FÚN?", true],
    ["f\u200bun", true],
    ["fun!", true],
    ["Funny you say that", false],
    ["Send n00ds", true],
    ["My Place, now", true],
    ["my own place", false],
    ["", false],
  ])("finds whole words as they look: %s", (text, found) => {
    expect(holdsUnwanted(text, ["fun", "noods", "my place"])).toBe(found);
  });

  it("are kept, at most some dozens, and belong to the export", async () => {
    const member = await as(worker);
    const save = (unwantedWords: unknown) => member.send("PUT", "/api/chat-preferences", { unwantedWords });
    expect(await (await save(["now", "fun"])).json()).toMatchObject({ unwantedWords: ["now", "fun"], phrases: [] });
    for (const bad of [["…!"], ["x"], Array.from({ length: 49 }, (_, at) => `word${at}`), "fun"]) {
      const refused = await save(bad);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ error: { field: expect.stringContaining("unwantedWords") } });
    }
    expect(await member.get("/api/chat-preferences")).toMatchObject({ unwantedWords: ["now", "fun"] });
  });

  it("keep a message from the reader, and its sender hears what they would of somebody offline", async () => {
    const [reader, offline] = [await as(worker), await as(worker)];
    const [blunt, calm] = [await as(worker), await as(worker)];
    await reader.send("PUT", "/api/chat-preferences", { unwantedWords: ["fun"] });
    const heard = await openSocket(worker, reader);
    const play = async (sender: TestMember, to: TestMember) => {
      const socket = await openSocket(worker, sender);
      const answers: string[] = [];
      for (const [at, text] of ["Fun?", "Still there?"].entries()) {
        const draft = { clientId: `client-${at}-of-it` };
        // The second time is a repeated send.
        for (const sent of [await write(sender, to, text, draft), await write(sender, to, text, draft)])
          answers.push(`${sent.status} ${await sent.text()}`);
      }
      socket.send({ type: "typing", toProfileId: to.id });
      await socket.until("message", ({ message }) => message.bodyText === "Still there?");
      for (const path of [
        `/api/messages/most-recent-with/${to.id}`,
        "/api/conversations",
        "/api/messages/search?query=fun",
      ])
        answers.push(await (await sender.fetch(path)).text());
      socket.close();
      return [...answers, ...socket.events.map((event) => JSON.stringify(event))].map((text) =>
        neutral(text, sender, to),
      );
    };
    const filtered = await play(blunt, reader);
    expect(filtered).toEqual(await play(calm, offline));

    // A frame through the same object comes after all that would have come before it.
    await write(calm, reader, "A word of peace");
    await heard.until("message");
    expect(heard.events.filter(({ type }) => type === "message" || type === "typing")).toHaveLength(1);
    heard.close();
    const texts = (items: readonly Message[]) => items.map(({ bodyText }) => bodyText);
    expect(await reader.get(`/api/messages/most-recent-with/${blunt.id}`)).toEqual([]);
    expect(texts(await reader.get(`/api/messages/most-recent-with/${reader.id}`))).toEqual(["A word of peace"]);
    expect(texts(await reader.get("/api/messages/missed?sinceMessageId=0"))).toEqual(["A word of peace"]);
    expect(await reader.get("/api/messages/search?query=fun")).toEqual([]);
    expect(JSON.stringify(await reader.get(`/api/notifications/${reader.id}`))).not.toContain(`with=${blunt.id}`);
    const missing = await reader.send("PUT", "/api/messages/read", { profileId: blunt.id, upToMessageId: 1_000_000 });
    expect(missing.status).toBe(404);
    await reader.send("PUT", "/api/messages/delivered", { upToMessageId: 1_000_000 });

    // An answer opens the conversation; what was kept stays away, and is neither delivered nor seen.
    expect((await write(reader, blunt, "Who are you?")).status).toBe(201);
    expect((await write(blunt, reader, "Somebody who likes fun")).status).toBe(201);
    expect(texts(await reader.get(`/api/messages/most-recent-with/${blunt.id}`))).toEqual([
      "Somebody who likes fun",
      "Who are you?",
    ]);
    await reader.send("PUT", "/api/messages/read", { profileId: blunt.id, upToMessageId: 1_000_000 });
    const own = await blunt.get<Message[]>(`/api/messages/most-recent-with/${reader.id}`);
    const states = own.map(({ bodyText, tsDelivered, tsRecipientRead }) => [bodyText, tsDelivered, tsRecipientRead]);
    expect(states.slice(2)).toEqual([
      ["Still there?", null, null],
      ["Fun?", null, null],
    ]);
  });
});

/** Without what differs between any two members and moments. */
function neutral(text: string, sender: TestMember, to: TestMember): string {
  return text
    .replace(/"(ts\w+|ts)":"[^"]+"/g, '"$1":"then"')
    .replace(/"(id|messageId|lastMessageId)":\d+/g, '"$1":0')
    .replaceAll(`:${sender.id},`, ":SENDER,")
    .replaceAll(`:${to.id},`, ":OTHER,")
    .replace(/"profileName":"[^"]*"/g, '"profileName":"N"');
}
