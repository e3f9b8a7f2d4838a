import { getBrand } from "@lambda/brands";
import type { AlbumGrant, AlbumStatus } from "@lambda/contract/albums";
import { DAY_MS, HOUR_MS } from "@lambda/contract/limits";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, expect, it } from "vitest";
import { batch, openDatabase } from "../../platform/db/database.ts";
import { insertAlbumRequestQuery, upsertAlbumGrantQuery } from "./queries.ts";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const status = (member: TestMember, other: TestMember) => member.get<AlbumStatus>(`/api/album/${other.id}`);

it("is requested, opened, listed for both members and closed", async () => {
  const owner = await createMember(worker, { name: "Owner" });
  const member = await createMember(worker, { name: "Member" });
  const picture = await uploadPicture(owner);
  await uploadPicture(owner, { audience: "private" });
  expect(await status(member, owner)).toMatchObject({ received: "none", given: "none", hasPictures: true });

  const requested = await member.send("POST", "/api/album-request", { ownerProfileId: owner.id });
  expect(requested.status).toBe(201);
  expect(await status(owner, member)).toMatchObject({ given: "requested", hasPictures: false });
  expect(await owner.get<AlbumGrant[]>("/api/album-grants/given")).toMatchObject([
    { memberProfileId: member.id, state: "requested", profileName: "Member", profilePicId: null },
  ]);

  const granted = await owner.send("PUT", "/api/album-grant", { memberProfileId: member.id });
  expect(await granted.json()).toMatchObject({ given: "granted", givenTsExpires: null });
  expect(await member.get<AlbumGrant[]>("/api/album-grants/received")).toMatchObject([
    { ownerProfileId: owner.id, state: "granted", profileName: "Owner", profilePicId: picture.id },
  ]);
  expect((await owner.send("DELETE", `/api/album-grant/${member.id}`)).status).toBe(204);
  expect(await status(member, owner)).toMatchObject({ received: "none" });
  const { results } = await worker.env.DB.prepare(
    "select profile_id, kind, about_id from notification order by id",
  ).all();
  expect(results).toEqual([
    { profile_id: owner.id, kind: "album", about_id: member.id },
    { profile_id: member.id, kind: "album", about_id: owner.id },
  ]);
});

it("is given up or revoked for one member only", async () => {
  const [owner, one, other, third] = [
    await createMember(worker),
    await createMember(worker),
    await createMember(worker),
    await createMember(worker),
  ];
  for (const { id } of [one, other, third]) await owner.send("PUT", "/api/album-grant", { memberProfileId: id });
  expect((await one.send("DELETE", `/api/album-request/${owner.id}`)).status).toBe(204);
  expect((await owner.send("DELETE", `/api/album-grant/${third.id}`)).status).toBe(204);
  const received = await Promise.all([one, other, third].map(async (member) => (await status(member, owner)).received));
  expect(received).toEqual(["none", "granted", "none"]);
});

it("closes when the grant expires", async () => {
  const [owner, member] = [await createMember(worker), await createMember(worker)];
  const past = new Date(Date.now() - HOUR_MS).toISOString();
  const refused = await owner.send("PUT", "/api/album-grant", { memberProfileId: member.id, tsExpires: past });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ error: { field: "tsExpires" } });
  const soon = new Date(Date.now() + HOUR_MS).toISOString();
  await owner.send("PUT", "/api/album-grant", { memberProfileId: member.id, tsExpires: soon });
  expect(await status(member, owner)).toMatchObject({ received: "granted", receivedTsExpires: soon });
  // A duration counts from the server's present, whatever the clock of the device says.
  const wrong = { tsExpires: new Date(Date.now() + 2 * DAY_MS).toISOString(), expiresInMs: HOUR_MS };
  const now = Date.now();
  await owner.fetch("/api/album-grant", {
    method: "PUT",
    headers: { "content-type": "application/json", "x-development-now": String(now) },
    body: JSON.stringify({ memberProfileId: member.id, ...wrong }),
  });
  const { receivedTsExpires } = (await status(member, owner)) as { receivedTsExpires: string };
  expect(receivedTsExpires).toBe(new Date(now + HOUR_MS).toISOString());
  const later = { headers: { "x-development-now": String(now + HOUR_MS + 1) } };
  const response = await member.fetch(`/api/album/${owner.id}`, later);
  expect(await response.json()).toMatchObject({ received: "none" });
  const again = await member.fetch("/api/album-request", {
    method: "POST",
    headers: { ...later.headers, "content-type": "application/json" },
    body: JSON.stringify({ ownerProfileId: owner.id }),
  });
  expect(await again.json()).toMatchObject({ received: "requested" });
});

