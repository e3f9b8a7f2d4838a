import { createMember } from "@lambda/testing/member";
import { postPicture, uploadPicture } from "@lambda/testing/pictures";
import { makePng } from "@lambda/testing/png";
import { seededRandom } from "@lambda/testing/random";
import { makeScenePng } from "@lambda/testing/scene-picture";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../platform/db/database.ts";
import { hashDistance } from "../../../platform/images/perceptual-hash.ts";
import { pictureKey } from "../store.ts";
import {
  deleteKnownPictureQueries,
  findKnownPicture,
  hashPictureBytes,
  insertKnownPictureQueries,
  insertStoredPictureAsKnownQueries,
  type KnownSource,
} from "./known.ts";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});
beforeEach(() => worker.run({ query: "delete from known_picture" }));

const db = () => openDatabase(worker.env.DB);
const run = (queries: readonly { sql: string; parameters: readonly unknown[] }[]) =>
  worker.run(...queries.map(({ sql, parameters }) => ({ query: sql, values: parameters as string[] })));

function flip(hash: string, bits: readonly number[]): string {
  const digits = [...hash].map((digit) => Number.parseInt(digit, 16));
  for (const bit of bits) digits[bit >> 2]! ^= 8 >> (bit & 3);
  return digits.map((digit) => digit.toString(16)).join("");
}

async function remember(hash: string, source: KnownSource = "notice:1", rule: "intimate" | "minor" = "intimate") {
  await run(insertKnownPictureQueries(db(), { hash, source, rule, now: 1 }));
}

const hashOf = async (id: number) =>
  (await worker.env.DB.prepare("select hash, quality from picture_hash where picture_id = ?").bind(id).first<{
    hash: string;
    quality: number;
  }>())!;

describe("a known picture", () => {
  const { next } = seededRandom(11);
  const hash = Array.from({ length: 64 }, () => Math.floor(next() * 16).toString(16)).join("");

  it("is found at a distance of 31 bits, whichever they are, and never at 32", async () => {
    await remember(hash);
    for (let round = 0; round < 12; round += 1) {
      // The first round spreads the bits evenly, so that only one part differs in at most one bit.
      const all = Array.from({ length: 256 }, (_, at) => at);
      const order = round === 0 ? all.sort((a, b) => (a % 16) - (b % 16) || a - b) : all.sort(() => next() - 0.5);
      const near = flip(hash, order.slice(0, 31));
      expect(hashDistance(hash, near)).toBe(31);
      expect(await findKnownPicture(db(), { hash: near, quality: 80 })).toMatchObject({ distance: 31 });
      const far = flip(hash, order.slice(0, 32));
      expect(await findKnownPicture(db(), { hash: far, quality: 80 })).toBeUndefined();
    }
  });

  it("is deleted by its own source only", async () => {
    await remember(hash);
    await remember(hash);
    await remember(hash, "notice:2");
    await run(deleteKnownPictureQueries(db(), { source: "notice:1" }));
    expect(await findKnownPicture(db(), { hash, quality: 80 })).toMatchObject({ source: "notice:2" });
    await run(deleteKnownPictureQueries(db(), { source: "notice:2", hash }));
    expect(await findKnownPicture(db(), { hash, quality: 80 })).toBeUndefined();
    expect((await worker.run({ query: "select count(*) as parts from known_picture_part" }))[0]).toEqual([
      { parts: 0 },
    ]);
  });

  it("prefers a match that rejects the upload to one that holds it", async () => {
    await remember(hash, "list:one", "minor");
    await remember(flip(hash, [3]), "notice:1");
    expect(await findKnownPicture(db(), { hash, quality: 80 })).toMatchObject({ source: "notice:1", distance: 1 });
  });

  it("does not match pictures that are too plain to be distinguished", async () => {
    await remember(hash);
    expect(await findKnownPicture(db(), { hash, quality: 49 })).toBeUndefined();
    const member = await createMember(worker);
    const flat = await uploadPicture(member, { bytes: makePng(200, 200, () => [30, 60, 90]) });
    expect((await hashOf(flat.id)).quality).toBeLessThan(50);
    await run(
      insertStoredPictureAsKnownQueries(db(), { pictureId: flat.id, source: "notice:9", rule: "intimate", now: 1 }),
    );
    for (let at = 0; at < 3; at += 1) {
      await uploadPicture(member, { bytes: makePng(200, 200, () => [30, 60, 90 + at]) });
    }
  });
});

describe("a picture that was removed on request", () => {
  it("is openly rejected wherever it is uploaded again, unchanged or altered, on every brand", async () => {
    const owner = await createMember(worker);
    const picture = await uploadPicture(owner, { bytes: makeScenePng(1) });
    expect((await hashOf(picture.id)).quality).toBeGreaterThanOrEqual(50);
    const key = pictureKey({ id: picture.id, profile_id: owner.id, version: picture.version }, "original");
    const stored = await (await worker.env.PICTURES.get(key))!.arrayBuffer();
    expect(await hashPictureBytes(worker.env, new Uint8Array(stored))).toEqual(await hashOf(picture.id));
    const clean = await uploadPicture(owner, { bytes: makeScenePng(2) });
    await run(
      insertStoredPictureAsKnownQueries(db(), { pictureId: picture.id, source: "notice:1", rule: "intimate", now: 1 }),
    );

    const other = await createMember(worker, { brand: "harbor" });
    const tries = [
      () => postPicture(owner, makeScenePng(1)),
      () => postPicture(other, makeScenePng(1, { brightness: 15 })),
      () => postPicture(other, makeScenePng(1, { width: 320, height: 320 }), { audience: "private" }),
      () => postPicture(owner, makeScenePng(1, { width: 120, height: 150, crop: 0.01 }), { audience: "chat" }),
      () => postPicture(owner, makeScenePng(1), { replaceId: clean.id }),
    ];
    for (const again of tries) {
      const answer = await again();
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({
        error: { code: "NOT_ALLOWED", field: "picfile", reason: "REMOVED" },
      });
    }
    expect((await postPicture(other, makeScenePng(3))).status).toBe(201);
    expect(await hashOf(clean.id)).toMatchObject({ quality: 100 });
  });
});
