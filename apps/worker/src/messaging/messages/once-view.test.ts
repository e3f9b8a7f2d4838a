import {
  ONCE_REPEAT_MS,
  ONCE_REPORTABLE_MS,
  ONCE_RETENTION_MS,
  ONCE_TRIES_MAX,
  ONCE_UNSENT_RETENTION_MS,
} from "@lambda/contract/limits";
import type { Message } from "@lambda/contract/messages";
import { fromRegion, proveAge } from "@lambda/testing/age";
import { createMember, logIn, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { openSocket } from "@lambda/testing/socket";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { strFromU8, unzipSync } from "fflate";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../platform/db/database.ts";
import { deleteDueOnceViews } from "./once-view.ts";

let worker: TestWorker;
let sender: TestMember;
let reader: TestMember;
let stranger: TestMember;
let picture: number;

const OPENING = "a-word-of-this-device";
const send = (more: object = {}) =>
  sender.send("POST", "/api/message", {
    recipientProfileId: reader.id,
    attachment: { type: "once", pictureId: picture },
    ...more,
  });
const sent = async (more?: object) => (await (await send(more)).json()) as Message;
const open = (member: TestMember, id: number, opening = OPENING, hangUpAfterBytes?: number) => {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ opening });
  return member.fetch(`/api/message/${id}/open`, {
    method: "POST",
    headers,
    body,
    ...(hangUpAfterBytes && { hangUpAfterBytes }),
  });
};
const close = (member: TestMember, id: number) => member.send("PUT", `/api/message/${id}/close`, {});
const objects = async () =>
  (await worker.env.PICTURES.list({ prefix: `once/${sender.id}/` })).objects.filter(({ key }) =>
    key.includes(`/${picture}/`),
  ).length;
const history = async (member: TestMember, other: TestMember) =>
  (await member.get<Message[]>(`/api/messages/between/${member.id}/${other.id}`))[0];
const deleteDue = (later = 0) => deleteDueOnceViews(worker.env, openDatabase(worker.env.DB), Date.now() + later);
const run = (sql: string) => worker.env.DB.prepare(sql).run();
/** Moves the opening this far into the past. */
const openedAgo = (ms: number) =>
  run(`update once_view set ts_opened = ts_opened - ${ms}, ts_due = ts_due - ${ms} where picture_id = ${picture}`);

beforeAll(async () => {
  worker = await startWorker();
  [sender, reader, stranger] = [await createMember(worker), await createMember(worker), await createMember(worker)];
  // The reader has written, so that the cap on unanswered messages does not apply.
  await reader.send("POST", "/api/message", { recipientProfileId: sender.id, bodyText: "Show me" });
});

beforeEach(async () => {
  picture = (await uploadPicture(sender, { audience: "once" })).id;
});

