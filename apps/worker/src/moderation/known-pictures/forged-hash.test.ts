/**
 * A picture that its owner changed until its hash equals that of somebody else's public picture, and that is then removed at the owner's
 * own request: the other picture must stay.
 */
import type { DeskNoticeFile } from "@lambda/contract/notices";
import { fileConfirmed } from "@lambda/testing/confirmed-notices";
import { forgeHash, type GrayPicture } from "@lambda/testing/forged-hash";
import { createMember, type TestMember } from "@lambda/testing/member";
import { postPicture, uploadPicture } from "@lambda/testing/pictures";
import { makePng } from "@lambda/testing/png";
import { leavesSamples } from "@lambda/testing/scene-picture";
import { createVisitor } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, expect, it } from "vitest";
import { hashDistance, perceptualHash } from "../../platform/images/perceptual-hash.ts";

const EVERY_MINUTE = "* * * * *";
const SIZE = { width: 128, height: 160 };

let worker: TestWorker;
let attacker: TestMember;
let stranger: TestMember;
let reader: TestMember;
let admin: TestMember;
beforeEach(async () => {
  worker = await startWorker();
  [attacker, stranger, reader] = [await createMember(worker), await createMember(worker), await createMember(worker)];
  admin = await createMember(worker, { adminBrand: "ember", hidden: true });
});

const toPng = ({ width, height, gray }: GrayPicture) =>
  makePng(width, height, (x, y) => {
    const shade = gray[y * width + x]!;
    return [shade, shade, shade];
  });
const look = ({ gray, ...size }: GrayPicture) => perceptualHash({ ...size, channels: 1, data: gray });
/** The attacker's picture, with the hash of a public one. */
const forge = (own: number, target: GrayPicture) =>
  forgeHash(leavesSamples(own, SIZE), look(target).hash, (tried) => look(tried).hash);
const statusFor = async (member: TestMember, id: number) => (await member.fetch(`/api/profile-pic/${id}`)).status;
const rows = async <Row>(query: string, ...values: (string | number)[]) =>
  (await worker.run({ query, values }))[0] as Row[];

/** Files a notice about the attacker's pictures as a stranger to the site, and lets staff grant it. */
async function removeAtRequest(ids: readonly number[], picture: Uint8Array): Promise<DeskNoticeFile> {
  await fileConfirmed(worker, createVisitor(worker), {
    location: ids.map((id) => `/api/profile-pic/${id}`).join(" "),
    picture: Buffer.from(picture).toString("base64"),
  });
  const [notice] = await rows<{ id: number }>("select id from notice where ts_decided is null");
  const file = await admin.get<DeskNoticeFile>(`/api/admin/notice/${notice!.id}`);
  const removed = await admin.send("POST", `/api/admin/notice/${notice!.id}/remove`, {
    reason: "It shows the sender.",
  });
  expect(removed.status).toBe(200);
  await worker.runCron(EVERY_MINUTE);
  await worker.runCron(EVERY_MINUTE);
  return file;
}

it("removes nothing but the attacker's picture, and refuses the stranger's nowhere", async () => {
  const target = leavesSamples(1, SIZE);
  const own = toPng(target);
  const victim = await uploadPicture(stranger, { bytes: own });
  const forged = toPng(forge(2, target));
  const decoy = await uploadPicture(attacker, { bytes: forged });
  const hashes = await rows<{ hash: string }>("select hash from picture_hash order by picture_id");
  expect(hashDistance(hashes[0]!.hash, hashes[1]!.hash)).toBeLessThanOrEqual(2);

  const file = await removeAtRequest([decoy.id], forged);
  expect(file.pictureList.map(({ pictureId }) => pictureId)).toEqual([decoy.id]);
  expect(await statusFor(reader, decoy.id)).toBe(404);
  expect(await rows("select rule, searched from known_picture")).toEqual([{ rule: "intimate", searched: 1 }]);

  for (const member of [reader, admin, attacker]) expect(await statusFor(member, victim.id)).toBe(200);
  expect(await rows("select id from known_picture_match")).toEqual([]);
  expect(await rows("select id from report")).toEqual([]);
  expect((await stranger.send("DELETE", `/api/profile-pic/${victim.id}`)).status).toBe(204);
  for (const member of [stranger, await stranger.onBrand("harbor")]) {
    const again = await uploadPicture(member, { bytes: own });
    expect(await statusFor(reader, again.id)).toBe(200);
  }
  // The attacker's own picture, and true copies of it, stay out.
  expect((await postPicture(attacker, forged)).status).toBe(403);
  expect((await postPicture(reader, toPng(forge(2, target)))).status).toBe(403);
});

