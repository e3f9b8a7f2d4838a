import { SEEN_ROUNDING_MS, SESSION_TOUCH_MS } from "@lambda/contract/limits";
import type { Profile, ProfileRelation } from "@lambda/contract/profiles";
import { createMember, type TestMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const edit = (member: TestMember, change: object) => member.send("PUT", "/api/profile", change);

describe("reading a profile", () => {
  it("shows the age but not the birthdate", async () => {
    const [me, other] = [
      await createMember(worker),
      await createMember(worker, { name: "Theo", birthdate: "1990-05-17" }),
    ];
    const response = await me.fetch(`/api/profile/${other.id}`);
    const profile = (await response.json()) as Profile;
    expect(profile).toMatchObject({ id: other.id, profilename: "Theo", birthdate: null, roles: ["USER"] });
    expect(profile.age).toBeGreaterThan(30);
    const relation = await me.fetch(`/api/profile/${other.id}/relation`);
    expect(await relation.json()).toMatchObject({ likeType: null, likesYou: false, match: false, health: {} });
  });

  it("returns everything to its owner", async () => {
    const me = await createMember(worker, { birthdate: "1990-05-17" });
    expect(await me.get(`/api/profile/${me.id}`)).toMatchObject({ birthdate: "1990-05-17" });
    expect(await me.get("/api/profiles/mine")).toMatchObject([{ id: me.id }]);
    expect((await me.fetch("/api/profile/abc")).status).toBe(400);
    expect((await me.fetch("/api/profile/99999999")).status).toBe(404);
  });
});

describe("editing one's own profile", () => {
  it("writes only the given fields", async () => {
    const me = await createMember(worker, { name: "Old" });
    await edit(me, { description: "hello", height: "6'1\"" });
    const response = await edit(me, { profilename: "  New  ", weight: "82 kg" });
    expect(await response.json()).toMatchObject({
      profilename: "New",
      description: "hello",
      height: "6'1\"",
      weight: "82 kg",
    });
    expect(
      await worker.env.DB.prepare("select profile_name, description from profile where id = ?").bind(me.id).first(),
    ).toEqual({ profile_name: "New", description: "hello" });
  });

  it("rejects an empty name, minors, long texts, and other members' profiles", async () => {
    const [me, other] = [await createMember(worker), await createMember(worker)];
    expect((await edit(me, { profilename: "   " })).status).toBe(400);
    expect((await edit(me, { description: "a".repeat(4001) })).status).toBe(400);
    expect((await edit(me, { birthdate: "2020-01-01" })).status).toBe(400);
    expect((await edit(me, { birthdate: "1990-02-31" })).status).toBe(400);
    expect((await edit(me, { characteristics: ["unknown"] })).status).toBe(400);
    expect((await edit(me, { id: other.id, description: "x" })).status).toBe(403);
  });

  it("keeps what another tab ticked or wrote", async () => {
    const me = await createMember(worker);
    await edit(me, { characteristics: ["bar"] });
    await edit(me, { characteristicsAdd: ["Coffee"] });
    const response = await edit(me, { characteristicsAdd: ["FistBottom"], characteristicsRemove: ["bar"] });
    expect(((await response.json()) as Profile).characteristics).toEqual(["coffee", "fistbottom"]);

    await edit(me, { description: "first", was: { description: "" } });
    const late = await edit(me, { description: "second", was: { description: "" } });
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({ error: { code: "CONFLICT" } });
    expect((await edit(me, { description: "second", was: { description: "first" } })).status).toBe(200);
  });

  it("arranges pictures and never loses one", async () => {
    const [me, other] = [await createMember(worker), await createMember(worker)];
    const { DB } = worker.env;
    const picture = async (owner: TestMember) =>
      (
        await DB.prepare(
          "insert into picture (profile_id, audience, width, height, bytes, ts_created, ts_updated) values (?, 'public', 8, 10, 1, 1, 1) returning id",
        )
          .bind(owner.id)
          .first<{ id: number }>()
      )?.id ?? 0;
    const [a, b, c, foreign] = [await picture(me), await picture(me), await picture(me), await picture(other)];
    await DB.prepare("update profile set pics_public = ? where id = ?")
      .bind(JSON.stringify([a, b, c]), me.id)
      .run();
    expect((await edit(me, { profilePicIds: [c, foreign, a] })).status).toBe(400);
    const response = await edit(me, { profilePicIds: [c, a], profilePicIdsPrivate: [] });
    expect(await response.json()).toMatchObject({ profilePicIds: [c, a, b], profilePicIdsPrivate: [] });
    const before = await me.get<Profile>(`/api/profile/${me.id}`);
    const late = { profilePicIds: [b], description: "second", was: { description: "of another tab" } };
    expect((await edit(me, late)).status).toBe(409);
    expect((await edit(me, { profilePicIds: [foreign], description: "second" })).status).toBe(400);
    expect(await me.get(`/api/profile/${me.id}`)).toEqual(before);
    const moved = await edit(me, { profilePicIds: [a], profilePicIdsPrivate: [c] });
    expect(await moved.json()).toMatchObject({ profilePicIds: [a, b], profilePicIdsPrivate: [c] });
    expect(await DB.prepare("select audience from picture where id = ?").bind(c).first()).toEqual({
      audience: "private",
    });
    expect(await other.get(`/api/profile/${me.id}`)).toMatchObject({ profilePicIds: [a, b], profilePicIdsPrivate: [] });
    // A device that does not know yet that c is private moves b, and nothing else.
    const stale = { profilePicIds: [b, c, a], profilePicIdsPrivate: [], movedId: b };
    expect((await me.send("PUT", "/api/profile-pics", stale)).status).toBe(200);
    expect(await me.get(`/api/profile/${me.id}`)).toMatchObject({ profilePicIds: [b, a], profilePicIdsPrivate: [c] });
    const hide = { profilePicIds: [c, a], profilePicIdsPrivate: [b], movedId: b };
    expect((await me.send("PUT", "/api/profile-pics", hide)).status).toBe(200);
    expect(await me.get(`/api/profile/${me.id}`)).toMatchObject({ profilePicIds: [a], profilePicIdsPrivate: [b, c] });
    expect(await DB.prepare("select audience, profile_id from picture where id = ?").bind(foreign).first()).toEqual({
      audience: "public",
      profile_id: other.id,
    });
  });
});

describe("the relation", () => {
  it("includes the distance between published positions, and whether the other is online", async () => {
    const [me, other] = [await createMember(worker), await createMember(worker)];
    expect(await me.get(`/api/profile/${other.id}/relation`)).toMatchObject({
      distanceMeters: null,
      lat: null,
      online: true,
    });
    // The same time as in searches: rounded when it is stored.
    await worker.run({ query: "update profile set ts_seen = ? where id = ?", values: [1_700_000_100_000, other.id] });
    expect(await me.get(`/api/profile/${other.id}/relation`)).toMatchObject({
      online: false,
      tsSeen: new Date(1_700_000_100_000).toISOString(),
    });
    for (const [member, lat] of [
      [me, 40],
      [other, 40.5],
    ] as const) {
      const response = await member.send("PUT", `/api/profile-position/${member.id}`, {
        profileId: member.id,
        use: "OVERRIDE",
        overrideLat: lat,
        overrideLon: -74,
      });
      expect(response.status).toBe(200);
    }
    const relation = await me.get<ProfileRelation>(`/api/profile/${other.id}/relation`);
    expect(relation.distanceMeters).toBeGreaterThan(54_000);
    expect(relation.distanceMeters).toBeLessThan(57_500);

    await worker.run({ query: "update position set ts_effective_until = 1 where profile_id = ?", values: [other.id] });
    expect(await me.get(`/api/profile/${other.id}/relation`)).toMatchObject({
      distanceMeters: null,
      lat: null,
      lon: null,
    });
  });

  it("tells when the other was last there only to the quarter of an hour", async () => {
    const [me, other] = [await createMember(worker), await createMember(worker)];
    const readSeen = async () => (await me.get<ProfileRelation>(`/api/profile/${other.id}/relation`)).tsSeen;
    const before = await readSeen();
    const later = Math.ceil(Date.now() / SEEN_ROUNDING_MS) * SEEN_ROUNDING_MS + SESSION_TOUCH_MS + 61_000;
    const headers = { "x-development-now": String(later) };
    expect((await other.fetch("/api/settings", { headers })).status).toBe(200);
    await expect.poll(readSeen).not.toBe(before);
    expect(Date.parse(await readSeen()) % SEEN_ROUNDING_MS).toBe(0);
  });
});
