import { ALL_BRANDS_MASK } from "@lambda/brands";
import { SOCKET_CLOSE_MOVED, SOCKET_PING, SOCKET_PONG } from "@lambda/contract/events";
import { MESSAGES_PER_MINUTE_MAX, MINUTE_MS } from "@lambda/contract/limits";
import type { Message } from "@lambda/contract/messages";
import { createMember, type TestMember } from "@lambda/testing/member";
import { priorMessagesSql } from "@lambda/testing/prior-messages";
import { openSocket, type TestSocket } from "@lambda/testing/socket";
import { findStoredMessage } from "@lambda/testing/stored-messages";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { metricsOf } from "../../platform/metrics/counts.ts";

let worker: TestWorker;
const open: TestSocket[] = [];
beforeAll(async () => {
  worker = await startWorker();
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.close();
});

async function connect(member: TestMember, path = "/ws?visible=true"): Promise<TestSocket> {
  const socket = await openSocket(worker, member, { path });
  open.push(socket);
  return socket;
}

async function write(from: TestMember, to: TestMember | null, bodyText: string): Promise<Message> {
  const response = await from.send("POST", "/api/message", { recipientProfileId: to?.id, bodyText });
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json()) as Message;
}

/** Two members who wrote to each other, so that receipts are told. */
async function createPair(): Promise<[TestMember, TestMember]> {
  const pair: [TestMember, TestMember] = [await createMember(worker), await createMember(worker)];
  await worker.run({ query: priorMessagesSql(pair.map(({ id }) => id)) });
  return pair;
}

/** All sockets opened so far, without those closed. */
async function countOpen(): Promise<number> {
  const minutes = await metricsOf(worker.env).read(0, MINUTE_MS);
  return minutes.reduce((sum, { counts }) => sum + (counts.socketsOpened ?? 0) - (counts.socketsClosed ?? 0), 0);
}

/** How many sockets of areas and squares the member's object counts. */
const countElsewhere = (member: TestMember) => worker.env.MEMBER.getByName(String(member.id)).removeSocket("none");

/** Waits until everything sent before has arrived, by sending the member one last message. */
async function drain(member: TestMember, socket: TestSocket): Promise<void> {
  const friend = await createMember(worker, { brand: member.brand, sharedOn: ALL_BRANDS_MASK });
  const last = await write(friend, member, "the end");
  await socket.waitFor("message", ({ message }) => message.id === last.id);
}

