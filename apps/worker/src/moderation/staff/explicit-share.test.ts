import type { ExplicitShare } from "@lambda/contract/admin";
import { EXPLICIT_SHARE_OWNERS_MIN } from "@lambda/contract/limits";
import { keyOfPoint } from "@lambda/geo/curve";
import { createMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

const NIGHTLY = "17 3 * * *";
const HOUSTON = { lat: 29.76, lon: -95.37 };
const MADRID = { lat: 40.4, lon: -3.7 };

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const run = (query: string, ...values: (string | number | null)[]) => worker.run({ query, values });

/** Creates a member with `count` pictures, the first `explicit` of them explicit. */
async function withPictures(count: number, explicit: number, at?: { lat: number; lon: number }, rest: object = {}) {
  const member = await createMember(worker, rest);
  for (let index = 0; index < count; index += 1) {
    await run(
      `insert into picture (profile_id, audience, width, height, bytes, nsfw_owner, ts_created, ts_updated)
       values (?, ?, 4, 5, 1, ?, 1, 1)`,
      member.id,
      index % 2 === 0 ? "public" : "private",
      index < explicit ? 1 : 0,
    );
  }
  if (at) {
    await run(
      `insert into position (profile_id, use, precision, cell, key, ts_published, ts_effective_until) values (?, 'OVERRIDE', 'city', 1, ?, 1, ?)`,
      member.id,
      keyOfPoint(at),
      Date.now() + 60_000,
    );
  }
  return member;
}

describe("the share of explicit pictures", () => {
  it("is counted by brand and country at night, without pictures that nobody sees, and merges countries with few members", async () => {
    for (let index = 0; index < EXPLICIT_SHARE_OWNERS_MIN; index += 1) await withPictures(4, 1, HOUSTON);
    await withPictures(3, 3, MADRID);
    await withPictures(2, 1);
    await withPictures(5, 5, HOUSTON, { hidden: true });
    const hidden = await withPictures(1, 1, HOUSTON);
    await run("update picture set hidden_by_staff = 2 where profile_id = ?", hidden.id);
    const chatting = await withPictures(1, 1, HOUSTON);
    await run("update picture set audience = 'chat' where profile_id = ?", chatting.id);
    await worker.runCron(NIGHTLY);

    const admin = await createMember(worker, { adminBrand: "ember", hidden: true });
    const shares = await admin.get<ExplicitShare[]>("/api/admin/dashboard/explicitShare");
    const counts = shares.map(({ brand, country, pictures, explicit }) => ({ brand, country, pictures, explicit }));
    expect(counts).toEqual([
      { brand: "ember", country: "", pictures: 5, explicit: 4 },
      { brand: "ember", country: "US-TX", pictures: 40, explicit: 10 },
    ]);
    const stored = await run("select * from explicit_share");
    expect(JSON.stringify(stored)).not.toContain("ES");
    expect((await (await createMember(worker)).fetch("/api/admin/dashboard/explicitShare")).status).toBe(403);
  });
});
