import { DAY_MS, HOUR_MS, UPLOADS_PER_HOUR_MAX } from "@lambda/contract/limits";
import type { OwnPicture, Picture } from "@lambda/contract/pictures";
import { createD1 } from "@lambda/testing/d1";
import { createMember, type TestMember } from "@lambda/testing/member";
import { postPicture, uploadPicture } from "@lambda/testing/pictures";
import { makePng } from "@lambda/testing/png";
import { limiterOf } from "@lambda/testing/rate-limits";
import type { Statement } from "@lambda/testing/sql";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../platform/db/database.ts";
import type { Env } from "../platform/env.ts";
import { collectGarbage } from "./garbage-collection.ts";

const NIGHTLY = "17 3 * * *";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

async function orders(member: TestMember): Promise<{ open: number[]; closed: number[] }> {
  const row = await worker.env.DB.prepare("select pics_public, pics_private from profile where id = ?")
    .bind(member.id)
    .first<{ pics_public: string; pics_private: string }>();
  return { open: JSON.parse(row?.pics_public ?? ""), closed: JSON.parse(row?.pics_private ?? "") };
}

async function audiences(member: TestMember): Promise<Record<number, string>> {
  const { results } = await worker.env.DB.prepare("select id, audience from picture where profile_id = ?")
    .bind(member.id)
    .all<{ id: number; audience: string }>();
  return Object.fromEntries(results.map((row) => [row.id, row.audience]));
}

async function keys(prefix: string): Promise<string[]> {
  const { objects } = await worker.env.PICTURES.list({ prefix });
  return objects.map(({ key }) => key);
}