describe("a picture that opens once", () => {
  it("is served once, then deleted for both members, who both see when it was opened", async () => {
    const message = await sent();
    expect(message).toMatchObject({ profilePicIds: [], attachment: { type: "once", tsOpened: null } });
    expect(JSON.stringify(await history(reader, sender))).not.toContain("pictureId");
    const response = await open(reader, message.id);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/webp");
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(50);
    expect((await open(reader, message.id, "another-word-of-it")).status).toBe(404);
    expect((await close(stranger, message.id)).status).toBe(404);
    expect((await close(reader, message.id)).status).toBe(200);
    expect((await close(reader, message.id)).status).toBe(404);
    expect(await objects()).toBe(0);
    expect((await open(reader, message.id)).status).toBe(404);
    for (const [member, other] of [
      [sender, reader],
      [reader, sender],
    ] as const) {
      expect((await history(member, other))?.attachment).toMatchObject({ type: "once", tsOpened: expect.any(String) });
    }
  });

  it("tells the sender of a first contact that it was opened once the reader answers", async () => {
    const newcomer = await createMember(worker);
    const socket = await openSocket(worker, sender);
    const message = await sent({ recipientProfileId: newcomer.id });
    expect((await open(newcomer, message.id)).status).toBe(200);
    expect((await close(newcomer, message.id)).ok).toBe(true);
    expect((await newcomer.get<{ unreadMessages: number }>("/api/session")).unreadMessages).toBe(0);
    const openedFor = async (member: TestMember) => (await history(member, member === sender ? newcomer : sender))!;
    expect((await openedFor(newcomer)).attachment).toMatchObject({ tsOpened: expect.any(String) });
    expect(await openedFor(sender)).toMatchObject({ attachment: { tsOpened: null }, tsRecipientRead: null });
    expect(socket.events.map(({ type }) => type)).not.toContain("opened");
    const answer = { recipientProfileId: sender.id, bodyText: "Hi", clientId: "the-first-answer" };
    expect((await newcomer.send("POST", "/api/message", answer)).status).toBe(201);
    await Promise.all([socket.waitFor("seen"), socket.waitFor("opened")]);
    // Its retry tells both again, in case that the first attempt died before.
    const later = await openSocket(worker, sender);
    expect((await newcomer.send("POST", "/api/message", answer)).status).toBe(201);
    await Promise.all([later.waitFor("seen"), later.waitFor("opened")]);
    later.close();
    const messages = await sender.get<Message[]>(`/api/messages/between/${sender.id}/${newcomer.id}`);
    expect(messages.at(-1)).toMatchObject({
      attachment: { tsOpened: expect.any(String) },
      tsRecipientRead: expect.any(String),
    });
    socket.close();
  });

  it("is given to one of several concurrent requests", async () => {
    const message = await sent();
    const words = ["first-of-two-devices", "second-of-two-devices", "third-of-two-devices"];
    const responses = await Promise.all(words.map((word) => open(reader, message.id, word)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    await Promise.all(responses.map((response) => response.arrayBuffer()));
  });

  it("counts as opened when its bytes have arrived: a download that breaks off leaves it to any device, five times", async () => {
    const message = await sent();
    const opened = async () => JSON.stringify((await history(sender, reader))?.attachment).includes('"tsOpened":"');
    // More than the way to the device holds.
    const makeLarge = async () => {
      await run(`update picture set width = 4000 where id = ${picture}`);
      const key = `once/${sender.id}/${picture}/1/2048.webp`;
      await worker.env.PICTURES.put(key, new Uint8Array(16 * 1024 * 1024));
      return key;
    };
    const large = await makeLarge();
    const elsewhere = await logIn(worker, reader.id);
    expect((await open(reader, message.id, undefined, 1)).status).toBe(200);
    expect(await opened()).toBe(false);
    expect((await open(elsewhere, message.id, "another-device-of-his")).status).toBe(404);
    expect((await open(reader, message.id, undefined, 1)).status).toBe(200);
    await run(`update once_view set ts_tried = ts_tried - ${ONCE_REPEAT_MS} where picture_id = ${picture}`);
    expect((await open(elsewhere, message.id, "another-device-of-his", 1)).status).toBe(200);
    expect((await open(reader, message.id)).status).toBe(404);
    expect(await opened()).toBe(false);
    await worker.env.PICTURES.delete(large);
    expect((await open(elsewhere, message.id, "another-device-of-his")).status).toBe(200);
    expect(await opened()).toBe(true);
    // The server has sent all of it, but the end may be lost.
    expect((await open(elsewhere, message.id, "another-device-of-his")).status).toBe(200);
    for (const [device, token] of [
      [elsewhere, "another-word-of-it"],
      [reader, undefined],
    ] as const)
      expect((await open(device, message.id, token)).status).toBe(404);
    await openedAgo(ONCE_REPORTABLE_MS + 1000);
    expect((await open(elsewhere, message.id, "another-device-of-his")).status).toBe(404);
    await deleteDue();
    expect(await objects()).toBe(0);

    picture = (await uploadPicture(sender, { audience: "once" })).id;
    const teased = await sent();
    await run(`update once_view set tries = ${ONCE_TRIES_MAX - 1} where picture_id = ${picture}`);
    await makeLarge();
    expect((await open(reader, teased.id, undefined, 1)).status).toBe(200);
    expect(await opened()).toBe(true);
  });

  it("can be opened by its reader alone, through no other path", async () => {
    const message = await sent();
    for (const other of [sender, stranger]) expect((await open(other, message.id)).status).toBe(404);
    for (const member of [sender, reader, stranger]) {
      for (const path of [
        `/api/profile-pic/${picture}`,
        `/api/profile-pic/nsfw/${picture}`,
        `/api/profile/pic/${picture}`,
      ])
        expect((await member.fetch(path)).status).toBe(404);
    }
    expect((await sender.send("PUT", `/api/profile-pic/${picture}`, { nsfw: true })).status).toBe(404);
    expect((await sender.send("DELETE", `/api/profile-pic/${picture}`)).status).toBe(404);
    expect((await sender.send("PUT", "/api/profile-pics", { profilePicIds: [picture] })).status).toBe(400);
    const refusals = [await close(stranger, message.id), await close(reader, message.id), await close(reader, 9e9)];
    expect(refusals.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(await Promise.all(refusals.map((response) => response.text()))).size).toBe(1);
    expect(await objects()).toBeGreaterThan(0);
    for (const body of [undefined, {}, { opening: "short" }, { opening: "x".repeat(2000) }, { opening: 7 }]) {
      const refused = await reader.send("POST", `/api/message/${message.id}/open`, body);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ error: { field: "opening" } });
    }
    expect((await open(reader, message.id)).status).toBe(200);
  });

  it("can be sent by its owner in one message to one member, and never as an ordinary picture", async () => {
    const clientId = crypto.randomUUID();
    const message = await sent({ clientId });
    expect((await sent({ clientId })).id).toBe(message.id);
    expect((await send()).status).toBe(404);
    picture = (await uploadPicture(sender, { audience: "once" })).id;
    expect((await send({ attachment: undefined, profilePicIds: [picture] })).status).toBe(404);
    expect((await send({ recipientProfileId: null, bodyText: "All" })).status).toBe(400);
    const stolen = { recipientProfileId: reader.id, attachment: { type: "once", pictureId: picture } };
    expect((await stranger.send("POST", "/api/message", stolen)).status).toBe(404);
    const plain = (await uploadPicture(sender, { audience: "chat" })).id;
    expect((await send({ attachment: { type: "once", pictureId: plain } })).status).toBe(404);
  });

  it("is deleted when it is unsent, its reader deletes or declines it, or its reader blocks the sender", async () => {
    const ways: ((id: number) => Promise<unknown>)[] = [
      (id) => sender.send("DELETE", `/api/message/${id}`),
      (id) => reader.send("DELETE", `/api/message/${id}`),
      (id) => reader.send("PUT", `/api/message/${id}/decline-pictures`, {}),
      () => reader.send("PUT", "/api/profile-like", { likedProfileId: sender.id, blocked: true }),
    ];
    for (const end of ways) {
      picture = (await uploadPicture(sender, { audience: "once" })).id;
      const message = await sent();
      await end(message.id);
      expect((await open(reader, message.id)).status).toBe(404);
      await deleteDue();
      expect(await objects()).toBe(0);
    }
    await reader.send("PUT", "/api/profile-like", { likedProfileId: sender.id, blocked: false });
  });

  it("is closed by its reader's block also after its sender blocked first", async () => {
    const message = await sent();
    const block = (by: TestMember, other: TestMember, blocked: boolean) =>
      by.send("PUT", "/api/profile-like", { likedProfileId: other.id, blocked });
    await block(sender, reader, true);
    expect((await block(reader, sender, true)).status).toBe(200);
    await block(reader, sender, false);
    await sender.send("DELETE", `/api/block/${reader.id}`);
    await deleteDue();
    expect((await open(reader, message.id)).status).toBe(404);
    expect(await objects()).toBe(0);
  });

  it("is closed while its sender hides from or blocks its reader, who cannot tell the two apart afterward", async () => {
    const hide = (hidden: 0 | 1) => run(`update profile set hidden = ${hidden} where id = ${sender.id}`);
    const ways: (readonly [() => Promise<unknown>, () => Promise<unknown>])[] = [
      [() => hide(1), () => hide(0)],
      [
        () => sender.send("PUT", "/api/profile-like", { likedProfileId: reader.id, blocked: true }),
        () => sender.send("DELETE", `/api/block/${reader.id}`),
      ],
    ];
    for (const [vanish, appear] of ways) {
      picture = (await uploadPicture(sender, { audience: "once" })).id;
      const message = await sent();
      await vanish();
      await deleteDue();
      expect((await open(reader, message.id)).status).toBe(404);
      await appear();
      expect((await open(reader, message.id)).status).toBe(200);
    }
  });

  it("is deleted after two weeks unopened, and after a day without being sent", async () => {
    await deleteDue(ONCE_UNSENT_RETENTION_MS - 60_000);
    expect(await objects()).toBeGreaterThan(0);
    const message = await sent();
    await deleteDue(ONCE_UNSENT_RETENTION_MS + 60_000);
    expect(await objects()).toBeGreaterThan(0);
    await run(`update once_view set ts_due = ts_due - ${ONCE_RETENTION_MS} where picture_id = ${picture}`);
    expect((await open(reader, message.id)).status).toBe(404);
    await deleteDue();
    expect(await objects()).toBe(0);
    picture = (await uploadPicture(sender, { audience: "once" })).id;
    await deleteDue(ONCE_UNSENT_RETENTION_MS + 60_000);
    expect(await objects()).toBe(0);
    expect((await send()).status).toBe(404);
  });

  it("is not used up where it would be pixelated for lack of a proof of age", async () => {
    const message = await sent();
    const there = fromRegion(reader, "GB");
    const refused = await open(there, message.id);
    expect(await refused.json()).toMatchObject({ error: { code: "AGE_PROOF_NEEDED" } });
    await proveAge(there);
    expect((await open(there, message.id)).status).toBe(200);
  });

  it("is not used up by a hidden reader, while the picture is held, or while its sender is invisible", async () => {
    const message = await sent();
    await run(`update profile set hidden = 1 where id = ${reader.id}`);
    expect((await open(reader, message.id)).status).toBe(403);
    await run(`update profile set hidden = 0 where id = ${reader.id}`);
    await run(`update profile set hidden = 1 where id = ${sender.id}`);
    expect((await open(reader, message.id)).status).toBe(404);
    await run(`update profile set hidden = 0 where id = ${sender.id}`);
    await run(`update picture set hidden_by_staff = 2 where id = ${picture}`);
    expect((await open(reader, message.id)).status).toBe(404);
    await run(`update picture set hidden_by_staff = 0 where id = ${picture}`);
    expect((await open(reader, message.id)).status).toBe(200);
  });
});

