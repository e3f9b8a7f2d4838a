/** The filters of a search that say what a member knows of others: who is starred, who is new, and to whom the member never wrote. */
import { DAY_MS, NEW_MEMBER_DAYS } from "@lambda/contract/limits";
import { STAR_TAG } from "@lambda/contract/notes";
import type { NearbyBrief } from "@lambda/contract/positions";
import type { TestMember } from "@lambda/testing/member";
import { createMemberAt, listNearestIds, PHOENIX, readCost } from "@lambda/testing/scenes/positions";
import { openSocket } from "@lambda/testing/socket";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, beforeEach, expect, it } from "vitest";

let worker: TestWorker;
let me: TestMember;
let [near, far]: TestMember[] = [];
let step = 0;
beforeAll(async () => {
  worker = await startWorker();
});
beforeEach(async () => {
  // Far from the members of other tests.
  step += 1;
  const at = (meters: number) => ({ lat: PHOENIX.lat - 5 * step + meters / 111_000, lon: PHOENIX.lon });
  me = await createMemberAt(worker, at(0));
  [near, far] = [await createMemberAt(worker, at(2000)), await createMemberAt(worker, at(9000))];
});

const setTags = async (who: TestMember, whom: TestMember, privateTags: string[]) =>
  expect((await who.send("PUT", "/api/profile-note", { aboutProfileId: whom.id, privateTags })).status).toBe(200);
const list = (filter: string) => listNearestIds(me, `?${filter}=true&maxDistanceMeters=50000`);
const run = (query: string, ...values: unknown[]) =>
  worker.env.DB.prepare(query)
    .bind(...values)
    .run();

/** How somebody goes out of sight, and how they come back. */
const WAYS_OUT: Record<string, readonly [() => Promise<unknown>, () => Promise<unknown>]> = {
  hidden: [
    () => run("update profile set hidden = 1 where id = ?", near!.id),
    () => run("update profile set hidden = 0 where id = ?", near!.id),
  ],
  discreet: [
    () => near!.send("PUT", "/api/settings/discreet", { discreet: true }),
    () => near!.send("PUT", "/api/settings/discreet", { discreet: false }),
  ],
  blocking: [
    () => near!.send("PUT", "/api/profile-like", { likedProfileId: me.id, blocked: true }),
    () => near!.send("DELETE", `/api/block/${me.id}`),
  ],
};

it("lists whom the viewer starred, nearest first, as long as they are in sight, and keeps the star of those who are not", async () => {
  await setTags(me, far!, ["tall", STAR_TAG]);
  await setTags(me, near!, [STAR_TAG]);
  const response = await me.fetch("/api/profile-briefs/nearest?starred=true");
  expect(((await response.json()) as NearbyBrief[]).map(({ profileId }) => profileId)).toEqual([near!.id, far!.id]);
  expect(readCost(response, "rows-read")).toBeLessThanOrEqual(30);
  expect(readCost(response, "trips")).toBeLessThanOrEqual(2);
  for (const [name, [vanish, appear]] of Object.entries(WAYS_OUT)) {
    await vanish();
    expect(await list("starred"), name).toEqual([far!.id]);
    await appear();
    expect(await list("starred"), name).toEqual([near!.id, far!.id]);
  }
  await setTags(me, near!, []);
  await setTags(me, far!, ["tall"]);
  expect(await list("starred")).toEqual([]);
});

it("tells nobody of a star", async () => {
  const socket = await openSocket(worker, near!, {
    path: `/ws/map?lat=${Math.floor(PHOENIX.lat - 5 * step)}&lon=-113`,
  });
  const paths = [
    `/api/profile/${me.id}`,
    `/api/profile/${me.id}/relation`,
    `/api/notifications/${near!.id}`,
    "/api/profile-briefs/likes/profilelikedyou",
    "/api/profile-briefs/nearest",
    "/api/profile-briefs/nearest?starred=true",
    "/api/profile-notes",
    "/api/session",
  ];
  const read = () => Promise.all(paths.map(async (path) => (await near!.fetch(path)).text()));
  const before = await read();
  const own = await openSocket(worker, near!);
  const events = socket.events.length;
  await setTags(me, near!, [STAR_TAG]);
  expect(await read()).toEqual(before);
  // What is sent after the star arrives after it.
  await far!.send("POST", "/api/message", { recipientProfileId: near!.id, bodyText: "Hello there" });
  await own.waitFor("message");
  expect(
    own.events.map(({ type }) => type).filter((type) => !["ready", "message", "notification"].includes(type)),
  ).toEqual([]);
  expect(socket.events.length).toBe(events);
  own.close();
  socket.close();
});