it("takes many pictures of one request to censor as many members, and censors none", async () => {
  const targets = [1, 3, 4].map((seed) => leavesSamples(seed, SIZE));
  const victims: number[] = [];
  const decoys: number[] = [];
  for (const [at, target] of targets.entries()) {
    victims.push((await uploadPicture(await createMember(worker), { bytes: toPng(target) })).id);
    decoys.push((await uploadPicture(attacker, { bytes: toPng(forge(10 + at, target)) })).id);
  }
  await removeAtRequest(decoys, toPng(forge(10, targets[0]!)));
  for (const id of victims) expect(await statusFor(reader, id)).toBe(200);
  expect(await rows("select id from known_picture")).toHaveLength(3);
  expect(await rows("select id from known_picture_match")).toEqual([]);
});

it("never makes the stranger look like a banned member", async () => {
  const target = leavesSamples(1, SIZE);
  await uploadPicture(attacker, { bytes: toPng(forge(2, target)) });
  await worker.runCron(EVERY_MINUTE);
  const ban = { subjectProfileId: attacker.id, kind: "ban", rule: "scam", reason: "Asked three members for money" };
  expect((await admin.send("POST", "/api/admin/action", ban)).status).toBe(201);
  await worker.run({ query: "update ban_mark set ts_created = 1000" });
  const newcomer = await createMember(worker);
  const returned = await createMember(worker);
  await uploadPicture(newcomer, { bytes: toPng(target) });
  await uploadPicture(returned, { bytes: toPng(forge(2, target)) });
  await worker.runCron(EVERY_MINUTE);
  expect(await rows("select profile_id from ban_match")).toEqual([{ profile_id: returned.id }]);
});

it("lets staff decide about each copy that a removal finds, and never asks again about those that stay", async () => {
  const copy = toPng(leavesSamples(1, SIZE));
  const named = await uploadPicture(attacker, { bytes: copy });
  const [same, other] = [await createMember(worker), await createMember(worker)];
  const removed = await uploadPicture(same, { bytes: copy });
  const kept = await uploadPicture(other, { bytes: toPng(leavesSamples(1, { ...SIZE, brightness: 6 })) });
  const location = `/api/profile-pic/${named.id}`;
  await fileConfirmed(worker, createVisitor(worker), { location });
  const [notice] = await rows<{ id: number }>("select id from notice where ts_decided is null");
  const path = `/api/admin/notice/${notice!.id}`;
  const file = await admin.get<DeskNoticeFile>(path);
  expect(file.pictureList.map(({ pictureId, alike, state }) => [pictureId, alike, state])).toEqual([
    [named.id, false, "named"],
    [removed.id, true, "named"],
    [kept.id, true, "named"],
  ]);
  for (const { id } of [removed, kept]) expect(await statusFor(reader, id)).toBe(200);
  const remove = (pictureIds?: number[]) =>
    admin.send("POST", `${path}/remove`, { reason: "Nobody agreed.", pictureIds });
  expect((await remove([])).status).toBe(400);
  expect((await remove([named.id, 999])).status).toBe(404);
  expect((await remove([named.id, removed.id])).status).toBe(200);
  await worker.runCron(EVERY_MINUTE);
  await worker.runCron(EVERY_MINUTE);
  expect(await statusFor(reader, removed.id)).toBe(404);
  expect(await statusFor(reader, kept.id)).toBe(200);
  expect(await same.get("/api/notices/mine")).toMatchObject([{ state: "removed", counter: { allowed: true } }]);
  expect(await other.get("/api/notices/mine")).toEqual([]);
  expect(await rows("select id from known_picture_match")).toEqual([]);
  expect((await postPicture(same, copy)).status).toBe(403);
});
