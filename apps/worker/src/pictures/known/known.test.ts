import { PICTURE_REFUSALS } from "@lambda/contract/picture-refusals";
import { createMember } from "@lambda/testing/member";
import { postPicture, uploadPicture } from "@lambda/testing/pictures";
import { makePng } from "@lambda/testing/png";
import { seededRandom } from "@lambda/testing/random";
import { makeScenePng, sceneSamples } from "@lambda/testing/scene-picture";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { batch, openDatabase, type Query } from "../../platform/db/database.ts";
import { HASH_DISTANCE_MAX, hashDistance, perceptualHash } from "../../platform/images/perceptual-hash.ts";
import { sealPrint } from "../../platform/images/picture-print.ts";
import { pictureKey } from "../store.ts";
import {
  deleteKnownPictureQueries,
  effectOf,
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
const run = (queries: readonly Query[]) => batch(worker.env.DB, queries);

function flip(hash: string, bits: readonly number[]): string {
  const digits = [...hash].map((digit) => Number.parseInt(digit, 16));
  for (const bit of bits) digits[bit >> 2]! ^= 8 >> (bit & 3);
  return digits.map((digit) => digit.toString(16)).join("");
}

const PRINT = perceptualHash({ ...sceneSamples(9), channels: 1, data: sceneSamples(9).gray }).print;

async function remember(hash: string, source: KnownSource = "notice:1", rule: "intimate" | "minor" = "intimate") {
  const sealedPrint = source.startsWith("list:") ? null : sealPrint(worker.env, PRINT);
  await run(insertKnownPictureQueries(db(), { hash, sealedPrint, source, rule, profileId: 1, now: 1 }));
}
const find = (hash: string, quality = 80, print = PRINT) =>
  findKnownPicture({ db: db(), env: worker.env }, { hash, quality, print });

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
      expect(await find(near)).toMatchObject({ distance: 31 });
      const far = flip(hash, order.slice(0, 32));
      expect(await find(far)).toBeUndefined();
    }
  });

  it("is deleted by its own source only", async () => {
    await remember(hash);
    await remember(hash);
    await remember(hash, "notice:2");
    await run(deleteKnownPictureQueries(db(), { source: "notice:1" }));
    expect(await find(hash)).toMatchObject({ source: "notice:2" });
    await run(deleteKnownPictureQueries(db(), { source: "notice:2", hash }));
    expect(await find(hash)).toBeUndefined();
    expect((await worker.run({ query: "select count(*) as parts from known_picture_part" }))[0]).toEqual([
      { parts: 0 },
    ]);
  });

  it("prefers a match that rejects the upload to one that holds it, and that to one without effect", async () => {
    await remember(hash, "list:two", "intimate");
    await remember(flip(hash, [1]), "list:one", "minor");
    expect(await find(hash)).toMatchObject({ source: "list:one", distance: 1 });
    await remember(flip(hash, [3]), "notice:1");
    expect(await find(hash)).toMatchObject({ source: "notice:1", distance: 1, agrees: true });
  });

  it("is another picture if the hashes are equal and the prints differ, and has no effect if only a hash is known", async () => {
    await remember(hash);
    const other = perceptualHash({ ...sceneSamples(10), channels: 1, data: sceneSamples(10).gray }).print;
    expect(await find(hash, 80, other)).toBeUndefined();
    await worker.run({ query: "update known_picture set sealed_print = null" });
    const known = (await find(hash, 80, other))!;
    expect(known.agrees).toBe(false);
    const effects = (["notice:1", "staff:1", "list:one"] as const).flatMap((source) =>
      (["intimate", "minor"] as const).flatMap((rule) =>
        [true, false].map((agrees) => `${source} ${rule} ${agrees}: ${effectOf({ source, rule, agrees })}`),
      ),
    );
    expect(effects).toEqual([
      "notice:1 intimate true: refused",
      "notice:1 intimate false: none",
      "notice:1 minor true: held",
      "notice:1 minor false: none",
      "staff:1 intimate true: refused",
      "staff:1 intimate false: none",
      "staff:1 minor true: held",
      "staff:1 minor false: none",
      "list:one intimate true: none",
      "list:one intimate false: none",
      "list:one minor true: held",
      "list:one minor false: held",
    ]);
  });

  it("does not match pictures that are too plain to be distinguished", async () => {
    await remember(hash);
    expect(await find(hash, 49)).toBeUndefined();
    const member = await createMember(worker);
    const flat = await uploadPicture(member, { bytes: makePng(200, 200, () => [30, 60, 90]) });
    expect((await hashOf(flat.id)).quality).toBeLessThan(50);
    await run(
      insertStoredPictureAsKnownQueries(db(), {
        ...{ pictureId: flat.id, profileId: member.id, source: "notice:9", rule: "intimate", now: 1 },
      }),
    );
    for (let at = 0; at < 3; at += 1) {
      await uploadPicture(member, { bytes: makePng(200, 200, () => [30, 60, 90 + at]) });
    }
  });
});

