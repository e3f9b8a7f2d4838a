import { getBrand } from "@lambda/brands";
import { UNANSWERED_MESSAGES_MAX } from "@lambda/contract/limits";
import type { FirstContact, Message } from "@lambda/contract/messages";
import { keyOfPoint } from "@lambda/geo/curve";
import { createMember, type TestMember } from "@lambda/testing/member";
import { openSocket, type TestSocket } from "@lambda/testing/socket";
import { findStoredMessage } from "@lambda/testing/stored-messages";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { openMessageDatabases } from "../../platform/db/message-databases.ts";
import { areSimilar, sketchOf } from "../../platform/rate-limits/sketch.ts";
import { canWriteTo } from "./first-contact.ts";
import { canWriteFirst } from "./rules.ts";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

async function write(from: TestMember, to: TestMember, bodyText: string, extra: object = {}): Promise<Response> {
  return from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText, ...extra });
}
const like = (a: TestMember, b: TestMember) =>
  worker.env.DB.prepare("insert into profile_like (liker_id, liked_id, like_type, ts_created) values (?, ?, 'LIKE', 0)")
    .bind(a.id, b.id)
    .run();
const move = (member: TestMember, lat: number, lon: number) =>
  worker.env.DB.prepare(
    `insert into position (profile_id, use, precision, cell, key, ts_published, ts_effective_until)
     values (?, 'OVERRIDE', 'street', 0, ?, 0, ?)`,
  )
    .bind(member.id, keyOfPoint({ lat, lon }), Date.now() + 3_600_000)
    .run();

