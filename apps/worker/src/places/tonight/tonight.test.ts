import { HOUR_MS, TONIGHT_ROUNDING_MS } from "@lambda/contract/limits";
import type { NearbyBriefPage } from "@lambda/contract/positions";
import type { MemberTonight, TonightPlan } from "@lambda/contract/tonight";
import { createMember, type TestMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, beforeEach, expect, it } from "vitest";

let worker: TestWorker;
let ann: TestMember;
let bob: TestMember;

const BERLIN = { lat: 52.5, lon: 13.4 };

async function standAt(member: TestMember, use: "OVERRIDE" | "DEVICE_GPS" | "RANDOM", { lat, lon } = BERLIN) {
  const point = use === "OVERRIDE" ? { overrideLat: lat, overrideLon: lon } : { gpsLat: lat, gpsLon: lon };
  const report = { profileId: member.id, use, precision: "street", ...(use !== "RANDOM" && point) };
  expect((await member.send("PUT", `/api/profile-position/${member.id}`, report)).status).toBe(200);
}
const run = (query: string, ...values: unknown[]) =>
  worker.env.DB.prepare(query)
    .bind(...values)
    .run();
const later = (ms: number) => new Date(Date.now() + ms).toISOString();
const goOut = (member: TestMember, plan: object = {}) =>
  member.send("PUT", "/api/tonight", { wishes: ["drink", "coffee"], tsUntil: later(3 * HOUR_MS), ...plan });
const seen = async (viewer: TestMember, other: TestMember) => {
  const among = await viewer.get<MemberTonight[]>(`/api/tonight/among?profileIds=${other.id}`);
  const near = await viewer.get<NearbyBriefPage["items"]>("/api/profile-briefs/nearest?tonight=true&size=30");
  const isNear = near.some(({ profileId }) => profileId === other.id);
  expect(isNear).toBe(among.length === 1);
  return among;
};

beforeAll(async () => {
  worker = await startWorker();
});
beforeEach(async () => {
  [ann, bob] = [await createMember(worker), await createMember(worker)];
  await Promise.all([ann, bob].map((member) => standAt(member, "OVERRIDE")));
});

it("shows who is out, with his wishes and a rounded end, in the list and as a filter, until it is over or ended", async () => {
  expect(await bob.get("/api/tonight")).toBeNull();
  expect(await seen(ann, bob)).toEqual([]);
  const plan = (await (await goOut(bob)).json()) as TonightPlan;
  expect(Date.parse(plan.tsUntil) % TONIGHT_ROUNDING_MS).toBe(0);
  expect(await bob.get("/api/tonight")).toEqual({ wishes: ["coffee", "drink"], tsUntil: plan.tsUntil });
  expect(await seen(ann, bob)).toEqual([{ profileId: bob.id, wishes: ["coffee", "drink"], tsUntil: plan.tsUntil }]);
  await goOut(bob, { wishes: ["walk"] });
  expect(await seen(ann, bob)).toMatchObject([{ wishes: ["walk"] }]);

  await run("update tonight set ts_until = ? where profile_id = ?", Date.now() - 1, bob.id);
  expect(await seen(ann, bob)).toEqual([]);
  expect(await bob.get("/api/tonight")).toBeNull();
  await worker.runCron("7 * * * *");

  await goOut(bob);
  expect((await bob.send("DELETE", "/api/tonight")).status).toBe(204);
  expect((await bob.send("DELETE", "/api/tonight")).status).toBe(204);
  expect(await seen(ann, bob)).toEqual([]);
  expect(
    (await worker.env.DB.prepare("select * from tonight where profile_id = ?").bind(bob.id).all()).results,
  ).toEqual([]);
});

it("obeys hide, discreet and blocks, which all look alike", async () => {
  await goOut(bob);
  const changes: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    [
      "hide",
      () => run("update profile set hidden = 1 where id = ?", bob.id),
      () => run("update profile set hidden = 0 where id = ?", bob.id),
    ],
    [
      "discreet",
      () => bob.send("PUT", "/api/settings/discreet", { discreet: true }),
      () => bob.send("PUT", "/api/settings/discreet", { discreet: false }),
    ],
    [
      "block",
      () => bob.send("PUT", "/api/profile-like", { likedProfileId: ann.id, blocked: true }),
      () => bob.send("DELETE", `/api/block/${ann.id}`),
    ],
  ];
  for (const [, vanish, appear] of changes) {
    expect(await seen(ann, bob)).toHaveLength(1);
    await vanish();
    expect(await seen(ann, bob)).toEqual([]);
    await appear();
  }
  expect(await seen(ann, bob)).toHaveLength(1);
  // A discreet member is seen by those to whom he showed himself, here too.
  await bob.send("PUT", "/api/settings/discreet", { discreet: true });
  await bob.send("PUT", "/api/profile-like", { likedProfileId: ann.id, likeType: "LIKE" });
  expect(await seen(ann, bob)).toHaveLength(1);
});

it("needs a place of his own choice, and ends with it", async () => {
  for (const use of ["RANDOM", "DEVICE_GPS"] as const) {
    await standAt(bob, use);
    expect((await goOut(bob)).status).toBe(use === "RANDOM" ? 403 : 200);
  }
  expect(await seen(ann, bob)).toHaveLength(1);
  await run("update position set use = 'RANDOM' where profile_id = ?", bob.id);
  expect(await seen(ann, bob)).toEqual([]);
  await run("update profile set hidden = 1 where id = ?", bob.id);
  expect(await (await goOut(bob)).json()).toMatchObject({ error: { code: "HIDING" } });
});

it("is off in a country that punishes, also for who comes there during the night", async () => {
  await goOut(bob);
  expect(await seen(ann, bob)).toHaveLength(1);
  await standAt(bob, "OVERRIDE", { lat: 24.7, lon: 46.7 });
  expect((await bob.send("PUT", "/api/travel/stay", { shown: "usual", withdrawn: false, muted: false })).status).toBe(
    200,
  );
  expect((await ann.fetch(`/api/profile/${bob.id}`)).status).toBe(200);
  expect(await seen(ann, bob)).toEqual([]);
  expect(await (await goOut(bob)).json()).toMatchObject({ error: { code: "NOT_ALLOWED" } });
});

it.each([
  [{ wishes: [] }, "wishes"],
  [{ wishes: ["sleep"] }, "wishes"],
  [{ tsUntil: "midnight" }, "tsUntil"],
  [{ tsUntil: new Date(0).toISOString() }, "tsUntil"],
  [{ tsUntil: later(13 * HOUR_MS) }, "tsUntil"],
])("refuses %o with the name of the field", async (wrong, field) => {
  const refused = await goOut(bob, wrong);
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain(field);
});