describe("an upload", () => {
  it("returns the picture, which is at the end of its album", async () => {
    const member = await createMember(worker);
    const first = await uploadPicture(member, { bytes: makePng(600, 750, () => [200, 100, 50]) });
    const second = await uploadPicture(member, { audience: "private", nsfw: true });
    const chat = await uploadPicture(member, { audience: "chat" });
    expect(first).toMatchObject({ profileId: member.id, audience: "public", width: 600, height: 750, nsfw: false });
    expect(first.placeholder).toMatch(/^#[0-9a-f]{6}$/);
    const color = [1, 3, 5].map((at) => Number.parseInt(first.placeholder.slice(at, at + 2), 16));
    for (const [index, wanted] of [200, 100, 50].entries()) {
      expect(Math.abs((color[index] ?? 0) - wanted)).toBeLessThan(8);
    }
    expect(second).toMatchObject({ audience: "private", nsfw: true });
    expect(await orders(member)).toEqual({ open: [first.id], closed: [second.id] });
    expect(await audiences(member)).toEqual({ [first.id]: "public", [second.id]: "private", [chat.id]: "chat" });
  });

  it("is stored once if it arrives again, even at the same time, but not for another member", async () => {
    const [member, other] = [await createMember(worker), await createMember(worker)];
    const clientId = "one-choice-of-a-file";
    for (const audience of ["public", "chat", "once"] as const) {
      const send = (by: TestMember) => uploadPicture(by, { audience, clientId: clientId + audience });
      const [first, doubled] = await Promise.all([send(member), send(member)]);
      const [again, elsewhere] = [await send(member), await send(other)];
      expect([doubled.id, again.id]).toEqual([first.id, first.id]);
      expect(elsewhere.id).not.toBe(first.id);
    }
    expect(Object.values(await audiences(member)).toSorted()).toEqual(["chat", "once", "public"]);
    expect((await orders(member)).open).toHaveLength(1);
    const wrong = await postPicture(member, makePng(40, 50), { clientId: "no" });
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: { field: "clientId" } }]);
  });

  it("is finished by a retry whatever the first try left, once, and compared with pictures of bans only then", async () => {
    const member = await createMember(worker);
    const seen = makePng(64, 80, (x, y) => [(x * y) % 256, (x * 3) % 256, (y * 5) % 256]);
    // A server that dies between the bytes and the publication.
    await worker.env.DB.prepare(
      `create trigger dies before update of bytes, audience on picture begin select raise(abort, 'the server died'); end`,
    ).run();
    for (const audience of ["public", "chat", "once"] as const)
      expect((await postPicture(member, seen, { audience, clientId: `a-choice-${audience}` })).status).toBe(500);
    await worker.runCron("* * * * *");
    await worker.env.DB.prepare("drop trigger dies").run();
    expect((await orders(member)).open).toEqual([]);
    const stored = await Promise.all(
      (["public", "chat", "once"] as const).map((audience) =>
        uploadPicture(member, { audience, bytes: seen, clientId: `a-choice-${audience}` }),
      ),
    );
    expect(stored.map(({ audience }) => audience)).toEqual(["public", "chat", "once"]);
    expect((await orders(member)).open).toEqual([stored[0]?.id]);
    for (const { id, version, audience } of stored) {
      const folder = `${audience === "once" ? "once" : "pictures"}/${member.id}/${id}/${version}/`;
      expect(await keys(folder), audience).toHaveLength(2);
    }
    const uncompared = "select picture_id from picture_hash where compared = 0 order by picture_id";
    const { results } = await worker.env.DB.prepare(uncompared).all<{ picture_id: number }>();
    expect(results.map(({ picture_id }) => picture_id)).toEqual(stored.map(({ id }) => id).toSorted((a, b) => a - b));
  });

  it("is stored at most 4096 pixels a side", async () => {
    const member = await createMember(worker);
    const picture = await uploadPicture(member, { bytes: makePng(6000, 30) });
    expect([picture.width, picture.height]).toEqual([4096, 20]);
  });

  it("is rejected when there are 50 album pictures, even if they are in no album list", async () => {
    const member = await createMember(worker);
    await worker.env.DB.prepare(
      `insert into picture (profile_id, audience, width, height, bytes, ts_created, ts_updated)
       select ?, 'public', 1, 1, 1, 1, 1 from json_each(?)`,
    )
      .bind(member.id, JSON.stringify(Array.from({ length: 60 }, (_, index) => index)))
      .run();
    const response = await postPicture(member, makePng(4, 5));
    expect(response.status).toBe(409);
    expect((await postPicture(member, makePng(4, 5), { audience: "chat" })).status).toBe(201);
  });

  it("cannot exceed that limit when there are several at once", async () => {
    const member = await createMember(worker);
    await worker.env.DB.prepare(
      `insert into picture (profile_id, audience, width, height, bytes, ts_created, ts_updated)
       select ?, 'private', 1, 1, 1, 1, 1 from json_each(?)`,
    )
      .bind(member.id, JSON.stringify(Array.from({ length: 49 }, (_, index) => index)))
      .run();
    const responses = await Promise.all([1, 2, 3].map(() => postPicture(member, makePng(4, 5))));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const { open } = await orders(member);
    expect(open).toHaveLength(1);
    expect(Object.keys(await audiences(member))).toHaveLength(50);
    expect(await keys(`pictures/${member.id}/`)).toHaveLength(2);
  });

  it("is limited per hour, while what was refused, or deleted within the hour, counts nothing", async () => {
    const member = await createMember(worker);
    for (let count = 0; count < 61; count += 1)
      expect((await postPicture(member, Buffer.from("no picture"))).status).toBe(415);
    const limiter = limiterOf(worker, `uploads:${member.id}`);
    const used = { name: "uploadsPerHour", amount: UPLOADS_PER_HOUR_MAX - 1, max: 1000, windowMs: HOUR_MS };
    await limiter.spend([used]);
    const { id } = await uploadPicture(member);
    const full = await postPicture(member, makePng(40, 50));
    expect(full.status).toBe(429);
    expect(Number(full.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await member.send("DELETE", `/api/profile-pic/${id}`)).status).toBe(204);
    const { id: old } = await uploadPicture(member);
    await worker.run({ query: "update picture set ts_created = ts_created - ?", values: [HOUR_MS + 1] });
    expect((await member.send("DELETE", `/api/profile-pic/${old}`)).status).toBe(204);
    expect((await postPicture(member, makePng(40, 50))).status).toBe(429);
  });
});

