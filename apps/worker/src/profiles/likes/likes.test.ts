import type { LikedBrief, ProfileLike } from "@lambda/contract/likes";
import { createMember, type TestMember } from "@lambda/testing/member";
import { openSocket } from "@lambda/testing/socket";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const like = (who: TestMember, whom: TestMember, likeType = "LIKE") =>
  who.send("PUT", "/api/profile-like", { likedProfileId: whom.id, likeType });

const block = (who: TestMember, whom: TestMember, blocked = true) =>
  who.send("PUT", "/api/profile-like", { likedProfileId: whom.id, blocked });

async function notificationsOf(member: TestMember): Promise<unknown[]> {
  const { results } = await worker.env.DB.prepare(
    "select kind, about_id, url from notification where profile_id = ? order by id",
  )
    .bind(member.id)
    .all();
  return results;
}

function rowOf(liker: TestMember, liked: TestMember) {
  return worker.env.DB.prepare("select like_type from profile_like where liker_id = ? and liked_id = ?")
    .bind(liker.id, liked.id)
    .first();
}

describe("liking a member", () => {
  it("stores and returns the like, and notifies the other once", async () => {
    const [one, two] = [await createMember(worker), await createMember(worker)];
    const response = await like(one, two);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      likerProfileId: one.id,
      likedProfileId: two.id,
      likeType: "LIKE",
      blocked: false,
    });
    expect(await rowOf(one, two)).toEqual({ like_type: "LIKE" });
    await like(one, two);
    expect(await notificationsOf(two)).toEqual([{ kind: "like", about_id: one.id, url: "/likes/profilelikedyou" }]);
    const single = await one.get<ProfileLike>(`/api/profile-like?likerProfileId=${one.id}&likedProfileId=${two.id}`);
    expect(single.likeType).toBe("LIKE");
  });

  it("writes nothing when it is unchanged", async () => {
    const [one, two] = [await createMember(worker), await createMember(worker)];
    await like(one, two);
    const again = await like(one, two);
    expect(again.headers.get("x-d1-rows-written")).toBe("0");
  });

  it("makes a match of two likes, notifies both, and undoes it when one is withdrawn", async () => {
    const [one, two] = [await createMember(worker), await createMember(worker)];
    await like(one, two);
    await like(two, one);
    expect(await notificationsOf(one)).toEqual([{ kind: "match", about_id: two.id, url: `/profile/${two.id}` }]);
    expect((await notificationsOf(two)).map((row) => (row as { kind: string }).kind)).toEqual(["like", "match"]);
    expect(await one.get(`/api/profile/${two.id}/relation`)).toMatchObject({ match: true, likesYou: true });
    await like(one, two, "DISLIKE");
    expect(await notificationsOf(one)).toEqual([]);
    expect(await notificationsOf(two)).toEqual([]);
    expect(await two.get(`/api/profile/${one.id}/relation`)).toMatchObject({ match: false, likesYou: false });
  });

  it("notifies devices at most once more per day, however often it is withdrawn", async () => {
    const [one, two] = [await createMember(worker), await createMember(worker)];
    const socket = await openSocket(worker, two);
    for (let times = 0; times < 4; times += 1) {
      await like(one, two);
      expect(await notificationsOf(two)).toMatchObject([{ kind: "like" }]);
      await like(one, two, "DISLIKE");
      expect(await notificationsOf(two)).toEqual([]);
    }
    await like(await createMember(worker), two);
    await socket.waitFor("notification", () => socket.events.length >= 4);
    expect(socket.events.map(({ type }) => type)).toEqual(["ready", ...Array(3).fill("notification")]);
    socket.close();
  });

  it("finds the match when both like concurrently", async () => {
    const [one, two] = [await createMember(worker), await createMember(worker)];
    await Promise.all([like(one, two), like(two, one)]);
    const kinds = async (member: TestMember) =>
      (await notificationsOf(member)).map((row) => (row as { kind: string }).kind);
    expect(await kinds(one)).toContain("match");
    expect(await kinds(two)).toContain("match");
  });

  it("does not reveal dislikes and skips", async () => {
    const [one, two] = [await createMember(worker), await createMember(worker)];
    await like(one, two, "DISLIKE");
    expect(await notificationsOf(two)).toEqual([]);
    const path = `/api/profile-like?likerProfileId=${one.id}&likedProfileId=${two.id}`;
    expect((await two.fetch(path)).status).toBe(404);
    expect(await two.get(`/api/profile-likes/by-liked/${two.id}`)).toEqual([]);
    expect((await one.get<ProfileLike>(path)).likeType).toBe("DISLIKE");
    expect(await one.get(`/api/profile-likes/by-liker/${one.id}`)).toEqual([]);
    expect(await one.get(`/api/profile-likes/by-liker/${one.id}?likeType=DISLIKE`)).toHaveLength(1);
    await like(one, two, "UNDETERMINED");
    expect(await rowOf(one, two)).toEqual({ like_type: "UNDETERMINED" });
  });

  it("rejects likes in another member's name, of oneself, and of nobody", async () => {
    const [one, two] = [await createMember(worker), await createMember(worker)];
    const forged = await one.send("PUT", "/api/profile-like", {
      likerProfileId: two.id,
      likedProfileId: one.id,
      likeType: "LIKE",
    });
    expect(forged.status).toBe(403);
    expect(await rowOf(two, one)).toBeNull();
    expect((await like(one, one)).status).toBe(400);
    expect((await one.send("PUT", "/api/profile-like", { likedProfileId: 999_999_999, likeType: "LIKE" })).status).toBe(
      404,
    );
    expect((await one.send("PUT", "/api/profile-like", { likedProfileId: two.id, likeType: "LOVE" })).status).toBe(400);
  });

  it("does not show a member the likes between others", async () => {
    const [one, two, three] = [await createMember(worker), await createMember(worker), await createMember(worker)];
    await like(one, two);
    expect((await three.fetch(`/api/profile-likes/by-liker/${one.id}`)).status).toBe(403);
    expect((await three.fetch(`/api/profile-likes/by-liked/${two.id}`)).status).toBe(403);
    expect((await three.fetch(`/api/profile-like?likerProfileId=${one.id}&likedProfileId=${two.id}`)).status).toBe(403);
  });
});

