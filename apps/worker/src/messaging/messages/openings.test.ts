import type { Message } from "@lambda/contract/messages";
import { createMember, type TestMember } from "@lambda/testing/member";
import { openSocket } from "@lambda/testing/socket";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { areSimilar, sketchOf } from "../../platform/rate-limits/sketch.ts";
import { containsUnwantedWord } from "./rules.ts";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const write = (from: TestMember, to: TestMember, bodyText: string, extra: object = {}) =>
  from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText, ...extra });

describe("an opener", () => {
  const OPENER = "Hello Marcus, I like the way you smile, coffee on Saturday?";

  it("is recognized with swapped letters, added emoji or another name in it, but different ones are not", () => {
    const isAlike = (text: string) => areSimilar(sketchOf(OPENER, "key"), sketchOf(text, "key"));
    expect(isAlike("Hello Tom, I like the way you smile, coffee on Saturday?")).toBe(true);
    expect(isAlike("Hello, I like the way you smile, coffee on Saturday?")).toBe(true);
    expect(isAlike("😘 HELLO Marcus!!! I like the way you smile 😘 coffee on Saturday? ☕️")).toBe(true);
    expect(isAlike("Hello Marcus, I liek the way you smiel, coffee on Saturday?")).toBe(true);
    expect(isAlike("Hi Marcus, are you going to the concert on Saturday as well?")).toBe(false);
    expect(isAlike("Your dog looks a lot like mine. Do you walk him by the river?")).toBe(false);
  });

  it("can be sent to one member only, and its text is not kept for the comparison", async () => {
    const [me, ann, bob, cy] = [
      await createMember(worker),
      await createMember(worker),
      await createMember(worker),
      await createMember(worker),
    ];
    expect((await write(me, ann, OPENER)).status).toBe(201);
    const refused = await write(me, bob, OPENER.replace("Marcus", "Bob"));
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: { code: "OPENING_REPEATED", field: "bodyText" } });
    expect(await bob.get(`/api/messages/most-recent-with/${me.id}`)).toEqual([]);
    // A rejected opener has no effect: the same text to the same member, and from another member, is accepted.
    expect((await write(me, ann, OPENER)).status).toBe(201);
    expect((await write(me, bob, "Your dog looks a lot like mine. Do you walk him by the river?")).status).toBe(201);
    expect((await write(cy, bob, OPENER)).status).toBe(201);
    // Replies and later messages are not compared.
    await write(ann, cy, "And you, neighbor, how do you do?");
    expect((await write(cy, ann, OPENER)).status).toBe(201);
  });

  it("may be a plain greeting to several members", async () => {
    const me = await createMember(worker);
    for (const text of ["hi", "Hey 👋", "Hey handsome", "Hey handsome"]) {
      expect((await write(me, await createMember(worker), text)).status).toBe(201);
    }
  });
});

describe("unwanted words", () => {
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
  ])("are found as whole words, by appearance: %s", (text, found) => {
    expect(containsUnwantedWord(text, ["fun", "noods", "my place"])).toBe(found);
  });

  it("are saved up to a limit, and invalid ones are rejected", async () => {
    const member = await createMember(worker);
    const save = (unwantedWords: unknown) => member.send("PUT", "/api/chat-preferences", { unwantedWords });
    expect(await (await save(["now", "fun"])).json()).toMatchObject({ unwantedWords: ["now", "fun"], phrases: [] });
    for (const bad of [["…!"], ["x"], Array.from({ length: 49 }, (_, at) => `word${at}`), "fun"]) {
      const refused = await save(bad);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ error: { field: expect.stringContaining("unwantedWords") } });
    }
    expect(await member.get("/api/chat-preferences")).toMatchObject({ unwantedWords: ["now", "fun"] });
  });

  it("filter a message from the reader, and its sender sees what they would see if the reader were offline", async () => {
    const [reader, offline] = [await createMember(worker), await createMember(worker)];
    const [blunt, calm] = [await createMember(worker), await createMember(worker)];
    await reader.send("PUT", "/api/chat-preferences", { unwantedWords: ["fun"] });
    const readerSocket = await openSocket(worker, reader);
    const observe = async (sender: TestMember, to: TestMember) => {
      const socket = await openSocket(worker, sender);
      const answers: string[] = [];
      for (const [at, text] of ["Fun?", "Still there?"].entries()) {
        const draft = { clientId: `client-${at}-of-it` };
        // The second one is a retry.
        for (const sent of [await write(sender, to, text, draft), await write(sender, to, text, draft)])
          answers.push(`${sent.status} ${await sent.text()}`);
      }
      socket.send({ type: "typing", toProfileId: to.id });
      await socket.waitFor("message", ({ message }) => message.bodyText === "Still there?");
      for (const path of [
        `/api/messages/most-recent-with/${to.id}`,
        "/api/conversations",
        "/api/messages/search?query=fun",
      ])
        answers.push(await (await sender.fetch(path)).text());
      socket.close();
      return [...answers, ...socket.events.map((event) => JSON.stringify(event))].map((text) =>
        normalize(text, sender, to),
      );
    };
    const filtered = await observe(blunt, reader);
    expect(filtered).toEqual(await observe(calm, offline));

    // A later frame through the same object arrives after any earlier one.
    await write(calm, reader, "A word of peace");
    await readerSocket.waitFor("message");
    expect(readerSocket.events.filter(({ type }) => type === "message" || type === "typing")).toHaveLength(1);
    readerSocket.close();
    const texts = (items: readonly Message[]) => items.map(({ bodyText }) => bodyText);
    expect(await reader.get(`/api/messages/most-recent-with/${blunt.id}`)).toEqual([]);
    expect(texts(await reader.get(`/api/messages/most-recent-with/${reader.id}`))).toEqual(["A word of peace"]);
    expect(texts(await reader.get("/api/messages/missed?sinceMessageId=0"))).toEqual(["A word of peace"]);
    expect(await reader.get("/api/messages/search?query=fun")).toEqual([]);
    expect(JSON.stringify(await reader.get(`/api/notifications/${reader.id}`))).not.toContain(`with=${blunt.id}`);
    const missing = await reader.send("PUT", "/api/messages/read", { profileId: blunt.id, upToMessageId: 1_000_000 });
    expect(missing.status).toBe(404);
    await reader.send("PUT", "/api/messages/delivered", { upToMessageId: 1_000_000 });

    // A reply opens the conversation; filtered messages stay filtered, and are neither delivered nor read.
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

/** Replaces what differs between any two members and times. */
function normalize(text: string, sender: TestMember, to: TestMember): string {
  return text
    .replace(/"(ts\w+|ts)":"[^"]+"/g, '"$1":"then"')
    .replace(/"(id|messageId|lastMessageId)":\d+/g, '"$1":0')
    .replaceAll(`:${sender.id},`, ":SENDER,")
    .replaceAll(`:${to.id},`, ":OTHER,")
    .replace(/"profileName":"[^"]*"/g, '"profileName":"N"');
}
