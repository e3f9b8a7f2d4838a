import { as, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { makePng } from "@lambda/testing/png";
import { asVisitor } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

const HOUR_MS = 3_600_000;
const PEOPLE = [
  "owner",
  "granted",
  "expired",
  "revoked",
  "ungranted",
  "blocked",
  "blocking",
  "receiver",
  "anonymous",
  "otherBrand",
  "brandAdmin",
] as const;
type Person = (typeof PEOPLE)[number];
const PICTURES = [
  "public",
  "publicNsfw",
  "private",
  "chat",
  "unsent",
  "staffHidden",
  "held",
  "heldInChat",
  "deleted",
] as const;
type Kind = (typeof PICTURES)[number];

/** Who gets 200; everyone else gets 404, and without a session 401. */
const OPEN: Record<Kind, readonly Person[]> = {
  public: ["owner", "granted", "expired", "revoked", "ungranted", "receiver", "brandAdmin"],
  publicNsfw: ["owner", "granted", "expired", "revoked", "ungranted", "receiver", "brandAdmin"],
  private: ["owner", "granted"],
  chat: ["owner", "receiver"],
  unsent: ["owner"],
  staffHidden: ["owner"],
  held: ["owner"],
  heldInChat: ["owner"],
  deleted: [],
};

let worker: TestWorker;
let people: Record<Exclude<Person, "anonymous">, TestMember>;
const ids = {} as Record<Kind, number>;

function sql(statement: string, ...values: unknown[]) {
  return worker.env.DB.prepare(statement)
    .bind(...values)
    .run();
}

let sent = 0;
async function sendMessage(from: TestMember, to: TestMember, pictureId: number, unsent = false): Promise<void> {
  const [low, high] = [Math.min(from.id, to.id), Math.max(from.id, to.id)];
  sent += 1;
  await sql(
    `insert into message (sender_id, recipient_id, low_id, high_id, client_id, picture_ids, brand, ts_created)
     values (?, ?, ?, ?, ?, ?, 'ember', 1)`,
    from.id,
    to.id,
    low,
    high,
    `client-id-${sent}`,
    JSON.stringify([pictureId]),
  );
  if (unsent) await sql("update message set ts_unsent = 2 where client_id = ?", `client-id-${sent}`);
}

beforeAll(async () => {
  worker = await startWorker();
  const owner = await as(worker);
  const other = () => as(worker);
  people = {
    owner,
    granted: await other(),
    expired: await other(),
    revoked: await other(),
    ungranted: await other(),
    blocked: await other(),
    blocking: await other(),
    receiver: await other(),
    otherBrand: await as(worker, { brand: "harbor", sharedOn: 7 }),
    brandAdmin: await as(worker, { adminBrand: "ember" }),
  };
  ids.public = (await uploadPicture(owner, { bytes: makePng(600, 750) })).id;
  ids.publicNsfw = (await uploadPicture(owner, { nsfw: true })).id;
  ids.private = (await uploadPicture(owner, { audience: "private" })).id;
  ids.chat = (await uploadPicture(owner, { audience: "chat" })).id;
  ids.unsent = (await uploadPicture(owner, { audience: "chat" })).id;
  ids.staffHidden = (await uploadPicture(owner)).id;
  ids.held = (await uploadPicture(owner)).id;
  ids.heldInChat = (await uploadPicture(owner, { audience: "chat" })).id;
  ids.deleted = (await uploadPicture(owner)).id;

  for (const name of ["granted", "expired", "revoked", "blocked"] as const) {
    const expires = name === "expired" ? new Date(Date.now() + HOUR_MS).toISOString() : null;
    const grant = { memberProfileId: people[name].id, tsExpires: expires };
    expect((await owner.send("PUT", "/api/album-grant", grant)).status).toBe(200);
  }
  await sql("update album_grant set ts_expires = 1 where member_id = ?", people.expired.id);
  expect((await owner.send("DELETE", `/api/album-grant/${people.revoked.id}`)).status).toBe(204);
  await sendMessage(owner, people.receiver, ids.chat);
  await sendMessage(owner, people.receiver, ids.unsent, true);
  // A message cannot open what is not its sender's.
  await sendMessage(people.receiver, people.ungranted, ids.private);
  await sendMessage(owner, people.receiver, ids.heldInChat);
  await sql("update picture set hidden_by_staff = 1 where id = ?", ids.staffHidden);
  await sql("update picture set hidden_by_staff = 2 where id in (?, ?)", ids.held, ids.heldInChat);
  expect((await owner.send("DELETE", `/api/profile-pic/${ids.deleted}`)).status).toBe(204);
  for (const [a, b, mine] of [
    [owner, people.blocked, 1],
    [people.blocked, owner, 0],
    [people.blocking, owner, 1],
    [owner, people.blocking, 0],
  ] as const) {
    await sql(
      "insert into block (profile_id, other_id, by_me, by_other, ts_created) values (?, ?, ?, ?, 1)",
      a.id,
      b.id,
      mine,
      1 - mine,
    );
  }
});

function ask(person: Person, path: string, init?: RequestInit): Promise<Response> {
  return person === "anonymous" ? asVisitor(worker).fetch(path, init) : people[person].fetch(path, init);
}

describe.each(PICTURES)("a %s picture", (kind) => {
  it.each(PEOPLE)("for %s", async (person) => {
    const expected = person === "anonymous" ? 401 : OPEN[kind].includes(person) ? 200 : 404;
    const id = ids[kind];
    for (const path of [
      `/api/profile-pic/${id}?scale_x=256`,
      `/api/profile-pic/nsfw/${id}`,
      `/api/profile/pic/${id}`,
    ]) {
      const answer = await ask(person, path);
      expect([path, answer.status]).toEqual([path, expected]);
      if (expected === 200) expect(answer.headers.get("cache-control")).toBe("private, no-cache");
      else expect(answer.headers.get("etag")).toBeNull();
    }
    const original = await ask(person, `/api/profile/pic/${id}?orig=1`);
    expect(original.status).toBe(expected === 200 && person !== "owner" ? 404 : expected);
  });
});

describe("a picture", () => {
  it("is not told from one that never was", async () => {
    const invisible = await ask("ungranted", `/api/profile-pic/${ids.private}`);
    const absent = await ask("ungranted", "/api/profile-pic/99999999");
    const nonsense = await ask("ungranted", "/api/profile-pic/abc");
    const texts = await Promise.all([invisible, absent, nonsense].map((answer) => answer.text()));
    expect(new Set(texts).size).toBe(1);
  });

  it("of a hidden member is their own alone, and shows again when they do", async () => {
    await sql("update profile set hidden = 1 where id = ?", people.owner.id);
    expect((await ask("ungranted", `/api/profile-pic/${ids.public}`)).status).toBe(404);
    expect((await ask("receiver", `/api/profile-pic/${ids.chat}`)).status).toBe(404);
    expect((await ask("owner", `/api/profile-pic/${ids.public}`)).status).toBe(200);
    await sql("update profile set hidden = 0 where id = ?", people.owner.id);
    expect((await ask("ungranted", `/api/profile-pic/${ids.public}`)).status).toBe(200);
  });

  it("is refused from a cache too, from the request after the revoke on", async () => {
    const path = `/api/profile-pic/${ids.private}?scale_x=256`;
    const first = await ask("granted", path);
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    expect((await ask("granted", path, { headers })).status).toBe(304);
    const grant = `/api/album-grant/${people.granted.id}`;
    expect((await people.owner.send("DELETE", grant)).status).toBe(204);
    expect((await ask("granted", path, { headers })).status).toBe(404);
    await people.owner.send("PUT", "/api/album-grant", { memberProfileId: people.granted.id });
    expect((await ask("granted", path)).status).toBe(200);
  });

  it("that is NSFW is 14 pixels wide on the plain path, and itself on the other", async () => {
    const widthOf = async (path: string) => {
      const bytes = Buffer.from(await (await ask("ungranted", path)).arrayBuffer());
      return bytes.readUInt16LE(26) & 0x3fff;
    };
    expect(await widthOf(`/api/profile-pic/${ids.publicNsfw}?scale_x=2048`)).toBe(14);
    expect(await widthOf(`/api/profile/pic/${ids.publicNsfw}`)).toBe(14);
    expect(await widthOf(`/api/profile-pic/nsfw/${ids.publicNsfw}?scale_x=2048`)).toBe(40);
  });

  it("writes nothing", async () => {
    for (const [person, kind] of [
      ["ungranted", "public"],
      ["granted", "private"],
      ["receiver", "chat"],
    ] as const) {
      const answer = await ask(person, `/api/profile-pic/${ids[kind]}`);
      expect(answer.headers.get("x-d1-rows-written")).toBe("0");
    }
  });

  it("refuses a scale that is no width", async () => {
    const answer = await ask("owner", `/api/profile-pic/${ids.public}?scale_x=wide`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: "BAD_INPUT", field: "scale_x" } });
  });
});