describe("a member's socket", () => {
  it("is counted while it is open, also where a crash or a refusal ends it without an event", async () => {
    const member = await createMember(worker);
    const hidden = await createMember(worker, { hidden: true });
    // Those of other tests have ended.
    await expect.poll(countOpen).toBe(0);
    await Promise.all([connect(member), connect(member)]);
    await expect(connect(hidden, "/ws/area")).rejects.toThrow("refused");
    await expect.poll(countOpen).toBe(2);
    await worker.evict("MemberObject", String(member.id), "close");
    await connect(member);
    await expect.poll(countOpen).toBe(1);
  });

  it("carries messages, receipts, typing and unsending in both directions", async () => {
    const [ann, bob] = await createPair();
    const [annSocket, bobSocket] = [await connect(ann), await connect(bob)];
    annSocket.send({ type: "typing", toProfileId: bob.id });
    await bobSocket.waitFor("typing", (event) => event.profileId === ann.id);

    const sent = await write(ann, bob, "live");
    const { message } = await bobSocket.waitFor("message");
    expect(message).toMatchObject({ id: sent.id, bodyText: "live", senderProfileId: ann.id });
    expect(message).not.toHaveProperty("clientId");

    bobSocket.send({ type: "delivered", messageIds: [message.id] });
    const delivered = await annSocket.waitFor("delivered");
    expect(delivered).toMatchObject({ profileId: bob.id, messageIds: [sent.id] });

    await bob.send("PUT", "/api/messages/read", { profileId: ann.id, upToMessageId: sent.id });
    await annSocket.waitFor("seen", (event) => event.profileId === bob.id && event.upToMessageId === sent.id);
    await bobSocket.waitFor("seen");

    expect((await ann.send("DELETE", `/api/message/${sent.id}`)).status).toBe(204);
    await bobSocket.waitFor("unsent", (event) => event.messageId === sent.id);
    const row = await findStoredMessage(worker, "body_text, ts_delivered is not null d", sent.id);
    expect(row).toEqual({ body_text: "", d: 1 });
    expect(await bob.get("/api/conversations")).toEqual([]);
  });

  it("tells with a retry of the first answer what was read, which the first attempt may not have told", async () => {
    const [ann, bob] = [await createMember(worker), await createMember(worker)];
    const sent = await write(ann, bob, "live");
    const earlier = await connect(ann);
    const answer = { recipientProfileId: ann.id, bodyText: "Hi", clientId: "answer-once" };
    const first = (await (await bob.send("POST", "/api/message", answer)).json()) as Message;
    await earlier.waitFor("seen");
    const annSocket = await connect(ann);
    expect((await bob.send("POST", "/api/message", answer)).status).toBe(201);
    expect(await annSocket.waitFor("seen")).toMatchObject({
      ...{ profileId: bob.id, withProfileId: ann.id, upToMessageId: sent.id, ts: first.tsCreated },
    });
  });

  it("tells the sender once when a waiting message reaches a device", async () => {
    const [ann, bob] = await createPair();
    const annSocket = await connect(ann);
    const waited = [await write(ann, bob, "one"), await write(ann, bob, "two")].map((message) => message.id);
    const later = await write(ann, bob, "three");
    const upTo = { upToMessageId: waited[1] };
    const mark = async (who: TestMember) => (await who.send("PUT", "/api/messages/delivered", upTo)).json();
    expect(await mark(ann)).toEqual({ messageIds: [] });
    expect(await mark(bob)).toEqual({ messageIds: waited });
    expect(await mark(bob)).toEqual({ messageIds: [] });
    expect(await annSocket.waitFor("delivered")).toMatchObject({ profileId: bob.id, messageIds: waited });
    expect((await bob.send("PUT", "/api/messages/delivered", { upToMessageId: later.id })).status).toBe(200);
    await annSocket.waitFor("delivered", ({ messageIds }) => messageIds.length === 1 && messageIds[0] === later.id);
    expect((await bob.send("PUT", "/api/messages/delivered", {})).status).toBe(400);
  });

  it("is told however many older messages wait whose senders must not be told", async () => {
    const [hidden, bob, ann] = [await createMember(worker), await createMember(worker), await createMember(worker)];
    const { id: first } = await write(hidden, bob, "one of many");
    await worker.run({
      query: `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
        with recursive n (i) as (select 1 union all select i + 1 from n where i < 500)
        select ?, ?, ?, ?, 'many-' || i, 'one of many', 'ember', 1 from n`,
      values: [hidden.id, bob.id, hidden.id, bob.id],
    });
    await worker.run({ query: "update profile set hidden = 1 where id = ?", values: [hidden.id] });
    const { id } = await write(ann, bob, "the last");
    const marked = await bob.send("PUT", "/api/messages/delivered", { upToMessageId: id });
    expect([first < id, await marked.json()]).toEqual([true, { messageIds: [id] }]);
  });

  it("responds to retries beyond the limit without delivering them again", async () => {
    const [ann, bob] = [await createMember(worker), await createMember(worker)];
    const socket = await connect(ann);
    const draft = { recipientProfileId: bob.id, bodyText: "ring", clientId: "client-that-rings" };
    const send = () => ann.send("POST", "/api/message", draft);
    for (let sent = 0; sent < MESSAGES_PER_MINUTE_MAX; sent += 1) expect((await send()).status).toBe(201);
    for (let sent = 0; sent < 3; sent += 1) expect((await send()).status).toBe(201);
    await drain(ann, socket);
    const delivered = socket.events.filter((event) => event.type === "message" && event.message.bodyText === "ring");
    expect(delivered).toHaveLength(MESSAGES_PER_MINUTE_MAX);
  });

  it("reaches all devices of both members, and survives the eviction of its object", async () => {
    const [ann, bob] = [await createMember(worker), await createMember(worker)];
    const annSocket = await connect(ann);
    const [phone, laptop] = [await connect(bob), await connect(bob)];
    await worker.evict("MemberObject", String(bob.id));
    const sent = await write(ann, bob, "still there?");
    await Promise.all(
      [phone, laptop, annSocket].map((socket) => socket.waitFor("message", (e) => e.message.id === sent.id)),
    );
  });

  it("rejects foreign origins, visitors and suspended members", async () => {
    const ann = await createMember(worker);
    const refused = /refused/;
    await expect(openSocket(worker, ann, { origin: "https://evil.example" })).rejects.toThrow(refused);
    await expect(openSocket(worker, { ...ann, cookie: "" })).rejects.toThrow(refused);
    const banned = await createMember(worker, { status: "banned" });
    await expect(openSocket(worker, banned)).rejects.toThrow(refused);
    const hidden = await createMember(worker, { hidden: true });
    await expect(openSocket(worker, hidden, { path: "/ws/area" })).rejects.toThrow(refused);
  });

  it("responds with a clear error to requests that are no upgrade, on both paths", async () => {
    const ann = await createMember(worker);
    const suspended = await createMember(worker, { status: "suspended" });
    for (const path of ["/ws", "/ws/area"]) {
      for (const method of ["GET", "POST", "PUT", "DELETE"]) {
        const response = await ann.fetch(path, { method });
        expect([method, response.status]).toEqual([method, 400]);
        expect(await response.json()).toMatchObject({ error: { code: "BAD_INPUT" } });
      }
      const refused = await suspended.fetch(path, { headers: { upgrade: "websocket" } });
      expect(await refused.json()).toMatchObject({ error: { code: "SUSPENDED" } });
    }
  });

  it("closes at once after a logout, and when another device ends the session or sets a new password", async () => {
    const [bob, carl] = [await createMember(worker), await createMember(worker)];
    const dora = await createMember(worker, { freshProof: true });
    const [socket, other, third] = [
      await connect(bob),
      await connect(carl),
      await connect(await dora.onBrand("ember")),
    ];
    expect((await dora.send("PUT", "/api/settings", { password: "a brand new secret 17" })).status).toBe(200);
    expect((await carl.send("DELETE", "/api/sessions")).status).toBe(204);
    await bob.send("POST", "/api/auth/logout");
    expect(await Promise.all([socket.closed, other.closed, third.closed])).toEqual([4401, 4401, 4401]);
    expect(socket.events.map((event) => event.type)).toEqual(["ready"]);
  });

  it("closes the oldest one when a member has too many over all objects, those of maps first", async () => {
    const [ann, bob] = [await createMember(worker), await createMember(worker)];
    const [phone, area] = [await connect(ann), await connect(ann, "/ws/area")];
    const squares: TestSocket[] = [];
    for (let lat = 0; lat < 30; lat += 1) squares.push(await connect(ann, `/ws/map?lat=${lat}&lon=3`));
    const watcher = await connect(bob, "/ws/area");
    await write(bob, null, "to the area");
    await watcher.waitFor("broadcast");
    expect(await countElsewhere(ann)).toBe(19);
    // What is closed makes room: the 19 open squares and the phone stay.
    squares[0]?.close();
    squares.pop()?.close();
    await expect.poll(() => countElsewhere(ann)).toBe(18);
    const own: TestSocket[] = [];
    for (let count = 0; count < 19; count += 1) own.push(await connect(ann));
    await expect.poll(() => countElsewhere(ann)).toBe(0);
    own.push(await connect(ann));
    await write(bob, ann, "to all of them");
    await Promise.all(own.map((socket) => socket.waitFor("message")));
    expect([phone, area].map(({ events }) => events.map(({ type }) => type))).toEqual([["ready"], ["ready"]]);
  });

  it("of areas and squares take nothing but the keep-alive", async () => {
    const ann = await createMember(worker);
    for (const path of ["/ws/area", "/ws/map?lat=48&lon=16"]) {
      const [pings, talks] = [await connect(ann, path), await connect(ann, path)];
      pings.send(SOCKET_PING);
      talks.send({ type: "typing", toProfileId: 1 });
      expect(await talks.closed).toBe(1008);
      await expect.poll(() => pings.frames).toContain(SOCKET_PONG);
    }
  });

  it("closes at the 121st frame a minute from all sockets of a member together", async () => {
    const [ann, bob] = [await createMember(worker), await createMember(worker)];
    const [annSocket, bobSocket] = [await connect(ann), await connect(bob)];
    for (let count = 0; count < 130; count += 1) annSocket.send({ type: "typing", toProfileId: bob.id });
    expect(await annSocket.closed).toBe(1008);
    const other = await connect(ann);
    other.send({ type: "typing", toProfileId: bob.id });
    expect(await other.closed).toBe(1008);
    const typing = () => bobSocket.events.filter((event) => event.type === "typing").length;
    await expect.poll(typing).toBeGreaterThanOrEqual(120);
    await drain(bob, bobSocket);
    expect(typing()).toBe(120);
  });

  it("does not take a page that came and went at once for a visible one", async () => {
    const [ann, bob] = [await createMember(worker), await createMember(worker)];
    const [socket, bobSocket] = [await connect(ann, "/ws"), await connect(bob)];
    for (const visible of [true, false]) socket.send({ type: "visible", visible });
    // The last of these waits for the day's account, as the first frame does.
    for (let count = 0; count < 9; count += 1) socket.send({ type: "typing", toProfileId: bob.id });
    await expect.poll(() => bobSocket.events.filter(({ type }) => type === "typing")).toHaveLength(9);
    expect(await worker.env.MEMBER.getByName(String(ann.id)).isSeen(ann.brand)).toBe(false);
  });

  it("ignores frames that are not valid events", async () => {
    const [ann, bob] = [await createMember(worker), await createMember(worker)];
    const socket = await connect(bob);
    for (const frame of ["", "{", "null", '{"type":"message"}', '{"type":"delivered","messageIds":["x"]}'])
      socket.send(frame);
    socket.send({ type: "delivered", messageIds: [1, 2, 3] });
    await write(ann, bob, "fine");
    await socket.waitFor("message");
  });
});