it("can be requested only twice a day", async () => {
  const [owner, member] = [await createMember(worker), await createMember(worker)];
  const statuses = [];
  for (let times = 0; times < 3; times += 1) {
    statuses.push((await member.send("POST", "/api/album-request", { ownerProfileId: owner.id })).status);
    await owner.send("DELETE", `/api/album-grant/${member.id}`);
  }
  expect(statuses).toEqual([201, 201, 429]);
});

it("that is opened and closed all night tells the other twice a day", async () => {
  const [owner, member] = [await createMember(worker), await createMember(worker)];
  for (let times = 0; times < 5; times += 1) {
    expect((await owner.send("PUT", "/api/album-grant", { memberProfileId: member.id })).status).toBe(200);
    expect(await status(member, owner)).toMatchObject({ received: "granted" });
    expect((await owner.send("DELETE", `/api/album-grant/${member.id}`)).status).toBe(204);
  }
  expect(await member.get<unknown[]>(`/api/notifications/${member.id}`)).toHaveLength(2);
});

it("cannot be opened between members who cannot see each other, nor to oneself", async () => {
  const owner = await createMember(worker);
  const foreign = await createMember(worker, { brand: "harbor" });
  const hidden = await createMember(worker, { hidden: true });
  for (const id of [foreign.id, hidden.id, owner.id, 9_999_999]) {
    expect((await owner.fetch(`/api/album/${id}`)).status).toBe(404);
    expect((await owner.send("POST", "/api/album-request", { ownerProfileId: id })).status).toBe(404);
    expect((await owner.send("PUT", "/api/album-grant", { memberProfileId: id })).status).toBe(404);
  }
});

it("is closed for good by its owner's block, and by the other member's while it lasts", async () => {
  const [owner, member] = [await createMember(worker), await createMember(worker)];
  const picture = await uploadPicture(owner, { audience: "private" });
  await owner.send("PUT", "/api/album-grant", { memberProfileId: member.id });
  expect((await member.fetch(`/api/profile-pic/${picture.id}`)).status).toBe(200);
  const block = { likedProfileId: owner.id, blocked: true };
  expect((await member.send("PUT", "/api/profile-like", block)).status).toBe(200);
  expect((await member.fetch(`/api/profile-pic/${picture.id}`)).status).toBe(404);
  // To the owner it looks as if the member were hiding, and they can still revoke the grant.
  expect(await owner.get<AlbumGrant[]>("/api/album-grants/given")).toMatchObject([
    { memberProfileId: member.id, profileName: "", profilePicId: null },
  ]);
  await member.send("PUT", "/api/profile-like", { ...block, blocked: false });
  expect((await member.fetch(`/api/profile-pic/${picture.id}`)).status).toBe(200);
  const own = { likedProfileId: member.id, blocked: true };
  expect((await owner.send("PUT", "/api/profile-like", own)).status).toBe(200);
  expect(await owner.get("/api/album-grants/given")).toEqual([]);
  await owner.send("PUT", "/api/profile-like", { ...own, blocked: false });
  expect((await member.fetch(`/api/profile-pic/${picture.id}`)).status).toBe(404);
  expect(await status(member, owner)).toMatchObject({ received: "none" });
});

it("is listed without the name of a member who hides now, so that access can still be revoked", async () => {
  const [owner, member] = [await createMember(worker), await createMember(worker, { name: "Shy" })];
  await owner.send("PUT", "/api/album-grant", { memberProfileId: member.id });
  await worker.env.DB.prepare("update profile set hidden = 1 where id = ?").bind(member.id).run();
  expect(await owner.get<AlbumGrant[]>("/api/album-grants/given")).toMatchObject([
    { memberProfileId: member.id, profileName: "", profilePicId: null },
  ]);
});

it("is not opened or requested behind a block that was created concurrently", async () => {
  const [owner, member] = [await createMember(worker), await createMember(worker)];
  await worker.env.DB.prepare(
    "insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) values (?1, ?2, 0, 1, 1)",
  )
    .bind(owner.id, member.id)
    .run();
  const db = openDatabase(worker.env.DB);
  const writer = { db, brand: getBrand("ember"), viewer: { profileId: owner.id }, now: Date.now() };
  await batch(worker.env.DB, [
    upsertAlbumGrantQuery(writer, member.id, null),
    insertAlbumRequestQuery(writer, member.id),
  ]);
  const row = await worker.env.DB.prepare("select count(*) n from album_grant where ?1 in (owner_id, member_id)")
    .bind(owner.id)
    .first();
  expect(row).toEqual({ n: 0 });
});
