import { createMember, type TestMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

let worker: TestWorker;
let me: TestMember;
let nuisance: TestMember;
let friend: TestMember;
beforeAll(async () => {
  worker = await startWorker();
  [me, nuisance, friend] = await Promise.all([createMember(worker), createMember(worker), createMember(worker)]);
});

const rows = async (sql: string) => (await worker.env.DB.prepare(sql).all()).results;

describe("a block", () => {
  it("removes the blocker's album grant and notifications, and nothing of anybody else's", async () => {
    for (const [from, to] of [
      [me, nuisance],
      [nuisance, me],
      [me, friend],
      [friend, me],
      [friend, nuisance],
    ] as const) {
      expect((await from.send("PUT", "/api/album-grant", { memberProfileId: to.id })).status).toBe(200);
    }
    expect((await me.send("PUT", "/api/profile-like", { likedProfileId: nuisance.id, blocked: true })).status).toBe(
      200,
    );

    expect(await rows("select owner_id, member_id from album_grant order by owner_id, member_id")).toEqual(
      [
        { owner_id: me.id, member_id: friend.id },
        { owner_id: nuisance.id, member_id: me.id },
        { owner_id: friend.id, member_id: me.id },
        { owner_id: friend.id, member_id: nuisance.id },
      ].sort((a, b) => a.owner_id - b.owner_id || a.member_id - b.member_id),
    );
    const notifications = await rows("select profile_id, about_id from notification where kind = 'album'");
    expect(notifications).toHaveLength(4);
    expect(notifications).not.toContainEqual({ profile_id: me.id, about_id: nuisance.id });
    // Kept, but invisible while they do not see each other.
    expect(notifications).toContainEqual({ profile_id: nuisance.id, about_id: me.id });
    expect(await nuisance.get(`/api/notifications/${nuisance.id}`)).toHaveLength(1);
  });

  it("stays when the other member undoes theirs, and undoing it leaves other blocks in place", async () => {
    expect((await nuisance.send("PUT", "/api/profile-like", { likedProfileId: friend.id, blocked: true })).status).toBe(
      200,
    );
    await me.send("PUT", "/api/profile-like", { likedProfileId: friend.id, blocked: true });
    // The blocked member has no block to undo.
    expect((await nuisance.send("DELETE", `/api/block/${me.id}`)).status).toBe(204);
    expect((await nuisance.fetch(`/api/profile/${me.id}`)).status).toBe(404);
    expect((await me.send("DELETE", `/api/block/${friend.id}`)).status).toBe(204);
    expect((await me.fetch(`/api/profile/${friend.id}`)).status).toBe(200);
    expect((await me.fetch(`/api/profile/${nuisance.id}`)).status).toBe(404);
    expect((await friend.fetch(`/api/profile/${nuisance.id}`)).status).toBe(404);
  });

  it("by neither member, from a former feature, hides the two from each other, is on no list, and nobody can undo it", async () => {
    const [one, two] = [await createMember(worker), await createMember(worker)];
    await worker.env.DB.prepare("insert into block values (?1, ?2, 0, 0, 1), (?2, ?1, 0, 0, 1)")
      .bind(one.id, two.id)
      .run();
    for (const [member, other] of [
      [one, two],
      [two, one],
    ] as const) {
      expect((await member.send("DELETE", `/api/block/${other.id}`)).status).toBe(204);
      expect(await member.get("/api/blocks")).toEqual([]);
      expect((await member.fetch(`/api/profile/${other.id}`)).status).toBe(404);
    }
  });
});