describe("who may write first", () => {
  const NONE: FirstContact = {
    matchesOnly: false,
    checkedOnly: false,
    ageMin: null,
    ageMax: null,
    distanceMaxMetres: null,
  };
  const now = Date.UTC(2026, 10, 20);
  const here = { lat: 52, lon: 13 };
  const from = { birthdate: "1990-01-01", point: here, matched: false, checked: false };

  it("applies each limit, and always lets a match write", () => {
    expect(canWriteFirst(NONE, from, null, now)).toBe(true);
    expect(canWriteFirst({ ...NONE, ageMin: 37 }, from, null, now)).toBe(false);
    expect(canWriteFirst({ ...NONE, ageMin: 36, ageMax: 36 }, from, null, now)).toBe(true);
    expect(canWriteFirst({ ...NONE, ageMax: 40 }, { ...from, birthdate: null }, null, now)).toBe(false);
    expect(canWriteFirst({ ...NONE, distanceMaxMetres: 5000 }, from, { lat: 52.04, lon: 13 }, now)).toBe(true);
    expect(canWriteFirst({ ...NONE, distanceMaxMetres: 4000 }, from, { lat: 52.04, lon: 13 }, now)).toBe(false);
    expect(canWriteFirst({ ...NONE, distanceMaxMetres: 4000 }, from, null, now)).toBe(false);
    expect(canWriteFirst({ ...NONE, matchesOnly: true }, { ...from, matched: true }, null, now)).toBe(true);
  });

  it("rejects strangers, lets matches write, and leaves open conversations open", async () => {
    const [shy, stranger, friend, match] = [
      await createMember(worker),
      await createMember(worker),
      await createMember(worker),
      await createMember(worker),
    ];
    await write(stranger, shy, "before the limit was set");
    await write(friend, shy, "we will talk");
    await write(shy, friend, "we do");
    const other = await createMember(worker);
    const saved = await shy.send("PUT", "/api/chat-preferences", { firstContact: { matchesOnly: true } });
    expect(await saved.json()).toMatchObject({ firstContact: { matchesOnly: true }, phrases: [] });
    const refused = await write(other, shy, "hello");
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: { code: "NOT_ALLOWED" } });
    expect((await write(friend, shy, "we already talk")).status).toBe(201);
    // An unanswered message does not open the conversation.
    expect((await write(stranger, shy, "remember me")).status).toBe(403);
    await like(match, shy);
    expect((await write(match, shy, "one like is no match")).status).toBe(403);
    await like(shy, match);
    expect((await write(match, shy, "a match")).status).toBe(201);
    expect((await write(shy, other, "the shy member may")).status).toBe(201);
    expect((await write(other, shy, "an answer")).status).toBe(201);
  });

  it("measures the distance between published positions", async () => {
    const [near, far, homebody] = [await createMember(worker), await createMember(worker), await createMember(worker)];
    await move(homebody, 40, -100);
    await move(near, 40.01, -100);
    await move(far, 41, -100);
    await homebody.send("PUT", "/api/chat-preferences", { firstContact: { distanceMaxMetres: 10_000 } });
    expect((await write(far, homebody, "from afar")).status).toBe(403);
    expect((await write(near, homebody, "from next door")).status).toBe(201);
  });

  it("accepts a few messages until there is a reply, even when many are sent at once", async () => {
    const [me, other] = [await createMember(worker), await createMember(worker)];
    const statuses = async (texts: string[]) =>
      (await Promise.all(texts.map((text) => write(me, other, text)))).map(({ status }) => status).sort();
    const five = Array.from({ length: UNANSWERED_MESSAGES_MAX }, () => 201);
    expect(await statuses(["a", "b", "c", "d", "e", "f", "g", "h"])).toEqual([...five, 403, 403, 403]);
    const refused = await write(me, other, "please");
    expect(await refused.json()).toMatchObject({ error: { code: "UNANSWERED" } });
    expect(await other.get(`/api/messages/most-recent-with/${me.id}`)).toHaveLength(UNANSWERED_MESSAGES_MAX);

    // Neither unsending them nor the recipient deleting them makes room.
    const [first] = await me.get<Message[]>(`/api/messages/most-recent-with/${other.id}`);
    await me.send("DELETE", `/api/message/${first?.id}`);
    expect((await write(me, other, "once more")).status).toBe(403);
    expect((await write(other, me, "hello")).status).toBe(201);
    expect(await statuses(["a", "b", "c", "d", "e", "f"])).toEqual([...five, 201]);
  });

  it("does not show who is typing unless they may write", async () => {
    const [shy, friend, stranger, eager] = [
      await createMember(worker),
      await createMember(worker),
      await createMember(worker),
      await createMember(worker),
    ];
    await write(shy, friend, "you may");
    await shy.send("PUT", "/api/chat-preferences", { firstContact: { matchesOnly: true } });
    const sockets = await Promise.all([shy, stranger, friend].map((member) => openSocket(worker, member)));
    const [shySocket, ...typists] = sockets as [TestSocket, TestSocket, TestSocket];
    for (const socket of typists) socket.send({ type: "typing", toProfileId: shy.id });
    await shySocket.waitFor("typing", ({ profileId }) => profileId === friend.id);
    // The stranger's frame was sent before the friend's; a message through the same object arrives after both.
    await friend.send("POST", "/api/message", { recipientProfileId: shy.id, bodyText: "the end" });
    await shySocket.waitFor("message");
    expect(shySocket.events.filter(({ type }) => type === "typing")).toHaveLength(1);
    for (const socket of sockets) socket.close();

    // Nor if they have used up their unanswered messages.
    const calm = await createMember(worker);
    for (let count = 0; count < UNANSWERED_MESSAGES_MAX; count += 1) await write(eager, calm, `word ${count}`);
    const may = (from: TestMember) =>
      canWriteTo(
        openMessageDatabases(worker.env),
        { brand: getBrand("ember"), viewer: { profileId: from.id } },
        calm.id,
        Date.now(),
      );
    expect([await may(eager), await may(stranger)]).toEqual([false, true]);
  });

  it("recognizes an opening after small changes of letters, case or punctuation, and one of punctuation alone", () => {
    const same = (one: string, other: string) => areSimilar(sketchOf(one, "key"), sketchOf(other, "key"));
    expect(same("  Hey, SEXY man!! 2 ", "hey sexy man")).toBe(true);
    expect(same("Hello handsome, how are you?", "Hellp handsome, how are you?")).toBe(true);
    expect(same("Good evening", "Good evenings")).toBe(true);
    expect(same("\uff28ello handsome", "hello handsome")).toBe(true);
    expect(same("\ud83d\ude08\ud83d\ude08", "???")).toBe(true);
    expect(same("hi", "")).toBe(true);
    expect(same("Are you at the lake today?", "What a nice picture of the sea")).toBe(false);
    expect(same("Good evening", "Bonsoir, voisin")).toBe(false);
  });

  it("rate-limits openings of punctuation alone too", async () => {
    const spammer = await createMember(worker);
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await write(spammer, await createMember(worker), "!".repeat(count + 1))).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
  });

  it("marks an opening that is sent to many members, then rate-limits it", async () => {
    const spammer = await createMember(worker);
    const statuses: number[] = [];
    const marks: (boolean | undefined)[] = [];
    for (let count = 0; count < 11; count += 1) {
      const answer = await write(spammer, await createMember(worker), `Hey handsome ${count}!`);
      statuses.push(answer.status);
      if (answer.status === 201) marks.push(((await answer.json()) as Message).sentToMany);
      else expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
    expect(marks).toEqual([undefined, undefined, undefined, ...Array.from({ length: 7 }, () => true)]);
    expect((await write(spammer, await createMember(worker), "Something of its own")).status).toBe(201);
  });
});

