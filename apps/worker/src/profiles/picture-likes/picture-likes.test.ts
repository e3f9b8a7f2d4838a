import type { ProfilePicLike } from "@lambda/contract/likes";
import { LIKES_PER_MINUTE_MAX } from "@lambda/contract/limits";
import { createMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, expect, it } from "vitest";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

it("keeps the latest rating, and notifies the owner once", async () => {
  const [owner, fan] = [await createMember(worker), await createMember(worker)];
  const picture = await uploadPicture(owner);
  const rate = (likeType: string) =>
    fan.send("PUT", "/api/profile-pic-like", { profilePicId: picture.id, profilePicProfileId: owner.id, likeType });
  const first = await rate("LIKE");
  expect(await first.json()).toMatchObject({
    likerProfileId: fan.id,
    profilePicId: picture.id,
    profilePicProfileId: owner.id,
    likeType: "LIKE",
  });
  await rate("DISLIKE");
  await rate("LIKE");
  const { results } = await worker.env.DB.prepare("select like_type from picture_like where picture_id = ?")
    .bind(picture.id)
    .all();
  expect(results).toEqual([{ like_type: "LIKE" }]);
  const notified = await worker.env.DB.prepare("select count(*) n from notification where profile_id = ?")
    .bind(owner.id)
    .first();
  expect(notified).toEqual({ n: 1 });
});

it("tells the owner once a day of one member's likes, however many pictures there are", async () => {
  const [owner, fan, other] = [await createMember(worker), await createMember(worker), await createMember(worker)];
  const pictures = [await uploadPicture(owner), await uploadPicture(owner), await uploadPicture(owner)];
  const likeAll = async (member: typeof fan) => {
    for (const { id } of pictures)
      await member.send("PUT", "/api/profile-pic-like", { profilePicId: id, likeType: "LIKE" });
  };
  await likeAll(fan);
  await likeAll(other);
  const { results } = await worker.env.DB.prepare("select about_id from notification where profile_id = ? order by id")
    .bind(owner.id)
    .all();
  expect(results).toEqual([{ about_id: fan.id }, { about_id: other.id }]);
});

it("limits ratings per minute", async () => {
  const [owner, fan] = [await createMember(worker), await createMember(worker)];
  const picture = await uploadPicture(owner);
  const rate = () => fan.send("PUT", "/api/profile-pic-like", { profilePicId: picture.id, likeType: "LIKE" });
  for (let count = 0; count < LIKES_PER_MINUTE_MAX; count += 1) expect((await rate()).status).toBe(200);
  expect((await rate()).status).toBe(429);
});

it("shows likes only to both members concerned, and dislikes only to who gave them", async () => {
  const [owner, fan, critic] = [await createMember(worker), await createMember(worker), await createMember(worker)];
  const picture = await uploadPicture(owner);
  await fan.send("PUT", "/api/profile-pic-like", { profilePicId: picture.id, likeType: "LIKE" });
  await critic.send("PUT", "/api/profile-pic-like", { profilePicId: picture.id, likeType: "DISLIKE" });
  const received = await owner.get<ProfilePicLike[]>(`/api/profile-pic-likes/by-liked-profileid/${owner.id}`);
  expect(received.map(({ likerProfileId }) => likerProfileId)).toEqual([fan.id]);
  const given = await fan.get<ProfilePicLike[]>(`/api/profile-pic-likes/by-liker-profileid/${fan.id}`);
  expect(given.map(({ profilePicId }) => profilePicId)).toEqual([picture.id]);
  expect((await fan.fetch(`/api/profile-pic-likes/by-liked-profileid/${owner.id}`)).status).toBe(403);
  expect((await fan.fetch(`/api/profile-pic-likes/by-liker-profileid/${critic.id}`)).status).toBe(403);
  const about = await critic.get<ProfilePicLike[]>(`/api/profile-pic-likes/about/${owner.id}`);
  expect(about).toMatchObject([{ profilePicId: picture.id, likeType: "DISLIKE" }]);
});

it("accepts ratings only of pictures that the member may see, except their own", async () => {
  const [owner, fan] = [await createMember(worker), await createMember(worker)];
  const [open, closed, chat] = [
    await uploadPicture(owner),
    await uploadPicture(owner, { audience: "private" }),
    await uploadPicture(owner, { audience: "chat" }),
  ];
  const rate = async (member: typeof fan, id: number) =>
    (await member.send("PUT", "/api/profile-pic-like", { profilePicId: id, likeType: "LIKE" })).status;
  expect(await rate(fan, closed.id)).toBe(404);
  expect(await rate(fan, chat.id)).toBe(404);
  expect(await rate(owner, open.id)).toBe(404);
  await owner.send("PUT", "/api/album-grant", { memberProfileId: fan.id });
  expect(await rate(fan, closed.id)).toBe(200);
  expect(await rate(fan, open.id)).toBe(200);
  await owner.send("DELETE", `/api/album-grant/${fan.id}`);
  const given = await fan.get<ProfilePicLike[]>(`/api/profile-pic-likes/by-liker-profileid/${fan.id}`);
  expect(given.map(({ profilePicId }) => profilePicId)).toEqual([open.id]);
  const foreign = { likerProfileId: owner.id, profilePicId: open.id, likeType: "LIKE" };
  expect((await fan.send("PUT", "/api/profile-pic-like", foreign)).status).toBe(403);
});

it.each([
  [3, 3],
  [4, 2],
])("pages by cursor in pages of %i, with each row once and no empty page", async (size, pages) => {
  const owner = await createMember(worker);
  const pictures = [await uploadPicture(owner), await uploadPicture(owner)];
  const fans = await Promise.all(Array.from({ length: 4 }, () => createMember(worker)));
  for (const fan of fans) {
    for (const { id } of pictures) {
      await worker.env.DB.prepare("insert into picture_like values (?, ?, ?, 'LIKE', 1000)")
        .bind(fan.id, id, owner.id)
        .run();
    }
  }
  const seen: string[] = [];
  let cursor: string | null = "";
  let read = 0;
  for (; cursor !== null; read += 1) {
    const query = `size=${size}${cursor && `&cursor=${cursor}`}`;
    const response: Response = await owner.fetch(`/api/profile-pic-likes/by-liked-profileid/${owner.id}?${query}`);
    for (const like of (await response.json()) as ProfilePicLike[])
      seen.push(`${like.profilePicId}/${like.likerProfileId}`);
    cursor = response.headers.get("x-next-cursor");
  }
  expect(read).toBe(pages);
  expect(seen.length).toBe(8);
  expect(new Set(seen).size).toBe(8);
});