describe("the four lists", () => {
  it("have pages of 20, newest first, within the row budget", async () => {
    const me = await createMember(worker);
    const { DB } = worker.env;
    const others: TestMember[] = [];
    for (let index = 0; index < 45; index++) others.push(await createMember(worker));
    await DB.batch(
      others.flatMap((other, index) => [
        DB.prepare(
          "insert into profile_like (liker_id, liked_id, like_type, ts_created) values (?, ?, 'LIKE', ?)",
        ).bind(other.id, me.id, 1000 + Math.floor(index / 3)),
        DB.prepare(
          "insert into profile_like (liker_id, liked_id, like_type, ts_created) values (?, ?, 'LIKE', ?)",
        ).bind(me.id, other.id, 5000 + index),
      ]),
    );
    for (const tab of ["profilelikedyou", "youlikedprofile"]) {
      const seen: number[] = [];
      const sizes: number[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const response: Response = await me.fetch(`/api/profile-briefs/likes/${tab}${cursor && `?cursor=${cursor}`}`);
        const page = (await response.json()) as LikedBrief[];
        expect(page.every((brief) => brief.match)).toBe(true);
        seen.push(...page.map((brief) => brief.profileId));
        sizes.push(page.length);
        cursor = response.headers.get("x-next-cursor");
      }
      expect(sizes).toEqual([20, 20, 5]);
      expect(new Set(seen)).toEqual(new Set(others.map((other) => other.id)));
      expect(seen).toHaveLength(45);
    }
    const likers = await me.fetch(`/api/profile-likes/by-liked/${me.id}`);
    expect(await likers.json()).toHaveLength(20);
    expect(Number(likers.headers.get("x-d1-rows-read"))).toBeLessThanOrEqual(60);
  });

  it("list likes of pictures by picture, 30 per page", async () => {
    const [me, fan, star] = [await createMember(worker), await createMember(worker), await createMember(worker)];
    const { DB } = worker.env;
    const picture = async (owner: TestMember) => {
      const row = await DB.prepare(
        "insert into picture (profile_id, audience, width, height, bytes, ts_created, ts_updated) values (?, 'public', 8, 10, 1, 1, 1) returning id",
      )
        .bind(owner.id)
        .first<{ id: number }>();
      return row?.id ?? 0;
    };
    const mine: number[] = [];
    for (let index = 0; index < 32; index++) mine.push(await picture(me));
    const [open, closed, gone] = [await picture(star), await picture(star), await picture(star)];
    await DB.batch([
      DB.prepare("update profile set pics_public = ? where id = ?").bind(`[${open}]`, star.id),
      DB.prepare("update profile set pics_private = ? where id = ?").bind(`[${closed}]`, star.id),
      ...mine.map((id) => DB.prepare("insert into picture_like values (?, ?, ?, 'LIKE', 7)").bind(fan.id, id, me.id)),
      ...[open, closed, gone].map((id, index) =>
        DB.prepare("insert into picture_like values (?, ?, ?, 'LIKE', ?)").bind(me.id, id, star.id, 100 + index),
      ),
    ]);
    const first = await me.fetch("/api/profile-briefs/likes/profilelikedyourpics");
    const page = (await first.json()) as LikedBrief[];
    expect(page).toHaveLength(30);
    expect(page[0]).toMatchObject({ profileId: fan.id, profilePicId: mine[0] });
    const rest = await me.get<LikedBrief[]>(
      `/api/profile-briefs/likes/profilelikedyourpics?cursor=${first.headers.get("x-next-cursor")}`,
    );
    expect([...page, ...rest].map((brief) => brief.profilePicId)).toEqual(mine);

    const theirs = async () =>
      (await me.get<LikedBrief[]>("/api/profile-briefs/likes/youlikedprofilepics")).map((brief) => brief.profilePicId);
    expect(await theirs()).toEqual([open]);
    await DB.prepare(
      "insert into album_grant (owner_id, member_id, state, ts_expires, ts_created) values (?, ?, 'granted', null, 1)",
    )
      .bind(star.id, me.id)
      .run();
    expect(await theirs()).toEqual([closed, open]);
  });

  it("reject an unknown list and a forged cursor", async () => {
    const me = await createMember(worker);
    expect((await me.fetch("/api/profile-briefs/likes/everyone")).status).toBe(400);
    expect((await me.fetch("/api/profile-briefs/likes/profilelikedyou?cursor=1.x")).status).toBe(400);
  });
});