it("lists the members of the last seven days, by whole days, and marks no discreet one, not even to whom he showed himself", async () => {
  const marked = async () =>
    (
      await me.get<{ profileId: number }[]>(
        `/api/profile-briefs/new-among?profileIds=${near!.id}&profileIds=${far!.id}&profileIds=${me.id}`,
      )
    ).map(({ profileId }) => profileId);
  const today = Date.now() - (Date.now() % DAY_MS);
  const joined = (ts: number) => run("update account set ts_created = ? where id = ?", ts, near!.id);
  await run("update account set ts_created = 1 where id = ?", far!.id);
  await joined(today - NEW_MEMBER_DAYS * DAY_MS);
  expect([await list("newHere"), await marked()]).toEqual([[near!.id], [near!.id]]);
  await joined(today - NEW_MEMBER_DAYS * DAY_MS - 1);
  expect([await list("newHere"), await marked()]).toEqual([[], []]);
  await joined(Date.now());
  for (const [name, [vanish, appear]] of Object.entries(WAYS_OUT)) {
    await vanish();
    expect([await list("newHere"), await marked()], name).toEqual([[], []]);
    await appear();
    expect([await list("newHere"), await marked()], name).toEqual([[near!.id], [near!.id]]);
  }
  await WAYS_OUT.discreet![0]();
  await near!.send("PUT", "/api/profile-like", { likedProfileId: me.id, likeType: "LIKE" });
  expect(await listNearestIds(me)).toContain(near!.id);
  expect([await list("newHere"), await marked()]).toEqual([[], []]);
});

it("lists those to whom the viewer never wrote, and reveals nothing of what they wrote", async () => {
  const write = (from: TestMember, to: TestMember) =>
    from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText: "Hello there" });
  expect(await list("notTalkedTo")).toEqual([near!.id, far!.id]);
  await write(near!, me);
  expect(await list("notTalkedTo")).toEqual([near!.id, far!.id]);
  await write(me, far!);
  expect(await list("notTalkedTo")).toEqual([near!.id]);
  // The discreet member wrote to the viewer, and is found among those whom nobody else sees.
  await WAYS_OUT.discreet![0]();
  expect(await list("notTalkedTo")).toEqual([near!.id]);
  await write(me, near!);
  expect(await list("notTalkedTo")).toEqual([]);
});

/** How a member comes to match each filter. Who is just created matches the last three without doing anything. */
const MATCHES: Record<string, (other: TestMember, pictures: { own: number; theirs: number }) => unknown> = {
  likedMyProfile: (other) => run("insert into profile_like values (?, ?, 'LIKE', 1, 0)", other.id, me.id),
  iLikedProfile: (other) => run("insert into profile_like values (?, ?, 'LIKE', 1, 0)", me.id, other.id),
  likedMyPics: (other, { own }) => run("insert into picture_like values (?, ?, ?, 'LIKE', 1)", other.id, own, me.id),
  iLikedProfilePics: (other, { theirs }) =>
    run("insert into picture_like values (?, ?, ?, 'LIKE', 1)", me.id, theirs, other.id),
  starred: (other) => setTags(me, other, [STAR_TAG]),
  tonight: (other) => run("insert into tonight values (?, 1, ?)", other.id, Date.now() + DAY_MS),
  checked: (other, { theirs }) =>
    run(
      "insert into person_check (profile_id, state, pose, compared, ts_started, ts_checked) values (?, 'him', '{}', ?, 1, ?)",
      other.id,
      JSON.stringify([`${theirs}:1`]),
      Date.now(),
    ),
  newHere: () => undefined,
  notTalkedTo: () => undefined,
  unjudged: () => undefined,
};
/** How a member who was just created stops to match. */
const LOSES: Record<string, (other: TestMember) => unknown> = {
  newHere: (other) => run("update account set ts_created = 1 where id = ?", other.id),
  notTalkedTo: (other) => me.send("POST", "/api/message", { recipientProfileId: other.id, bodyText: "Hello there" }),
};
const FILTERS = Object.keys(MATCHES);

it("lists with each pair of filters, likes or not, exactly those who match both", async () => {
  const addPicture = async (owner: TestMember) => {
    const query = `insert into picture (profile_id, audience, width, height, bytes, ts_created, ts_updated)
      values (?1, 'public', 40, 50, 900, 1, 1) returning id`;
    const { id } = (await worker.env.DB.prepare(query).bind(owner.id).first<{ id: number }>())!;
    await run("update profile set pics_public = ? where id = ?", JSON.stringify([id]), owner.id);
    return id;
  };
  const own = await addPicture(me);
  const matched = new Map([near!, far!].map(({ id }) => [id, new Set(["newHere", "notTalkedTo", "unjudged"])]));
  // For each filter a member who matches all others; but nobody whom the viewer likes is unjudged.
  for (const [index, missing] of FILTERS.filter((name) => name !== "unjudged").entries()) {
    const other = await createMemberAt(worker, {
      lat: PHOENIX.lat - 5 * step + (3000 + index) / 111_000,
      lon: PHOENIX.lon,
    });
    const theirs = await addPicture(other);
    const names = FILTERS.filter((name) => name !== missing && (name !== "unjudged" || missing === "iLikedProfile"));
    for (const name of names) await MATCHES[name]!(other, { own, theirs });
    await LOSES[missing]?.(other);
    matched.set(other.id, new Set(names));
  }
  const pairs = FILTERS.flatMap((a, index) => FILTERS.slice(index).map((b) => [a, b] as const));
  const found: [string, number[]][] = [];
  const expected: [string, number[]][] = [];
  for (const [a, b] of pairs) {
    found.push([`${a} ${b}`, (await list(a === b ? a : `${a}=true&${b}`)).toSorted((x, y) => x - y)]);
    expected.push([`${a} ${b}`, [...matched].filter(([, names]) => names.has(a) && names.has(b)).map(([id]) => id)]);
  }
  expect(found).toEqual(expected);
});
