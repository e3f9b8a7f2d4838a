import { MEMBERS_ASKED_MAX } from "@lambda/contract/limits";
import { as, type TestMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

/** What screens ask about the members that they show: whom they like, and how far they are. */
let worker: TestWorker;
let me: TestMember;
const others: TestMember[] = [];
beforeAll(async () => {
  worker = await startWorker();
  me = await at(33.45);
  for (let index = 1; index <= MEMBERS_ASKED_MAX; index += 1) others.push(await at(33.45 + index / 10));
});

/** A member who reports a position on a meridian. */
async function at(lat: number): Promise<TestMember> {
  const member = await as(worker);
  const answer = await member.send("PUT", `/api/profile-position/${member.id}`, {
    profileId: member.id,
    use: "OVERRIDE",
    overrideLat: lat,
    overrideLon: -112.07,
  });
  expect(answer.status).toBe(200);
  return member;
}

const ids = (members: readonly TestMember[]) => `profileIds=${members.map(({ id }) => id).join(",")}`;
const liked = (members: readonly TestMember[]) => me.fetch(`/api/profile-likes/among?${ids(members)}`);
const distances = (members: readonly TestMember[]) => me.fetch(`/api/profile-positions/distances?${ids(members)}`);
const like = (whom: TestMember, likeType = "LIKE") =>
  me.send("PUT", "/api/profile-like", { likedProfileId: whom.id, likeType });
const set = (member: TestMember, change: string) =>
  worker.env.DB.prepare(`update profile set ${change} where id = ?`).bind(member.id).run();

describe("whom of some members the viewer likes", () => {
  it("tells the likes among them, and of dislikes and skips nothing", async () => {
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

  it("tells all of them, when the member likes all", async () => {
    for (const other of others) await like(other);
    expect(await (await liked(others)).json()).toHaveLength(MEMBERS_ASKED_MAX);
  });
});

describe("how far some members are", () => {
  it("measures between published positions, to the metre, as the searches do", async () => {
    const answer = await distances(others);
    const told = (await answer.json()) as { profileId: number; distanceMeters: number }[];
    const nearest = await me.get<{ profileId: number; distanceMeters: number }[]>(
      "/api/profile-briefs/nearest?size=30",
    );
    const expected = nearest.map(({ profileId, distanceMeters }) => ({ profileId, distanceMeters }));
    expect(told).toHaveLength(MEMBERS_ASKED_MAX);
    expect(told.sort((a, b) => a.distanceMeters - b.distanceMeters)).toEqual(expected);
  });

  it("leaves out who has no living position", async () => {
    const nowhere = await as(worker);
    expect(await (await distances([nowhere])).json()).toEqual([]);
    const ended = others[5]!;
    await worker.env.DB.prepare("update position set ts_effective_until = 1 where profile_id = ?").bind(ended.id).run();
    expect(await (await distances([ended])).json()).toEqual([]);
  });
});

describe("who can not be seen", () => {
  const cases: [string, (other: TestMember) => Promise<unknown>][] = [
    ["hidden", (other) => set(other, "hidden = 1")],
    ["suspended", (other) => set(other, "status = 'suspended'")],
    ["on another brand", (other) => set(other, "shared_on = 2")],
    ["blocked", (other) => me.send("PUT", "/api/profile-like", { likedProfileId: other.id, blocked: true })],
    ["blocking", (other) => other.send("PUT", "/api/profile-like", { likedProfileId: me.id, blocked: true })],
  ];
  it.each(cases)("%s: is in neither answer", async (_, vanish) => {
    const other = await at(33.5);
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
    "that is wrong (%s) is refused with its name",
    async (query) => {
      for (const path of ["profile-likes/among", "profile-positions/distances"]) {
        const answer = await me.fetch(`/api/${path}?${query}`);
        expect(answer.status).toBe(400);
        expect(await answer.text()).toContain("profileIds");
      }
    },
  );
});