describe("invisible members", () => {
  const cases: [string, (other: TestMember, me: TestMember) => Promise<unknown>][] = [
    ["hidden", (other) => set(other, "hidden = 1")],
    ["suspended", (other) => set(other, "status = 'suspended'")],
    ["on another brand", (other) => set(other, "shared_on = 2")],
    ["deleted", (other) => set(other, "status = 'deleted'")],
    ["blocked by the viewer", (other, me) => block(me, other)],
    ["blocking the viewer", (other, me) => block(other, me)],
  ];
  function set(member: TestMember, change: string) {
    return worker.env.DB.prepare(`update profile set ${change} where id = ?`).bind(member.id).run();
  }

  it.each(cases)("%s: are in no list and cannot be liked from the next request on", async (name, vanish) => {
    const [me, other] = [await createMember(worker), await createMember(worker)];
    await like(me, other);
    await like(other, me);
    await vanish(other, me);
    for (const tab of ["profilelikedyou", "youlikedprofile"]) {
      expect(await me.get(`/api/profile-briefs/likes/${tab}`)).toEqual([]);
    }
    expect(await me.get(`/api/profile-likes/by-liked/${me.id}`)).toEqual([]);
    expect(await me.get(`/api/profile-likes/by-liker/${me.id}`)).toEqual([]);
    expect((await me.fetch(`/api/profile/${other.id}`)).status).toBe(404);
    expect((await me.fetch(`/api/profile/${other.id}/relation`)).status).toBe(404);
    expect((await like(me, other, "DISLIKE")).status).toBe(404);
    expect(await rowOf(me, other)).toEqual({ like_type: "LIKE" });
    const own = await me.fetch(`/api/profile-like?likerProfileId=${me.id}&likedProfileId=${other.id}`);
    expect(own.status).toBe(name === "blocked by the viewer" ? 200 : 404);
    const theirs = await me.fetch(`/api/profile-like?likerProfileId=${other.id}&likedProfileId=${me.id}`);
    expect(theirs.status).toBe(404);
  });

  it("can be blocked while hiding if they were in contact, but blocking does not reveal hidden strangers", async () => {
    const [me, pest, liked, admirer, stranger] = [
      await createMember(worker),
      await createMember(worker),
      await createMember(worker),
      await createMember(worker),
      await createMember(worker),
    ];
    await pest.send("POST", "/api/message", { recipientProfileId: me.id, bodyText: "You there" });
    await like(me, liked);
    await like(admirer, me);
    for (const member of [pest, liked, admirer, stranger]) await set(member, "hidden = 1");
    expect((await block(me, pest)).status).toBe(200);
    expect((await block(me, liked)).status).toBe(200);
    // A hidden member whose like the viewer cannot see is treated like one who does not exist.
    const [one, other] = [await block(me, admirer), await block(me, stranger)];
    expect([one.status, await one.text()]).toEqual([404, await other.text()]);
  });
});