describe("widths", () => {
  it("are made once, never larger than the original, and kept", async () => {
    const member = await createMember(worker);
    const { id } = await uploadPicture(member, { bytes: makePng(700, 875) });
    const tags = [];
    for (const scale of [1, 256, 257, 600, 1024, 5000]) {
      const response = await member.fetch(`/api/profile-pic/${id}?scale_x=${scale}`);
      tags.push(response.headers.get("etag"));
      await response.arrayBuffer();
    }
    const [, mark] = /^"\d+-1-([\w-]{11})-256"$/.exec(tags[0] ?? "") ?? [];
    expect(tags).toEqual(["256", "256", "512", "1024", "1024", "1024"].map((width) => `"${id}-1-${mark}-${width}"`));
    const names = (await keys(`pictures/${member.id}/${id}/`)).map((key) => key.split("/").pop());
    expect(names.sort()).toEqual(["1024.webp", "256.webp", "512.webp", "original.webp"]);
  });
});

it("changes the ETag when a restored database assigns the same id again", async () => {
  const member = await createMember(worker);
  const { id } = await uploadPicture(member);
  const before = await member.fetch(`/api/profile-pic/${id}`);
  const headers = { "if-none-match": before.headers.get("etag") ?? "" };
  expect((await member.fetch(`/api/profile-pic/${id}`, { headers })).status).toBe(304);
  await worker.run({ query: "delete from picture where id = ?", values: [id] });
  await worker.run({ query: "delete from sqlite_sequence where name = 'picture'", values: [] });
  const again = await uploadPicture(member, { bytes: makePng(60, 75) });
  expect(again).toMatchObject({ id, version: 1 });
  expect((await member.fetch(`/api/profile-pic/${id}`, { headers })).status).toBe(200);
});

