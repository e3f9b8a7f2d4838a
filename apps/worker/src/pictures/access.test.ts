import { HOUR_MS } from "@lambda/contract/limits";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { makePng } from "@lambda/testing/png";
import { createVisitor } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

const VIEWERS = [
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
type ViewerName = (typeof VIEWERS)[number];
const PICTURE_KINDS = [
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
type Kind = (typeof PICTURE_KINDS)[number];

/** The viewers who get 200. All others get 404, and visitors 401. */
const OPEN_TO: Record<Kind, readonly ViewerName[]> = {
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
let members: Record<Exclude<ViewerName, "anonymous">, TestMember>;
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
  const owner = await createMember(worker);
  const other = () => createMember(worker);
  members = {
    owner,
    granted: await other(),
    expired: await other(),
    revoked: await other(),
    ungranted: await other(),
    blocked: await other(),
    blocking: await other(),
    receiver: await other(),
    otherBrand: await createMember(worker, { brand: "harbor", sharedOn: 7 }),
    brandAdmin: await createMember(worker, { adminBrand: "ember" }),
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
    const grant = { memberProfileId: members[name].id, tsExpires: expires };
    expect((await owner.send("PUT", "/api/album-grant", grant)).status).toBe(200);
  }
  await sql("update album_grant set ts_expires = 1 where member_id = ?", members.expired.id);
  expect((await owner.send("DELETE", `/api/album-grant/${members.revoked.id}`)).status).toBe(204);
  await sendMessage(owner, members.receiver, ids.chat);
  await sendMessage(owner, members.receiver, ids.unsent, true);
  // A message does not open pictures that are not its sender's.
  await sendMessage(members.receiver, members.ungranted, ids.private);
  await sendMessage(owner, members.receiver, ids.heldInChat);
  await sql("update picture set hidden_by_staff = 1 where id = ?", ids.staffHidden);
  await sql("update picture set hidden_by_staff = 2 where id in (?, ?)", ids.held, ids.heldInChat);
  expect((await owner.send("DELETE", `/api/profile-pic/${ids.deleted}`)).status).toBe(204);
  for (const [a, b, mine] of [
    [owner, members.blocked, 1],
    [members.blocked, owner, 0],
    [members.blocking, owner, 1],
    [owner, members.blocking, 0],
  ] as const) {
    await sql(
      "insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) values (?, ?, ?, ?, 1)",
      a.id,
      b.id,
      mine,
      1 - mine,
    );
  }
});

function request(viewer: ViewerName, path: string, init?: RequestInit): Promise<Response> {
  return viewer === "anonymous" ? createVisitor(worker).fetch(path, init) : members[viewer].fetch(path, init);
}

describe.each(PICTURE_KINDS)("a %s picture", (kind) => {
  it.each(VIEWERS)("for %s", async (viewer) => {
    const expected = viewer === "anonymous" ? 401 : OPEN_TO[kind].includes(viewer) ? 200 : 404;
    const id = ids[kind];
    for (const path of [
      `/api/profile-pic/${id}?scale_x=256`,
      `/api/profile-pic/nsfw/${id}`,
      `/api/profile/pic/${id}`,
    ]) {
      const response = await request(viewer, path);
      expect([path, response.status]).toEqual([path, expected]);
      if (expected === 200) expect(response.headers.get("cache-control")).toBe("private, no-cache");
      else expect(response.headers.get("etag")).toBeNull();
    }
    const original = await request(viewer, `/api/profile/pic/${id}?orig=1`);
    expect(original.status).toBe(expected === 200 && viewer !== "owner" ? 404 : expected);
  });
});

describe("a picture", () => {
  it("looks the same when it is invisible and when it does not exist", async () => {
    const invisible = await request("ungranted", `/api/profile-pic/${ids.private}`);
    const absent = await request("ungranted", "/api/profile-pic/99999999");
    const nonsense = await request("ungranted", "/api/profile-pic/abc");
    const texts = await Promise.all([invisible, absent, nonsense].map((response) => response.text()));
    expect(new Set(texts).size).toBe(1);
  });

  it("of a hidden member is visible only to them, until they show themselves again", async () => {
    await sql("update profile set hidden = 1 where id = ?", members.owner.id);
    expect((await request("ungranted", `/api/profile-pic/${ids.public}`)).status).toBe(404);
    expect((await request("receiver", `/api/profile-pic/${ids.chat}`)).status).toBe(404);
    expect((await request("owner", `/api/profile-pic/${ids.public}`)).status).toBe(200);
    await sql("update profile set hidden = 0 where id = ?", members.owner.id);
    expect((await request("ungranted", `/api/profile-pic/${ids.public}`)).status).toBe(200);
  });

  it("cannot be revalidated in a cache after access was revoked", async () => {
    const path = `/api/profile-pic/${ids.private}?scale_x=256`;
    const first = await request("granted", path);
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    expect((await request("granted", path, { headers })).status).toBe(304);
    const grant = `/api/album-grant/${members.granted.id}`;
    expect((await members.owner.send("DELETE", grant)).status).toBe(204);
    expect((await request("granted", path, { headers })).status).toBe(404);
    await members.owner.send("PUT", "/api/album-grant", { memberProfileId: members.granted.id });
    expect((await request("granted", path)).status).toBe(200);
  });

  it("that is NSFW is 14 pixels wide on the plain path, and unpixelated on the NSFW path", async () => {
    const widthOf = async (path: string) => {
      const bytes = Buffer.from(await (await request("ungranted", path)).arrayBuffer());
      return bytes.readUInt16LE(26) & 0x3fff;
    };
    expect(await widthOf(`/api/profile-pic/${ids.publicNsfw}?scale_x=2048`)).toBe(14);
    expect(await widthOf(`/api/profile/pic/${ids.publicNsfw}`)).toBe(14);
    expect(await widthOf(`/api/profile-pic/nsfw/${ids.publicNsfw}?scale_x=2048`)).toBe(40);
  });

  it("is served without writing to the database", async () => {
    for (const [viewer, kind] of [
      ["ungranted", "public"],
      ["granted", "private"],
      ["receiver", "chat"],
    ] as const) {
      const response = await request(viewer, `/api/profile-pic/${ids[kind]}`);
      expect(response.headers.get("x-d1-rows-written")).toBe("0");
    }
  });

  it("is not served for an invalid scale", async () => {
    const response = await request("owner", `/api/profile-pic/${ids.public}?scale_x=wide`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "BAD_INPUT", field: "scale_x" } });
  });
});

