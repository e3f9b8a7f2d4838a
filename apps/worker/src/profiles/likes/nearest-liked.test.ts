import type { NearbyBrief } from "@lambda/contract/positions";
import { createMember, type TestMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

async function memberAt(lat: number, overrides: Parameters<typeof createMember>[1] = {}): Promise<TestMember> {
  const member = await createMember(worker, overrides);
  const response = await member.send("PUT", `/api/profile-position/${member.id}`, {
    profileId: member.id,
    use: "OVERRIDE",
    overrideLat: lat,
    overrideLon: 2,
  });
  expect(response.status).toBe(200);
  return member;
}

const setLike = (who: TestMember, whom: TestMember, likeType = "LIKE") =>
  who.send("PUT", "/api/profile-like", { likedProfileId: whom.id, likeType });

describe("the nearest members by likes", () => {
  it("are ordered by distance, filtered and paged, without hidden members", async () => {
    const me = await memberAt(44);
    const [near, far, both, other] = [
      await memberAt(44.1, { characteristics: 1 }),
      await memberAt(44.4),
      await memberAt(44.2),
      await memberAt(44.05),
    ];
    for (const fan of [far, near, both]) await setLike(fan, me);
    await setLike(me, both);
    await setLike(me, other, "DISLIKE");
    const ids = async (query: string) =>
      (await me.get<NearbyBrief[]>(`/api/profile-briefs/nearest?${query}`)).map((brief) => brief.profileId);

    expect(await ids("likedMyProfile=true")).toEqual([near.id, both.id, far.id]);
    expect(await ids("likedMyProfile=true&iLikedProfile=true")).toEqual([both.id]);
    expect(await ids("likedMyProfile=true&characteristics=Hosting")).toEqual([near.id]);
    expect(await ids("iLikedProfilePics=true")).toEqual([]);
    expect(await ids("likedMyProfile=true&maxDistanceMeters=15000")).toEqual([near.id]);
    expect(await ids("likedMyProfile=true&page=1&size=2")).toEqual([far.id]);
    const first = await me.fetch("/api/profile-briefs/nearest?likedMyProfile=true&size=2");
    expect(Number(first.headers.get("x-d1-rows-read"))).toBeLessThanOrEqual(60);
    expect(await ids(`likedMyProfile=true&size=2&cursor=${first.headers.get("x-next-cursor")}`)).toEqual([far.id]);

    expect(await ids("unjudged=true&maxDistanceMeters=100000")).toEqual([near.id, far.id]);
    expect(await ids("maxDistanceMeters=100000")).toEqual([other.id, near.id, both.id, far.id]);

    await worker.env.DB.prepare("update profile set hidden = 1 where id = ?").bind(near.id).run();
    await me.send("PUT", "/api/profile-like", { likedProfileId: both.id, blocked: true });
    expect(await ids("likedMyProfile=true")).toEqual([far.id]);
  });

  it("include members who like one's pictures", async () => {
    const [me, fan] = [await memberAt(40), await memberAt(40.1)];
    const { DB } = worker.env;
    const picture = await DB.prepare(
      "insert into picture (profile_id, audience, width, height, bytes, ts_created, ts_updated) values (?, 'public', 8, 10, 1, 1, 1) returning id",
    )
      .bind(me.id)
      .first<{ id: number }>();
    await DB.prepare("insert into picture_like values (?, ?, ?, 'LIKE', 1)")
      .bind(fan.id, picture?.id ?? 0, me.id)
      .run();
    const mine = await me.get<NearbyBrief[]>("/api/profile-briefs/nearest?likedMyPics=1");
    expect(mine.map((brief) => brief.profileId)).toEqual([fan.id]);
    const theirs = await fan.get<NearbyBrief[]>("/api/profile-briefs/nearest?iLikedProfilePics=true");
    expect(theirs.map((brief) => brief.profileId)).toEqual([me.id]);
  });
});