it("is compared by the upload itself, since storing a plain sky and sea changes their hash", async () => {
  const sky = (x: number, y: number): [number, number, number] =>
    y < 240 ? [120 + y / 8, 160 + y / 10, 220] : [20, 60 + ((x * 7 + y * 13) % 17 < 8 ? 4 : 0), 130 - y / 12];
  const bytes = makePng(640, 480, sky);
  const owner = await createMember(worker);
  const { id, version } = await uploadPicture(owner, { bytes });
  const { hash } = await hashOf(id);
  expect(hashDistance(hash, (await hashPictureBytes(worker.env, bytes)).hash)).toBe(0);
  const key = pictureKey({ id, profile_id: owner.id, version }, "original");
  const stored = new Uint8Array(await (await worker.env.PICTURES.get(key))!.arrayBuffer());
  expect(hashDistance(hash, (await hashPictureBytes(worker.env, stored)).hash)).toBeGreaterThan(HASH_DISTANCE_MAX);
});

describe("a picture that was removed on request", () => {
  it("is openly rejected wherever it is uploaded again, unchanged or altered, on every brand", async () => {
    const owner = await createMember(worker);
    const picture = await uploadPicture(owner, { bytes: makeScenePng(1) });
    expect((await hashOf(picture.id)).quality).toBeGreaterThanOrEqual(50);
    const key = pictureKey({ id: picture.id, profile_id: owner.id, version: picture.version }, "original");
    const stored = await (await worker.env.PICTURES.get(key))!.arrayBuffer();
    const again = await hashPictureBytes(worker.env, new Uint8Array(stored));
    expect(hashDistance(again.hash, (await hashOf(picture.id)).hash)).toBeLessThan(12);
    const clean = await uploadPicture(owner, { bytes: makeScenePng(2) });
    await run(
      insertStoredPictureAsKnownQueries(db(), {
        ...{ pictureId: picture.id, profileId: owner.id, source: "notice:1", rule: "intimate", now: 1 },
      }),
    );

    const other = await createMember(worker, { brand: "harbor" });
    const tries = [
      () => postPicture(owner, makeScenePng(1)),
      () => postPicture(other, makeScenePng(1, { brightness: 15 })),
      () => postPicture(other, makeScenePng(1, { width: 320, height: 320 }), { audience: "private" }),
      () => postPicture(owner, makeScenePng(1, { width: 120, height: 150, crop: 0.01 }), { audience: "chat" }),
      () => postPicture(owner, makeScenePng(1), { replaceId: clean.id }),
    ];
    for (const tried of tries) {
      const answer = await tried();
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({
        error: { code: "NOT_ALLOWED", field: "picfile", reason: "REVIEW" },
      });
      expect(PICTURE_REFUSALS.REVIEW.text).not.toMatch(/remov|request|shows/);
    }
    expect((await postPicture(other, makeScenePng(3))).status).toBe(201);
    expect(await hashOf(clean.id)).toMatchObject({ quality: 100 });
  });
});