describe("a replacement", () => {
  it("keeps id, position, marks and likes, and leaves no old bytes", async () => {
    const member = await createMember(worker);
    const fan = await createMember(worker);
    const before = await uploadPicture(member, { bytes: makePng(60, 75, () => [250, 0, 0]), nsfw: true });
    await uploadPicture(member);
    expect((await fan.send("PUT", "/api/profile-pic-like", { profilePicId: before.id, likeType: "LIKE" })).status).toBe(
      200,
    );
    const old = await member.fetch(`/api/profile-pic/${before.id}`);
    const response = await postPicture(
      member,
      makePng(80, 100, () => [0, 250, 0]),
      { replaceId: before.id },
    );
    expect(response.status).toBe(201);
    const after = (await response.json()) as OwnPicture;
    expect(after).toMatchObject({ id: before.id, width: 80, height: 100, nsfw: true, audience: "public" });
    expect(after.version).toBeGreaterThan(before.version);
    expect((await orders(member)).open[0]).toBe(before.id);
    const likes = await worker.env.DB.prepare("select count(*) n from picture_like where picture_id = ?")
      .bind(before.id)
      .first();
    expect(likes).toEqual({ n: 1 });
    const headers = { "if-none-match": old.headers.get("etag") ?? "" };
    expect((await member.fetch(`/api/profile-pic/${before.id}`, { headers })).status).toBe(200);
    const folders = (await keys(`pictures/${member.id}/${before.id}/`)).map((key) => key.split("/")[3]);
    expect(new Set(folders)).toEqual(new Set([String(after.version)]));
  });

  it("of another member's picture, or of none, is not found", async () => {
    const owner = await createMember(worker);
    const { id } = await uploadPicture(owner);
    const other = await createMember(worker);
    expect((await postPicture(other, makePng(4, 5), { replaceId: id })).status).toBe(404);
    expect((await postPicture(other, makePng(4, 5), { replaceId: 9_999_999 })).status).toBe(404);
  });

  it("that is no picture leaves the old one in place", async () => {
    const member = await createMember(worker);
    const { id, version } = await uploadPicture(member);
    expect((await postPicture(member, Buffer.from("nothing"), { replaceId: id })).status).toBe(415);
    const [mine] = await member.get<OwnPicture[]>("/api/profile-pics/mine");
    expect(mine?.version).toBe(version);
    expect((await member.fetch(`/api/profile-pic/${id}`)).status).toBe(200);
  });

  it("that is concurrent with another wins or loses as a whole", async () => {
    const member = await createMember(worker);
    const { id } = await uploadPicture(member);
    const responses = await Promise.all(
      [30, 40].map((side) => postPicture(member, makePng(side, side), { replaceId: id })),
    );
    const won = responses.filter(({ status }) => status === 201);
    expect(won.length).toBeGreaterThan(0);
    expect(responses.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect((await member.fetch(`/api/profile/pic/${id}?orig=1`)).status).toBe(200);
    const folders = (await keys(`pictures/${member.id}/${id}/`)).map((key) => key.split("/")[3]);
    expect(new Set(folders).size).toBe(1);
  });
});

describe("the order of the albums", () => {
  it("can be set and move pictures, which keeps rows and lists consistent", async () => {
    const member = await createMember(worker);
    const [a, b, c] = [await uploadPicture(member), await uploadPicture(member), await uploadPicture(member)];
    const moved = { profilePicIds: [c.id, a.id], profilePicIdsPrivate: [b.id] };
    const response = await member.send("PUT", "/api/profile-pics", moved);
    expect(response.status).toBe(200);
    const list = (await response.json()) as OwnPicture[];
    expect(list.map(({ id }) => id)).toEqual([c.id, a.id, b.id]);
    expect(await orders(member)).toEqual({ open: [c.id, a.id], closed: [b.id] });
    expect(await audiences(member)).toEqual({ [a.id]: "public", [b.id]: "private", [c.id]: "public" });
    const back = await member.send("PUT", "/api/profile-pics", { profilePicIds: [b.id] });
    expect(back.status).toBe(200);
    expect(await orders(member)).toEqual({ open: [b.id, c.id, a.id], closed: [] });
    expect((await audiences(member))[b.id]).toBe("public");
  });

  it("cannot contain pictures that are not in the member's albums", async () => {
    const member = await createMember(worker);
    const other = await createMember(worker);
    const mine = await uploadPicture(member);
    const chat = await uploadPicture(member, { audience: "chat" });
    const foreign = await uploadPicture(other);
    for (const id of [foreign.id, chat.id, 9_999_999]) {
      const response = await member.send("PUT", "/api/profile-pics", { profilePicIds: [mine.id, id] });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { field: "profilePicIds" } });
    }
    const both = { profilePicIds: [mine.id], profilePicIdsPrivate: [mine.id] };
    expect((await member.send("PUT", "/api/profile-pics", both)).status).toBe(400);
    expect(await orders(member)).toEqual({ open: [mine.id], closed: [] });
  });

  it("is the order in which others read the pictures that they may see", async () => {
    const member = await createMember(worker);
    const reader = await createMember(worker);
    const [a, b] = [await uploadPicture(member), await uploadPicture(member)];
    const closed = await uploadPicture(member, { audience: "private" });
    await member.send("PUT", "/api/profile-pics", { profilePicIds: [b.id, a.id] });
    const read = async () => (await reader.get<Picture[]>(`/api/profile-pics/${member.id}`)).map(({ id }) => id);
    expect(await read()).toEqual([b.id, a.id]);
    await member.send("PUT", "/api/album-grant", { memberProfileId: reader.id });
    expect(await read()).toEqual([b.id, a.id, closed.id]);
    const [first] = await reader.get<Picture[]>(`/api/profile-pics/${member.id}`);
    expect(Object.keys(first ?? {}).sort()).toEqual(
      ["audience", "height", "id", "nsfw", "placeholder", "profileId", "version", "width", "covered"].sort(),
    );
  });
});

describe("marks", () => {
  it("are set by the owner alone", async () => {
    const member = await createMember(worker);
    const other = await createMember(worker);
    const { id } = await uploadPicture(member);
    const response = await member.send("PUT", `/api/profile-pic/${id}`, { nsfw: true, wantsCrop: true });
    expect(await response.json()).toMatchObject({
      nsfw: true,
      nsfwByOwner: true,
      nsfwByCommunity: false,
      wantsCrop: true,
    });
    expect((await other.send("PUT", `/api/profile-pic/${id}`, { nsfw: false })).status).toBe(404);
    await worker.env.DB.prepare("update picture set nsfw_community = 1 where id = ?").bind(id).run();
    const unmarked = await member.send("PUT", `/api/profile-pic/${id}`, { nsfw: false });
    expect(await unmarked.json()).toMatchObject({ nsfw: true, nsfwByOwner: false, nsfwByCommunity: true });
  });
});

