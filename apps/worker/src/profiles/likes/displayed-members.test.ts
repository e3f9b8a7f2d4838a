import { PROFILE_IDS_PER_CALL_MAX } from "@lambda/contract/limits";
import { createMember, type TestMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

/** What screens request about the members that they show: whom the viewer likes, and how far away they are. */
let worker: TestWorker;
let me: TestMember;
const others: TestMember[] = [];
beforeAll(async () => {
  worker = await startWorker();
  me = await memberAt(33.45);
  for (let index = 1; index <= PROFILE_IDS_PER_CALL_MAX; index += 1) others.push(await memberAt(33.45 + index / 10));
});

/** A member who reports a position on a meridian. */
async function memberAt(lat: number): Promise<TestMember> {
  const member = await createMember(worker);
  const response = await member.send("PUT", `/api/profile-position/${member.id}`, {
    profileId: member.id,
    use: "OVERRIDE",
    overrideLat: lat,
    overrideLon: -112.07,
  });
  expect(response.status).toBe(200);
  return member;
}

const ids = (members: readonly TestMember[]) => `profileIds=${members.map(({ id }) => id).join(",")}`;
const liked = (members: readonly TestMember[]) => me.fetch(`/api/profile-likes/among?${ids(members)}`);
const distances = (members: readonly TestMember[]) => me.fetch(`/api/profile-positions/distances?${ids(members)}`);
const like = (whom: TestMember, likeType = "LIKE") =>
  me.send("PUT", "/api/profile-like", { likedProfileId: whom.id, likeType });
const set = (member: TestMember, change: string) =>
  worker.env.DB.prepare(`update profile set ${change} where id = ?`).bind(member.id).run();

describe("which of some members the viewer likes", () => {
  it("includes likes, but no dislikes and skips", async () => {
    const [one, two, three, four] = others as [TestMember, TestMember, TestMember, TestMember];
    await like(one);
    await like(two, "DISLIKE");
    await like(three, "UNDETERMINED");
    expect(await (await liked([one, two, three, four])).json()).toMatchObject([
      { likerProfileId: me.id, likedProfileId: one.id, likeType: "LIKE" },
    ]);
    await like(one, "DISLIKE");
    expect(await (await liked([one])).json()).toEqual([]);
  });

  it("includes all of them when the viewer likes all", async () => {
    for (const other of others) await like(other);
    expect(await (await liked(others)).json()).toHaveLength(PROFILE_IDS_PER_CALL_MAX);
  });
});

describe("how far away some members are", () => {
  it("is measured between published positions, to the meter, as in searches", async () => {
    const response = await distances(others);
    const listed = (await response.json()) as { profileId: number; distanceMeters: number }[];
    const nearest = await me.get<{ profileId: number; distanceMeters: number }[]>(
      "/api/profile-briefs/nearest?size=30",
    );
    const expected = nearest.map(({ profileId, distanceMeters }) => ({ profileId, distanceMeters }));
    expect(listed).toHaveLength(PROFILE_IDS_PER_CALL_MAX);
    expect(listed.sort((a, b) => a.distanceMeters - b.distanceMeters)).toEqual(expected);
  });

  it("leaves out members without a current position", async () => {
    const nowhere = await createMember(worker);
    expect(await (await distances([nowhere])).json()).toEqual([]);
    const ended = others[5]!;
    await worker.env.DB.prepare("update position set ts_effective_until = 1 where profile_id = ?").bind(ended.id).run();
    expect(await (await distances([ended])).json()).toEqual([]);
  });
});

describe("invisible members", () => {
  const cases: [string, (other: TestMember) => Promise<unknown>][] = [
    ["hidden", (other) => set(other, "hidden = 1")],
    ["discreet", (other) => set(other, "discreet_on = shared_on, shared_on = 0")],
    ["suspended", (other) => set(other, "status = 'suspended'")],
    ["on another brand", (other) => set(other, "shared_on = 2")],
    ["blocked", (other) => me.send("PUT", "/api/profile-like", { likedProfileId: other.id, blocked: true })],
    ["blocking", (other) => other.send("PUT", "/api/profile-like", { likedProfileId: me.id, blocked: true })],
  ];
  it.each(cases)("%s: are in neither response", async (_, vanish) => {
    const other = await memberAt(33.5);
    await like(other);
    expect(await (await liked([other])).json()).toHaveLength(1);
    expect(await (await distances([other])).json()).toHaveLength(1);
    await vanish(other);
    expect(await (await liked([other])).json()).toEqual([]);
    expect(await (await distances([other])).json()).toEqual([]);
  });
});

describe("a list of ids", () => {
  it.each(["", "profileIds=", "profileIds=abc", "profileIds=0", `profileIds=${Array(29).fill(1).join(",")}`])(
    "is rejected with the name of the field if it is invalid (%s)",
    async (query) => {
      for (const path of ["profile-likes/among", "profile-positions/distances"]) {
        const response = await me.fetch(`/api/${path}?${query}`);
        expect(response.status).toBe(400);
        expect(await response.text()).toContain("profileIds");
      }
    },
  );
});