describe("pictures of a broadcast", () => {
  it("are for members whose position is in its area", async () => {
    const { id } = await uploadPicture(people.owner, { audience: "chat" });
    await sql(
      `insert into message (sender_id, client_id, picture_ids, brand, sector, ts_created) values (?, 'broadcast-1', ?, 'ember', ?, 1)`,
      people.owner.id,
      JSON.stringify([id]),
      (52 + 90) * 360 + (13 + 180),
    );
    const report = (person: "ungranted" | "granted", lat: number, lon: number) =>
      people[person].send("PUT", `/api/profile-position/${people[person].id}`, {
        profileId: people[person].id,
        use: "OVERRIDE",
        overrideLat: lat,
        overrideLon: lon,
      });
    expect((await ask("ungranted", `/api/profile-pic/${id}`)).status).toBe(404);
    expect((await report("ungranted", 51.5, 12.5)).status).toBe(200);
    expect((await report("granted", 48.8, 2.3)).status).toBe(200);
    expect((await ask("ungranted", `/api/profile-pic/${id}`)).status).toBe(200);
    expect((await ask("granted", `/api/profile-pic/${id}`)).status).toBe(404);
    await sql("update message set ts_unsent = 2 where client_id = 'broadcast-1'");
    expect((await ask("ungranted", `/api/profile-pic/${id}`)).status).toBe(404);
  });

  it("are for whoever reads it: a newcomer without a position hears the first city, a member who hides hears nothing", async () => {
    const newcomer = await as(worker);
    const { id } = await uploadPicture(people.owner, { audience: "chat" });
    const posted = await newcomer.send("POST", "/api/message", { bodyText: "Where am I?" });
    expect(posted.status).toBe(201);
    await sql(
      `insert into message (sender_id, client_id, picture_ids, brand, sector, ts_created)
       select ?, 'broadcast-2', ?, brand, sector, 1 from message where sender_id = ?`,
      ...[people.owner.id, JSON.stringify([id]), newcomer.id],
    );
    const picture = () => newcomer.fetch(`/api/profile-pic/${id}`);
    expect((await picture()).status).toBe(200);
    await sql("update profile set hidden = 1 where id = ?", newcomer.id);
    expect((await picture()).status).toBe(404);
  });
});