describe("a deleted picture", () => {
  it("leaves no row, no album entry, no like and no object", async () => {
    const member = await createMember(worker);
    const fan = await createMember(worker);
    const keep = await uploadPicture(member);
    const { id } = await uploadPicture(member);
    await fan.send("PUT", "/api/profile-pic-like", { profilePicId: id, likeType: "LIKE" });
    expect((await fan.send("DELETE", `/api/profile-pic/${id}`)).status).toBe(404);
    expect((await member.send("DELETE", `/api/profile-pic/${id}`)).status).toBe(204);
    expect((await member.send("DELETE", `/api/profile-pic/${id}`)).status).toBe(404);
    expect(await orders(member)).toEqual({ open: [keep.id], closed: [] });
    expect(await keys(`pictures/${member.id}/${id}/`)).toEqual([]);
    const left = await worker.env.DB.prepare("select count(*) n from picture_like where picture_id = ?")
      .bind(id)
      .first();
    expect(left).toEqual({ n: 0 });
  });
});

describe("the nightly sweep", () => {
  async function sendPicture(from: TestMember, to: TestMember): Promise<{ id: number; messageId: number }> {
    const { id } = await uploadPicture(from, { audience: "chat" });
    const response = await from.send("POST", "/api/message", { recipientProfileId: to.id, profilePicIds: [id] });
    return { id, messageId: ((await response.json()) as { id: number }).id };
  }

  it("deletes objects without a row and chat pictures that were never sent, and nothing else", async () => {
    const member = await createMember(worker);
    const kept = await uploadPicture(member);
    const unsent = await uploadPicture(member, { audience: "chat" });
    const gone = await uploadPicture(member);
    await worker.env.DB.prepare("delete from picture where id = ?").bind(gone.id).run();
    await worker.env.PICTURES.put(`pictures/${member.id}/${kept.id}/77/256.webp`, "old version");
    await worker.env.PICTURES.put(`pictures/${member.id}/stray.txt`, "stray");

    // After the reader deleted the message the sender still has the picture, until they delete it too.
    const reader = await createMember(worker);
    const [sent, dropped] = [await sendPicture(member, reader), await sendPicture(member, reader)];
    for (const { messageId } of [sent, dropped]) {
      expect((await reader.send("DELETE", `/api/message/${messageId}`)).status).toBe(204);
    }
    expect((await reader.fetch(`/api/profile-pic/${sent.id}`)).status).toBe(404);
    expect((await member.send("DELETE", `/api/message/${dropped.messageId}?forMe=true`)).status).toBe(204);

    await worker.runCron(NIGHTLY, Date.now());
    expect(await keys(`pictures/${member.id}/${gone.id}/`)).not.toEqual([]);
    await worker.runCron(NIGHTLY, Date.now() + 2 * DAY_MS);
    expect(await keys(`pictures/${member.id}/${gone.id}/`)).toEqual([]);
    expect(await keys(`pictures/${member.id}/${unsent.id}/`)).toEqual([]);
    expect(await keys(`pictures/${member.id}/${kept.id}/77`)).toEqual([]);
    expect(await keys(`pictures/${member.id}/stray`)).toEqual([]);
    expect(await audiences(member)).toEqual({ [kept.id]: "public", [sent.id]: "chat" });
    expect((await keys(`pictures/${member.id}/${sent.id}/`)).length).toBe(2);
    expect((await keys(`pictures/${member.id}/${kept.id}/1/`)).length).toBe(2);
  });

  it("keeps a picture that is sent while it is about to be deleted", async () => {
    const [member, reader] = [await createMember(worker), await createMember(worker)];
    const { id } = await uploadPicture(member, { audience: "chat" });
    const DB = createD1(async (statements) => {
      if (statements[0]?.query.startsWith('delete from "picture"'))
        await member.send("POST", "/api/message", { recipientProfileId: reader.id, profilePicIds: [id] });
      return (await worker.run(...(statements as Statement[]))).map((results) => ({ results }));
    });
    const env = Object.assign(Object.create(worker.env) as Env, { DB });
    await collectGarbage(env, openDatabase(DB), Date.now() + 2 * DAY_MS);
    expect((await reader.fetch(`/api/profile-pic/${id}`)).status).toBe(200);
  });
});
