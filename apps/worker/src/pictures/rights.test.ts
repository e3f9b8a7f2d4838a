/** The cache of a session's picture rights saves queries, and is invalidated in time. */
import { createHash } from "node:crypto";
import { PICTURE_RIGHTS_CACHE_MS } from "@lambda/contract/limits";
import { createMember, logIn, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { createVisitor } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";

const TOKEN = "A".repeat(43);

let worker: TestWorker;
let me: TestMember;
let other: TestMember;
let shown: number;
let album: number;
beforeAll(async () => {
  worker = await startWorker();
});
beforeEach(async () => {
  [me, other] = [await createMember(worker), await createMember(worker, { freshProof: true })];
  shown = (await uploadPicture(other)).id;
  album = (await uploadPicture(other, { audience: "private" })).id;
  await succeed(other.send("PUT", "/api/album-grant", { memberProfileId: me.id }));
});

const succeed = async (pending: Promise<Response>) => expect((await pending).ok).toBe(true);

/** The status, and the number of database round trips. */
async function request(id: number, by = me, headers: Record<string, string> = {}): Promise<[number, number]> {
  const answer = await by.fetch(`/api/profile-pic/${id}?scale_x=256`, { headers });
  await answer.arrayBuffer();
  return [answer.status, Number(answer.headers.get("x-d1-trips"))];
}

/** Both pictures are open to the session, and cached. */
async function seeBoth(): Promise<void> {
  await Promise.all([request(shown), request(album)]);
  expect([await request(shown), await request(album)]).toEqual([
    [200, 0],
    [200, 0],
  ]);
}

const REVOKES: Record<string, () => Promise<unknown>> = {
  "the owner hides": () => report(other, true),
  "the owner blocks": () => succeed(other.send("PUT", "/api/profile-like", { likedProfileId: me.id, blocked: true })),
  "the viewer blocks": () => succeed(me.send("PUT", "/api/profile-like", { likedProfileId: other.id, blocked: true })),
  "the account is deleted": () => succeed(other.send("POST", "/api/account/deletion", {})),
  "staff suspends the owner": async () => {
    const admin = await createMember(worker, { adminBrand: "*", hidden: true });
    const action = { subjectProfileId: other.id, kind: "suspend", rule: "spam", reason: "Spam", days: 3 };
    await succeed(admin.send("POST", "/api/admin/action", action));
  },
  "the owner's second PIN is entered on a device that is logged out": async () => {
    const tokenHash = createHash("sha256").update(TOKEN).digest("hex");
    await succeed(other.send("POST", "/api/lockdown-signal", { tokenHash, hours: 1 }));
    await succeed(createVisitor(worker).send("POST", "/api/unlock", { token: TOKEN }));
  },
  "the pictures are deleted": async () => {
    await succeed(other.send("DELETE", `/api/profile-pic/${shown}`));
    await succeed(other.send("DELETE", `/api/profile-pic/${album}`));
  },
};

function report(member: TestMember, hide: boolean): Promise<unknown> {
  const place = { use: "OVERRIDE", overrideLat: 52.5, overrideLon: 13.4 };
  return succeed(member.send("PUT", `/api/profile-position/${member.id}`, { profileId: member.id, ...place, hide }));
}

describe("a picture that a session has seen", () => {
  it.each(Object.entries(REVOKES))("is closed from the next request on when %s", async (_, revoke) => {
    await seeBoth();
    await revoke();
    expect((await Promise.all([request(shown), request(album)])).map(([status]) => status)).toEqual([404, 404]);
  });

  it("is closed when its album is, or when it moves to a private album, while others stay cached", async () => {
    const third = await createMember(worker);
    const theirs = (await uploadPicture(third)).id;
    await request(theirs);
    await seeBoth();
    await succeed(other.send("DELETE", `/api/album-grant/${me.id}`));
    expect(await request(theirs)).toEqual([200, 0]);
    expect((await request(album))[0]).toBe(404);
    expect((await request(shown))[0]).toBe(200);
    await succeed(other.send("PUT", "/api/profile-pics", { profilePicIds: [], profilePicIdsPrivate: [album, shown] }));
    expect((await request(shown))[0]).toBe(404);
  });

  it("stays cached while others upload, unlock their devices, log in and out", async () => {
    const third = await createMember(worker);
    await seeBoth();
    for (const by of [third, createVisitor(worker)])
      await succeed(by.send("POST", "/api/unlock", { token: "B".repeat(43) }));
    await uploadPicture(third);
    await succeed(third.send("POST", "/api/auth/logout"));
    expect([await request(shown), await request(album)]).toEqual([
      [200, 0],
      [200, 0],
    ]);
  });

  it("is closed at once to a session that was ended from another device", async () => {
    const phone = await logIn(worker, me.id);
    expect([(await request(shown))[0], (await request(shown, phone))[0]]).toEqual([200, 200]);
    await succeed(phone.send("DELETE", "/api/sessions"));
    expect([(await request(shown))[0], (await request(shown, phone))[0]]).toEqual([401, 401]);
  });

  it("is checked again when an album grant expires, and after some minutes at the latest", async () => {
    const now = Date.now();
    const at = (ms: number) => ({ "x-development-now": String(now + ms) });
    const tsExpires = new Date(now + 60_000).toISOString();
    await succeed(other.send("PUT", "/api/album-grant", { memberProfileId: me.id, tsExpires }));
    expect((await request(album, me, at(0)))[0]).toBe(200);
    expect(await request(album, me, at(59_000))).toEqual([200, 0]);
    expect((await request(album, me, at(60_000)))[0]).toBe(404);
    await request(shown, me, at(60_000));
    expect((await request(shown, me, at(60_000 + PICTURE_RIGHTS_CACHE_MS)))[1]).toBeGreaterThan(0);
  });

  it("is pixelated where a proof of age is required, even if it was seen elsewhere", async () => {
    const explicit = (await uploadPicture(other, { nsfw: true })).id;
    const tagAt = async (place: string) => {
      const headers = { "x-development-place": place };
      return (await me.fetch(`/api/profile-pic/nsfw/${explicit}`, { headers })).headers.get("etag");
    };
    const [open, covered] = [await tagAt("US-CA"), await tagAt("GB")];
    expect(covered).toContain("pixelated");
    expect([await tagAt("US-CA"), await tagAt("GB")]).toEqual([open, covered]);
    expect(open).not.toContain("pixelated");
  });
});

it("queries the database a few times for a screen of pictures, and the next time not at all", async () => {
  const friends = await Promise.all(Array.from({ length: 25 }, () => createMember(worker)));
  const ids = await Promise.all(friends.map(async (friend) => (await uploadPicture(friend)).id));
  const screen = async () => {
    const answers = await Promise.all(ids.map((id) => request(id)));
    expect(answers.every(([status]) => status === 200)).toBe(true);
    return answers.reduce((sum, [, trips]) => sum + trips, 0);
  };
  expect(await screen()).toBeLessThanOrEqual(8);
  expect(await screen()).toBe(0);
  // A list of these members prefetches the pictures of their tiles.
  for (const friend of [me, ...friends.slice(0, 3)]) await report(friend, false);
  const list = await me.get<{ profilePicIds: number[] }[]>("/api/profile-briefs/nearest");
  const first = list.flatMap(({ profilePicIds }) => profilePicIds.slice(0, 1));
  expect(first).toContain(ids[0]);
  const answers = await Promise.all(first.map((id) => request(id)));
  expect(answers).toEqual(first.map(() => [200, 0]));
});