describe("the content of a message", () => {
  it("may be the sender's own chat pictures, but no other ones", async () => {
    const [ann, bob] = [await createMember(worker), await createMember(worker)];
    const picture = async (owner: TestMember, audience: string) => {
      const row = await worker.env.DB.prepare(
        "insert into picture (profile_id, audience, width, height, bytes, ts_created, ts_updated) values (?, ?, 1, 1, 1, 0, 0) returning id",
      )
        .bind(owner.id, audience)
        .first<{ id: number }>();
      return row?.id ?? 0;
    };
    const mine = await picture(ann, "chat");
    const sent = await write(ann, bob, "", { profilePicIds: [mine] });
    expect(await sent.json()).toMatchObject({ bodyText: "", profilePicIds: [mine] });
    for (const id of [await picture(bob, "chat"), await picture(ann, "private"), 999_999]) {
      expect((await write(ann, bob, "", { profilePicIds: [id] })).status).toBe(404);
    }
  });

  it("may be the published position, or an 11 m cell by explicit choice", async () => {
    const [ann, bob] = [await createMember(worker), await createMember(worker)];
    const nowhere = await write(ann, bob, "", { attachment: { type: "position", exact: false } });
    expect(nowhere.status).toBe(400);
    await move(ann, 48.2, 16.37);
    const published = (await (
      await write(ann, bob, "", { attachment: { type: "position", exact: false } })
    ).json()) as Message;
    expect(published.attachment).toMatchObject({ type: "position", exact: false });
    const raw = { lat: 48.123456789, lon: 16.123456789 };
    const answer = await write(ann, bob, "", { attachment: { type: "position", exact: true, ...raw } });
    const { id } = (await answer.json()) as Message;
    const row = await findStoredMessage(worker, "attachment", id);
    expect(JSON.stringify(row)).not.toContain("48.1234567");
    expect((await ann.send("POST", "/api/message", { attachment: { type: "position", exact: false } })).status).toBe(
      400,
    );
  });

  it("may be the private album, which the message grants", async () => {
    const [ann, bob] = [await createMember(worker), await createMember(worker)];
    expect((await write(ann, bob, "", { attachment: { type: "album" } })).status).toBe(201);
    const grant = await worker.env.DB.prepare("select state from album_grant where owner_id = ? and member_id = ?")
      .bind(ann.id, bob.id)
      .first();
    expect(grant).toEqual({ state: "granted" });
  });

  it("is rejected from members who hide, have no name, or send too much", async () => {
    const bob = await createMember(worker);
    const hidden = await write(await createMember(worker, { hidden: true }), bob, "psst");
    expect(await hidden.json()).toMatchObject({ error: { code: "HIDING" } });
    expect((await write(await createMember(worker, { name: "" }), bob, "who am I")).status).toBe(403);
    const busy = await createMember(worker);
    await write(bob, busy, "go on");
    const statuses = new Set<number>();
    for (let count = 0; count <= 60; count += 1) statuses.add((await write(busy, bob, `word ${count}`)).status);
    expect([...statuses]).toEqual([201, 429]);
  });
});

describe("a member's history", () => {
  it("is searched ignoring case and accents, in both directions, without other members' or deleted messages", async () => {
    const [ann, bob, eve] = [await createMember(worker), await createMember(worker), await createMember(worker)];
    await write(ann, bob, "The Lighthouse at seven");
    const answer = (await (await write(bob, ann, "lighthouse it is, 100%")).json()) as Message;
    await write(eve, bob, "not a lighthouse of yours");
    const find = async (query: string) =>
      (await ann.get<{ message: Message }[]>(`/api/messages/search?query=${encodeURIComponent(query)}`)).map(
        (hit) => hit.message.bodyText,
      );
    expect(await find("LIGHTHOUSE")).toEqual(["lighthouse it is, 100%", "The Lighthouse at seven"]);
    expect(await find("0%")).toEqual(["lighthouse it is, 100%"]);
    expect(await find("%%")).toEqual([]);
    const spanish = (await (await write(bob, ann, "¿Mañana en la ESTACIÓN, Ángel? Привет")).json()) as Message;
    for (const query of [
      "manana",
      "MAÑANA",
      "man\u0303ana",
      "estación",
      "estacion",
      "ángel",
      "ANGEL",
      "привет",
      "ПРИВЕТ",
      "en\u200B la",
    ])
      expect([query, await find(query)]).toEqual([query, [spanish.bodyText]]);
    expect(await find("mañanas")).toEqual([]);
    await ann.send("DELETE", `/api/message/${answer.id}`);
    expect(await find("lighthouse")).toEqual(["The Lighthouse at seven"]);
    expect(await bob.get("/api/messages/search?query=it%20is")).toHaveLength(1);
    expect((await eve.send("DELETE", `/api/message/${answer.id}`)).status).toBe(404);
  });

  it("is closed to other members", async () => {
    const [ann, bob, eve] = [await createMember(worker), await createMember(worker), await createMember(worker)];
    await write(ann, bob, "between us");
    expect((await eve.fetch(`/api/messages/between/${ann.id}/${bob.id}`)).status).toBe(403);
    expect(await eve.get(`/api/messages/most-recent-with/${ann.id}`)).toEqual([]);
    expect((await eve.send("PUT", "/api/messages/read", { profileId: ann.id, upToMessageId: 1 })).status).toBe(404);
  });
});