describe("what is kept of a picture that opens once", () => {
  const evidence = async () =>
    (
      await worker.env.DB.prepare(
        "select e.kind, e.r2_key, e.staff_only from evidence e where e.kind = 'picture' and e.source_id = ? and e.author_id = ?",
      )
        .bind(picture, sender.id)
        .all<{ r2_key: string; staff_only: number }>()
    ).results;
  const report = (member: TestMember, sourceId: number) =>
    member.send("POST", "/api/report", {
      subjectProfileId: sender.id,
      category: "explicit",
      source: "message",
      sourceId,
    });

  it("stays unopened while it is explicit and its sender or reader is in a country that punishes", async () => {
    picture = (await uploadPicture(sender, { audience: "once", nsfw: true })).id;
    const message = await sent();
    for (const { id } of [sender, reader]) {
      await run(
        `insert into travel_stay (profile_id, country, shown, hid_member, ts_seen) values (${id}, 'UG', 'city', 0, 1)`,
      );
      expect((await open(reader, message.id)).status).toBe(404);
      await run(`update travel_stay set pictures_withdrawn = 0, ts_left = 2 where profile_id = ${id}`);
      await run(`delete from travel_stay where profile_id = ${id}`);
    }
    expect((await open(reader, message.id)).status).toBe(200);
  });

  it("is a copy for staff when its reader reports it while it is open", async () => {
    const message = await sent();
    expect((await report(reader, message.id)).status).toBe(201);
    expect(await evidence()).toEqual([]);
    await (await open(reader, message.id)).arrayBuffer();
    expect((await report(reader, message.id)).status).toBe(201);
    await close(reader, message.id);
    expect(await objects()).toBe(0);
    const [copy] = await evidence();
    expect(copy).toMatchObject({ staff_only: 1 });
    expect(await worker.env.PICTURES.head(copy?.r2_key ?? "")).not.toBeNull();
  });

  it.each([
    ["reader", "sender"],
    ["sender", "reader"],
  ])("is a copy for staff too if the %s blocked the %s before", async (by) => {
    const message = await sent();
    await (await open(reader, message.id)).arrayBuffer();
    const [blocker, other] = by === "reader" ? [reader, sender] : [sender, reader];
    await blocker.send("PUT", "/api/profile-like", { likedProfileId: other.id, blocked: true });
    expect((await report(reader, message.id)).status).toBe(201);
    expect(await evidence()).toHaveLength(1);
    await blocker.send("DELETE", `/api/block/${other.id}`);
  });

  it("is nothing after it was closed", async () => {
    const message = await sent();
    await (await open(reader, message.id)).arrayBuffer();
    await close(reader, message.id);
    expect((await report(reader, message.id)).status).toBe(201);
    expect(await evidence()).toEqual([]);
  });

  it("is a line in an export, without the picture", async () => {
    const owner = await createMember(worker, { freshProof: true });
    const { id } = await uploadPicture(owner, { audience: "once" });
    const attachment = { type: "once", pictureId: id };
    await owner.send("POST", "/api/message", { recipientProfileId: stranger.id, attachment });
    const response = await owner.send("POST", "/api/account/export");
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    expect(Object.keys(files).sort()).toEqual(["data.json", "index.html"]);
    const data = JSON.parse(strFromU8(files["data.json"] ?? new Uint8Array()));
    expect(data.pictures).toEqual([]);
    expect(JSON.parse(data.messages[0].attachment)).toMatchObject({ type: "once", tsOpened: null });
  });
});