describe("members who hide, block, are suspended or on another brand", () => {
  const cases: [string, (other: TestMember, me: TestMember) => Promise<unknown>][] = [
    ["hidden", (other) => worker.env.DB.prepare("update profile set hidden = 1 where id = ?").bind(other.id).run()],
    [
      "suspended",
      (other) => worker.env.DB.prepare("update profile set status = 'suspended' where id = ?").bind(other.id).run(),
    ],
    [
      "on another brand only",
      (other) => worker.env.DB.prepare("update profile set shared_on = 2 where id = ?").bind(other.id).run(),
    ],
    [
      "blocked",
      (other, me) =>
        worker.env.DB.prepare(
          "insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) values (?1, ?2, 1, 0, 0), (?2, ?1, 0, 1, 0)",
        )
          .bind(me.id, other.id)
          .run(),
    ],
  ];
  for (const [name, hide] of cases) {
    it(`neither send to, nor receive from, nor appear to others: ${name}`, async () => {
      const [me, other] = [
        await createMember(worker, { name: "Myself" }),
        await createMember(worker, { name: "Othername" }),
      ];
      const [mine, theirs] = [await connect(me), await connect(other)];
      const [myArea, theirArea] = [await connect(me, "/ws/area"), await connect(other, "/ws/area")];
      await write(me, other, "before");
      const before = await write(other, me, "from the other");
      await theirs.waitFor("message", ({ message }) => message.id === before.id);
      await theirs.waitFor("message", ({ message }) => message.bodyText === "before");
      await hide(other, me);
      const received = theirs.events.length;

      const attempt = await me.send("POST", "/api/message", { recipientProfileId: other.id, bodyText: "hello?" });
      expect(attempt.status).toBe(404);
      expect((await other.send("POST", "/api/message", { recipientProfileId: me.id, bodyText: "hi" })).status).not.toBe(
        201,
      );
      mine.send({ type: "typing", toProfileId: other.id });
      theirs.send({ type: "typing", toProfileId: me.id });
      const read = await me.send("PUT", "/api/messages/read", { profileId: other.id, upToMessageId: before.id });
      expect(read.status).toBe(name === "blocked" ? 404 : 200);
      await write(me, null, "to the area");
      await myArea.waitFor("broadcast");
      if (name === "blocked") await write(other, null, "theirs to the area");
      await drain(me, mine);

      expect(theirs.events.length).toBe(received);
      expect(
        theirArea.events.filter((event) => event.type === "broadcast" && event.message.senderProfileId === me.id),
      ).toEqual([]);
      expect(mine.events.some((event) => event.type === "typing")).toBe(false);
      expect(JSON.stringify(myArea.events)).not.toContain("theirs to the area");
      const responses = JSON.stringify([
        await me.get("/api/conversations"),
        await me.get(`/api/messages/most-recent-with/${me.id}`),
        await me.get("/api/messages/missed?sinceMessageId=0"),
        await me.get("/api/messages/search?query=other"),
        await me.get("/api/messages/area"),
        await me.get(`/api/notifications/${me.id}`),
      ]);
      expect(responses).not.toContain("Othername");
      expect(responses).not.toContain(`"senderProfileId":${other.id},`);
      expect(responses).not.toContain(`"recipientProfileId":${other.id},`);
      expect(responses.includes("from the other")).toBe(name !== "blocked");
      const row = await findStoredMessage(worker, "ts_recipient_read r", before.id);
      expect(row).toEqual({ r: null });
      const history = await me.fetch(`/api/messages/between/${me.id}/${other.id}`);
      expect(history.status).toBe(name === "blocked" ? 404 : 200);
    });
  }

  it("open a hidden member's history by one of its messages, without revealing who they are", async () => {
    const [me, other] = [await createMember(worker), await createMember(worker, { name: "Othername" })];
    const { id } = await write(other, me, "remember me");
    await worker.env.DB.prepare("update profile set hidden = 1 where id = ?").bind(other.id).run();
    const input = encodeURIComponent(JSON.stringify({ messageId: id }));
    const response = await me.get<{ result: { data: object } }>(`/trpc/messages.history?input=${input}`);
    expect(response.result.data).toMatchObject({
      other: null,
      items: [{ senderProfileId: 0, bodyText: "remember me" }],
    });
    const stranger = await createMember(worker);
    expect((await stranger.fetch(`/trpc/messages.history?input=${input}`)).status).toBe(404);
    const socket = await connect(me);
    const again = await me.send("PUT", "/api/messages/read", { messageId: id, upToMessageId: id });
    expect(await again.json()).toEqual({ unread: 0 });
    // The reader's own devices are told, without the other member's identity.
    expect(await socket.waitFor("seen")).toMatchObject({ profileId: me.id, withProfileId: null, upToMessageId: id });
    expect((await me.send("DELETE", `/api/message/${id}`)).status).toBe(204);
    expect(await socket.waitFor("unsent")).toEqual({ type: "unsent", messageId: id, profileId: null });
  });

  it("get a retry's response without the hidden recipient's id, and no second delivery", async () => {
    const [me, other] = [await createMember(worker), await createMember(worker)];
    const draft = { recipientProfileId: other.id, bodyText: "once", clientId: "client-id-of-mine" };
    expect((await me.send("POST", "/api/message", draft)).status).toBe(201);
    await worker.env.DB.prepare("update profile set hidden = 1 where id = ?").bind(other.id).run();
    const socket = await connect(me);
    const again = (await (await me.send("POST", "/api/message", draft)).json()) as Message;
    expect(again).toMatchObject({ bodyText: "once", senderProfileId: me.id });
    expect(again).not.toHaveProperty("recipientProfileId");
    await drain(me, socket);
    expect(socket.events.filter((event) => event.type === "message" && event.message.id === again.id)).toEqual([]);
  });
});