describe("whether the viewer was blocked", () => {
  it("is not revealed by their own like of a member whom they blocked", async () => {
    const me = await createMember(worker);
    const responses: unknown[] = [];
    for (const gone of ["hides", "blocks"]) {
      const other = await createMember(worker);
      await like(me, other);
      await like(other, me);
      if (gone === "blocks") await block(other, me);
      else await worker.env.DB.prepare("update profile set hidden = 1 where id = ?").bind(other.id).run();
      expect((await block(me, other)).status).toBe(200);
      const own = await me.fetch(`/api/profile-like?likerProfileId=${me.id}&likedProfileId=${other.id}`);
      responses.push([own.status, { ...((await own.json()) as ProfileLike), likedProfileId: 0, tsCreated: "" }]);
    }
    expect(responses[0]).toEqual(responses[1]);
  });

  it("is not revealed by removing a block that does not exist, and neither is the other's like", async () => {
    const [me, liker, other] = [await createMember(worker), await createMember(worker), await createMember(worker)];
    await like(liker, me);
    await worker.env.DB.prepare("update profile set hidden = 1 where id in (?, ?)").bind(liker.id, other.id).run();
    expect((await block(me, other, false)).status).toBe(404);
    expect((await block(me, liker, false)).status).toBe(404);
  });

  it("is not revealed by removing a block of a hidden member in contact, who can only be blocked", async () => {
    const [me, liked] = [await createMember(worker), await createMember(worker)];
    await like(me, liked);
    await worker.env.DB.prepare("update profile set hidden = 1 where id = ?").bind(liked.id).run();
    expect((await block(me, liked, false)).status).toBe(404);
    expect((await block(me, liked)).status).toBe(200);
    expect((await block(me, liked, false)).status).toBe(200);
  });
});

describe("blocking", () => {
  it("works in both directions, ends the blocker's album grant and notifications, and is undone only by the blocker", async () => {
    const [me, other] = [await createMember(worker), await createMember(worker, { name: "Pest" })];
    const { DB } = worker.env;
    await like(me, other);
    await like(other, me);
    await DB.batch([
      DB.prepare(
        "insert into album_grant (owner_id, member_id, state, ts_expires, ts_created) values (?, ?, 'granted', null, 1)",
      ).bind(me.id, other.id),
      DB.prepare(
        "insert into album_grant (owner_id, member_id, state, ts_expires, ts_created) values (?, ?, 'granted', null, 1)",
      ).bind(other.id, me.id),
    ]);
    const response = await block(me, other);
    expect(await response.json()).toMatchObject({ blocked: true, likeType: "LIKE" });
    const { results: rows } = await DB.prepare(
      "select profile_id, other_id, blocked_by_profile, blocked_by_other from block where profile_id in (?1, ?2) order by profile_id",
    )
      .bind(me.id, other.id)
      .all();
    expect(rows).toEqual([
      { profile_id: me.id, other_id: other.id, blocked_by_profile: 1, blocked_by_other: 0 },
      { profile_id: other.id, other_id: me.id, blocked_by_profile: 0, blocked_by_other: 1 },
    ]);
    expect(
      await DB.prepare("select owner_id from album_grant where owner_id in (?1, ?2)").bind(me.id, other.id).all(),
    ).toMatchObject({ results: [{ owner_id: other.id }] });
    expect(await notificationsOf(me)).toEqual([]);

    expect(await me.get("/api/blocks")).toMatchObject([{ profileId: other.id, profileName: "Pest" }]);
    expect(await other.get("/api/blocks")).toEqual([]);
    expect((await other.send("DELETE", `/api/block/${me.id}`)).status).toBe(204);
    expect((await me.fetch(`/api/profile/${other.id}`)).status).toBe(404);

    expect((await me.send("DELETE", `/api/block/${other.id}`)).status).toBe(204);
    expect(
      await DB.prepare("select count(*) n from block where profile_id in (?1, ?2)").bind(me.id, other.id).first(),
    ).toEqual({ n: 0 });
    expect((await me.fetch(`/api/profile/${other.id}`)).status).toBe(200);
    expect((await other.fetch(`/api/profile/${me.id}`)).status).toBe(200);
  });

  it("lasts until both of two mutual blocks are removed", async () => {
    const [me, other] = [await createMember(worker), await createMember(worker)];
    await like(me, other);
    await block(other, me);
    expect((await block(me, other)).status).toBe(200);
    await other.send("DELETE", `/api/block/${me.id}`);
    expect((await other.fetch(`/api/profile/${me.id}`)).status).toBe(404);
    expect(await me.get("/api/blocks")).toMatchObject([{ profileId: other.id }]);
    await block(me, other, false);
    expect((await other.fetch(`/api/profile/${me.id}`)).status).toBe(200);
  });
});
