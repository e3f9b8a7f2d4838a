import type { Message } from "@lambda/contract/messages";
import { OPENERS } from "@lambda/contract/openers";
import { createMember, type TestMember } from "@lambda/testing/member";
import { quickHash } from "@lambda/testing/password";
import { openSocket } from "@lambda/testing/socket";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { strFromU8, unzipSync } from "fflate";
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

  it.each(["en", "es"] as const)("may be one that we offer, to several members (%s)", async (locale) => {
    const me = await createMember(worker);
    for (const text of OPENERS[locale]) {
      for (const to of [await createMember(worker), await createMember(worker)]) {
        expect([text, (await write(me, to, text)).status]).toEqual([text, 201]);
      }
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
      // Of each message and of its retry, which follow the answers.
      await expect.poll(() => socket.events.filter(({ type }) => type === "message").length).toBe(4);
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

    // A reply opens the conversation; filtered messages stay filtered.
    expect((await write(reader, blunt, "Who are you?")).status).toBe(201);
    expect((await write(blunt, reader, "Somebody who likes fun")).status).toBe(201);
    expect(texts(await reader.get(`/api/messages/most-recent-with/${blunt.id}`))).toEqual([
      "Somebody who likes fun",
      "Who are you?",
    ]);
  });

  it("show in no receipt, frame, list or export of the sender, whatever the reader reads in between and answers", async () => {
    const start = Date.now();
    const passwordHash = quickHash("correct horse battery");
    const play = async (words: readonly string[]) => {
      const [sender, reader] = [await createMember(worker, { passwordHash }), await createMember(worker)];
      await reader.send("PUT", "/api/chat-preferences", { unwantedWords: words });
      const sockets = { sender: await openSocket(worker, sender), reader: await openSocket(worker, reader) };
      let minutes = 0;
      const act = async (by: TestMember, method: "PUT" | "POST" | "GET", path: string, body?: object) => {
        const headers = { "content-type": "application/json", "x-development-now": String(start + minutes * 60_000) };
        return by.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      };
      const answers: string[] = [];
      const say = async (from: TestMember, to: TestMember, clientId: string, bodyText: string, attachment?: object) => {
        minutes += 1;
        const draft = { recipientProfileId: to.id, bodyText, clientId, attachment };
        // A retry is answered and delivered as the first one.
        for (const sent of [
          await act(from, "POST", "/api/message", draft),
          await act(from, "POST", "/api/message", draft),
        ])
          if (from === sender) answers.push(await sent.text());
      };
      const readAll = async () => {
        minutes += 1;
        const shown = (await (
          await act(reader, "GET", `/api/messages/most-recent-with/${sender.id}`)
        ).json()) as Message[];
        const upToMessageId = shown[0]?.id ?? 0;
        await act(reader, "PUT", "/api/messages/delivered", { upToMessageId });
        await act(reader, "PUT", "/api/messages/read", { profileId: sender.id, upToMessageId });
        return shown.map(({ bodyText }) => bodyText);
      };
      const look = async (exports = false) => {
        for (const path of [
          `/api/messages/most-recent-with/${reader.id}`,
          "/api/conversations",
          "/api/messages/missed?sinceMessageId=0",
          "/api/messages/search?query=there",
          "/api/album-grants/given",
          `/api/album/${reader.id}`,
          "/api/disclosures",
          `/trpc/messages.mostRecentWith?input=${encodeURIComponent(JSON.stringify({ profileId: reader.id }))}`,
        ])
          answers.push(await (await act(sender, "GET", path)).text());
        if (!exports) return;
        const proof = { currentPassword: "correct horse battery" };
        const archive = await act(sender, "POST", "/api/account/export", proof);
        const files = unzipSync(new Uint8Array(await archive.arrayBuffer()));
        const { messages, albumGrants } = JSON.parse(strFromU8(files["data.json"] ?? new Uint8Array()));
        answers.push(JSON.stringify([messages, albumGrants]));
      };
      await say(sender, reader, "client-of-first", "A fine smile");
      await readAll();
      await look();
      expect(answers.join(" ")).not.toMatch(/"tsDelivered":"|"tsRecipientRead":"|"ts_recipient_read":"/);
      await say(sender, reader, "client-of-second", "Up for fun?", { type: "album" });
      await readAll();
      await say(sender, reader, "client-of-third", "Still there?");
      const shown = await readAll();
      await look(true);
      await say(reader, sender, "client-of-answer", "Who are you?");
      await sockets.sender.waitFor("message", ({ message }) => message.bodyText === "Who are you?");
      await sockets.sender.waitFor("seen");
      await look();
      await say(sender, reader, "client-of-fourth", "A man who likes fun");
      await readAll();
      await sockets.sender.waitFor("seen", ({ ts }) => ts === new Date(start + minutes * 60_000).toISOString());
      await look(true);
      const ids = (await sender.get<Message[]>(`/api/messages/most-recent-with/${reader.id}`)).map(({ id }) => id);
      for (const socket of Object.values(sockets)) socket.close();
      const album = async () => (await reader.get<{ received: string }>(`/api/album/${sender.id}`)).received;
      const opened = [await album()];
      const [received] = await reader.get<object[]>("/api/album-grants/received");
      await reader.send("POST", "/api/album-request", { ownerProfileId: sender.id });
      opened.push(received ? "listed" : "not listed", await album());
      expect(JSON.stringify(await sender.get(`/api/notifications/${sender.id}`))).not.toContain("album");
      // Frames of two requests can overtake each other.
      const seen = [...answers, ...sockets.sender.frames.toSorted()].map((text) =>
        text
          .replace(
            /"(id|messageId|lastMessageId|upToMessageId)":(\d+)/g,
            (_, key, id) => `"${key}":#${ids.indexOf(Number(id))}`,
          )
          .replace(
            /"messageIds":\[([\d,]*)\]/g,
            (_, list: string) => `"messageIds":${list.split(",").map((id) => ids.indexOf(Number(id)))}`,
          )
          .replaceAll(new RegExp(`(?<=Id":)${sender.id}\\b`, "g"), "SENDER")
          .replaceAll(new RegExp(`(?<=Id":)${reader.id}\\b`, "g"), "READER")
          .replace(/"profileName":"[^"]*"/g, '"profileName":"N"'),
      );
      return { seen: seen.toSorted(), shown, opened };
    };
    const [filtered, plain] = [await play(["fun"]), await play([])];
    expect([filtered.shown, plain.shown]).toEqual([["A fine smile"], ["Still there?", "Up for fun?", "A fine smile"]]);
    // The card that was filtered opened nothing, until the reader asks; its sender is not asked for it.
    expect([filtered.opened, plain.opened]).toEqual([
      ["none", "not listed", "granted"],
      ["granted", "listed", "granted"],
    ]);
    expect(filtered.seen).toEqual(plain.seen);
    expect(plain.seen.join(" ")).toMatch(/"tsRecipientRead":"/);
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
