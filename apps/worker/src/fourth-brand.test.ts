import { FOURTH_BRAND } from "@lambda/testing/fourth-brand/brand";
import { startFourBrandWorker } from "@lambda/testing/fourth-brand/worker";
import { createMember, type TestMember } from "@lambda/testing/member";
import { PHOENIX, reportPosition } from "@lambda/testing/scenes/positions";
import type { TestWorker } from "@lambda/testing/worker";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOURLY } from "./schedule.ts";

let worker: TestWorker;
let close: () => Promise<void>;
let viewer: TestMember;
let listed: number[];
let stranger: TestMember;
beforeAll(async () => {
  ({ worker, close } = await startFourBrandWorker());
  const fourth = { brand: FOURTH_BRAND.id, birthdate: "1990-01-01" };
  viewer = await createMember(worker, fourth);
  await reportPosition(viewer, PHOENIX);
  const others = [
    await createMember(worker, fourth),
    await createMember(worker, { sharedOn: FOURTH_BRAND.bit | 1 }),
    await createMember(worker, fourth),
  ];
  for (const other of others) await reportPosition(other, PHOENIX);
  listed = others.map(({ id }) => id).sort();
  stranger = await createMember(worker, { sharedOn: 7 });
  await reportPosition(stranger, PHOENIX);
});
afterAll(() => close());

const idsOf = async (path: string) =>
  (await viewer.get<{ profileId: number }[]>(path)).map(({ profileId }) => profileId).sort();

describe("a fourth brand, without a schema change", () => {
  it("finds only its own members", async () => {
    expect(await idsOf("/api/profile-briefs/nearest")).toEqual(listed);
    expect(await idsOf("/api/profile-briefs/by-sector/33:-113")).toEqual(listed);
    await worker.runCron(HOURLY, Date.now());
    expect(await idsOf("/api/profile-briefs/by-bounds?latMin=33&lonMin=-113&latMax=34&lonMax=-112")).toEqual(listed);
  });

  it("counts its members, and one fewer as soon as one hides", async () => {
    const counted = async () =>
      (await viewer.get<{ count: number }[]>("/api/profile-positions/aggregates")).map(({ count }) => count);
    expect(await counted()).toEqual([3]);
    await worker.env.DB.prepare("update profile set shared_on = shared_on | ? where id = ?")
      .bind(FOURTH_BRAND.bit, stranger.id)
      .run();
    expect(await counted()).toEqual([4]);
    expect(
      await worker.env.DB.prepare("select members from member_count where brand = ?").bind(FOURTH_BRAND.bit).first(),
    ).toEqual({ members: 5 });
    await worker.env.DB.prepare("update profile set hidden = 1 where id = ?").bind(stranger.id).run();
    expect(await counted()).toEqual([3]);
  });

  it("draws its members in games", async () => {
    await worker.env.DB.prepare("update profile set description = ? where id in (select value from json_each(?))")
      .bind("A text of my own that is long enough to be guessed by others, ".repeat(2), JSON.stringify(listed))
      .run();
    const drawable = await worker.env.DB.prepare(
      "select profile_id from drawable_member where brand = ? order by profile_id",
    )
      .bind(FOURTH_BRAND.bit)
      .all<{ profile_id: number }>();
    expect(drawable.results.map(({ profile_id }) => profile_id)).toEqual(listed);
    const response = await viewer.send("POST", "/api/games/gptbuster/draw", {});
    expect(await response.json()).not.toEqual([]);
  });
});