describe("the map chat", () => {
  const move = (member: TestMember, key: number) =>
    worker.env.DB.prepare(
      `insert into position (profile_id, use, precision, cell, key, ts_published, ts_effective_until)
       values (?1, 'OVERRIDE', 'street', 0, ?2, 0, ?3) on conflict (profile_id) do update set key = ?2`,
    )
      .bind(member.id, key, Date.now() + 3_600_000)
      .run();

  it("reaches the nine sectors around the sender, live and when read, and no others", async () => {
    const { keyOfPoint } = await import("@lambda/geo/curve");
    const [sender, near, far] = [await createMember(worker), await createMember(worker), await createMember(worker)];
    await move(sender, keyOfPoint({ lat: 10.5, lon: 179.5 }));
    await move(near, keyOfPoint({ lat: 11.5, lon: -179.5 }));
    await move(far, keyOfPoint({ lat: 10.5, lon: 177.5 }));
    const [nearSocket, farSocket] = [await connect(near, "/ws/area"), await connect(far, "/ws/area")];
    const sent = await write(sender, null, "across the date line");
    expect((await nearSocket.waitFor("broadcast")).message).toMatchObject({ id: sent.id });
    const texts = async (member: TestMember) =>
      (await member.get<Message[]>("/api/messages/area")).map((m) => m.bodyText);
    expect(await texts(near)).toEqual(["across the date line"]);
    expect(await texts(far)).toEqual([]);
    expect(farSocket.events.map((event) => event.type)).toEqual(["ready"]);
    const sector = (await near.get<Message[]>("/api/messages/by-sector/10:179")).map((m) => m.bodyText);
    expect(sector).toEqual(["across the date line"]);
    expect((await far.fetch("/api/messages/by-sector/11:-180")).status).toBe(403);
    expect((await far.fetch("/api/messages/by-sector/nowhere")).status).toBe(400);

    const slow = await sender.send("POST", "/api/message", { bodyText: "too soon" });
    expect(slow.status).toBe(429);
    expect(Number(slow.headers.get("retry-after"))).toBeGreaterThan(0);

    await sender.send("DELETE", `/api/message/${sent.id}`);
    await nearSocket.waitFor("unsent", (event) => event.messageId === sent.id);
    expect(await texts(near)).toEqual([]);
  });

  it("disconnects members who move, who then receive only the new area's messages", async () => {
    const [mover, here, there] = [await createMember(worker), await createMember(worker), await createMember(worker)];
    const report = (member: TestMember, overrideLat: number) => {
      const where = { session: 1, overrideLat, overrideLon: 2.5, use: "OVERRIDE", hide: false };
      return member.send("PUT", `/api/profile-position/${member.id}`, { profileId: member.id, ...where });
    };
    for (const member of [mover, here]) expect((await report(member, 44.5)).status).toBe(200);
    await report(there, 48.5);
    const [before, hereSocket] = [await connect(mover, "/ws/area"), await connect(here, "/ws/area")];
    await report(mover, 44.6);
    await report(mover, 48.5);
    expect(await before.closed).toBe(SOCKET_CLOSE_MOVED);
    const after = await connect(mover, "/ws/area");
    const old = await write(here, null, "where they were");
    const now = await write(there, null, "where they are");
    await hereSocket.waitFor("broadcast", ({ message }) => message.id === old.id);
    expect((await after.waitFor("broadcast")).message.id).toBe(now.id);
    expect(before.events.map((event) => event.type)).toEqual(["ready"]);

    // When a position expires without a report, the member is disconnected at the area's next message.
    await worker.env.DB.prepare("update position set ts_effective_until = 0 where profile_id = ?").bind(mover.id).run();
    const another = await createMember(worker);
    await report(another, 48.5);
    await write(another, null, "they are gone");
    expect(await after.closed).toBe(SOCKET_CLOSE_MOVED);
    expect(after.events.filter((event) => event.type === "broadcast")).toHaveLength(1);
  });

  it("stays within its row budget, and shows hidden members nothing", async () => {
    const writers = await Promise.all(Array.from({ length: 21 }, () => createMember(worker)));
    for (const writer of writers) await write(writer, null, "full area");
    const reader = await createMember(worker);
    const response = await reader.fetch("/api/messages/area");
    expect(((await response.json()) as unknown[]).length).toBe(20);
    expect([response.headers.get("x-d1-trips"), response.headers.get("x-d1-rows-read")]).toEqual(["2", "43"]);
    await worker.env.DB.prepare("update profile set hidden = 1 where id = ?").bind(reader.id).run();
    expect((await reader.fetch("/api/messages/area")).status).toBe(403);
  });
});