describe("pictures of a broadcast", () => {
  it("are open to members whose position is in its area", async () => {
    const { id } = await uploadPicture(members.owner, { audience: "chat" });
    await sql(
      `insert into message (sender_id, client_id, picture_ids, brand, sector, ts_created) values (?, 'broadcast-1', ?, 'ember', ?, 1)`,
      members.owner.id,
      JSON.stringify([id]),
      (52 + 90) * 360 + (13 + 180),
    );
    const report = (viewer: "ungranted" | "granted", lat: number, lon: number) =>
      members[viewer].send("PUT", `/api/profile-position/${members[viewer].id}`, {
        profileId: members[viewer].id,
        use: "OVERRIDE",
        overrideLat: lat,
        overrideLon: lon,
      });
    expect((await request("ungranted", `/api/profile-pic/${id}`)).status).toBe(404);
    expect((await report("ungranted", 51.5, 12.5)).status).toBe(200);
    expect((await report("granted", 48.8, 2.3)).status).toBe(200);
    expect((await request("ungranted", `/api/profile-pic/${id}`)).status).toBe(200);
    expect((await request("granted", `/api/profile-pic/${id}`)).status).toBe(404);
    await sql("update message set ts_unsent = 2 where client_id = 'broadcast-1'");
    expect((await request("ungranted", `/api/profile-pic/${id}`)).status).toBe(404);
  });

  it("are open to its readers: a member without a position reads the first city, a hidden member reads nothing", async () => {
    const newcomer = await createMember(worker);
    const { id } = await uploadPicture(members.owner, { audience: "chat" });
    const posted = await newcomer.send("POST", "/api/message", { bodyText: "Where am I?" });
    expect(posted.status).toBe(201);
    await sql(
      `insert into message (sender_id, client_id, picture_ids, brand, sector, ts_created)
       select ?, 'broadcast-2', ?, brand, sector, 1 from message where sender_id = ?`,
      members.owner.id,
      JSON.stringify([id]),
      newcomer.id,
    );
    const picture = () => newcomer.fetch(`/api/profile-pic/${id}`);
    expect((await picture()).status).toBe(200);
    await sql("update profile set hidden = 1 where id = ?", newcomer.id);
    expect((await picture()).status).toBe(404);
  });
});
