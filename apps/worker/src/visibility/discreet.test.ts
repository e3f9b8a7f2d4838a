/**
 * A discreet member is seen by those whom they like, wrote to or opened the album to, from that act until its undoing. That everybody else
 * sees the same as of a hidden member is in out-of-sight.test.ts.
 */
import type { NearbyBrief } from "@lambda/contract/positions";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { createMemberAt, queryRows, readCost, reportPosition } from "@lambda/testing/scenes/positions";
import { openSocket, type TestSocket } from "@lambda/testing/socket";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

const HERE = { lat: 48.2, lon: 16.3 };
const SQUARE = "/ws/map?lat=48&lon=16";
const NAME = "Discreto";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const createHere = (name?: string) => createMemberAt(worker, HERE, name === undefined ? {} : { name });
const beDiscreet = async (member: TestMember, discreet = true) =>
  expect((await member.send("PUT", "/api/settings/discreet", { discreet })).status).toBe(200);
const like = (by: TestMember, { id }: TestMember, likeType = "LIKE") =>
  by.send("PUT", "/api/profile-like", { likedProfileId: id, likeType });
const write = async (by: TestMember, { id }: TestMember, more: object = {}) =>
  (await (
    await by.send("POST", "/api/message", { recipientProfileId: id, bodyText: `Hello ${id} from ${by.id}`, ...more })
  ).json()) as { id: number };
const run = (sql: string, ...values: unknown[]) => queryRows(worker, sql, ...values);

const SEARCHES = {
  tiles: "/api/profile-briefs/nearest?size=100",
  "numbered pages": "/api/profile-briefs/nearest?size=100&page=0",
  map: "/api/profile-briefs/by-bounds?latMin=48&latMax=48.5&lonMin=16&lonMax=16.5",
  square: "/api/profile-briefs/by-sector/48:16",
};

/** Everywhere a viewer may find a member, and whether they do. */
async function placesOf(viewer: TestMember, { id }: TestMember): Promise<Record<string, boolean>> {
  const found: Record<string, boolean> = { profile: (await viewer.fetch(`/api/profile/${id}`)).status === 200 };
  const named = { ...SEARCHES, "by id": `/api/profile-briefs/by-ids?profileIds=${id}` };
  for (const [name, path] of Object.entries(named))
    found[name] = (await viewer.get<NearbyBrief[]>(path)).some(({ profileId }) => profileId === id);
  const distances = await viewer.get<unknown[]>(`/api/profile-positions/distances?profileIds=${id}`);
  return { ...found, distance: distances.length > 0 };
}
const everywhere = (isFound: boolean) =>
  Object.fromEntries(
    ["profile", ...Object.keys(SEARCHES), "by id", "distance"].map((place) => [place, isFound] as const),
  );
/** The searches find what `shown_to` lists, which is written after the response. */
const isFoundEverywhere = async (viewer: TestMember, member: TestMember, isFound: boolean) =>
  expect.poll(() => placesOf(viewer, member)).toEqual(everywhere(isFound));

type Act = (by: TestMember, other: TestMember) => Promise<unknown>;
const undoneMessages = new Map<number, number>();
const ACTS: [name: string, act: Act, undo: Act][] = [
  ["likes", like, (by, other) => like(by, other, "DISLIKE")],
  [
    "wrote to",
    async (by, other) => undoneMessages.set(by.id, (await write(by, other)).id),
    (by) => by.send("DELETE", `/api/message/${undoneMessages.get(by.id)}`),
  ],
  [
    "opened the album to",
    (by, { id }) => by.send("PUT", "/api/album-grant", { memberProfileId: id }),
    (by, { id }) => by.send("DELETE", `/api/album-grant/${id}`),
  ],
  [
    "opened the album for a while to",
    (by, { id }) =>
      by.send("PUT", "/api/album-grant", { memberProfileId: id, tsExpires: new Date(Date.now() + 9e6).toISOString() }),
    (by) => run("update album_grant set ts_expires = 1 where owner_id = ?", by.id),
  ],
];

describe("a discreet member", () => {
  it.each(ACTS)("is seen everywhere by whom they %s, until they undo it, and by nobody else", async (_, act, undo) => {
    const [member, viewer, stranger] = [await createHere(NAME), await createHere(), await createHere()];
    await isFoundEverywhere(viewer, member, true);
    await beDiscreet(member);
    expect(await placesOf(viewer, member)).toEqual(everywhere(false));
    await act(member, viewer);
    await isFoundEverywhere(viewer, member, true);
    expect(await placesOf(stranger, member)).toEqual(everywhere(false));
    await undo(member, viewer);
    // At once, whatever `shown_to` lists.
    expect(await placesOf(viewer, member)).toEqual(everywhere(false));
    await act(member, viewer);
    await isFoundEverywhere(viewer, member, true);
    expect(await placesOf(stranger, member)).toEqual(everywhere(false));
  });

  it.each(ACTS)("is seen by whom they %s before", async (_, act, undo) => {
    const [member, viewer, stranger] = [await createHere(NAME), await createHere(), await createHere()];
    await act(member, viewer);
    await beDiscreet(member);
    expect(await placesOf(viewer, member)).toEqual(everywhere(true));
    expect(await placesOf(stranger, member)).toEqual(everywhere(false));
    await undo(member, viewer);
    expect(await placesOf(viewer, member)).toEqual(everywhere(false));
  });

  it("stays unseen by whom they unsent the last message, even if the other wrote too; the unsent message disappears there", async () => {
    const [member, viewer] = [await createHere(NAME), await createHere()];
    await write(viewer, member);
    const first = await write(member, viewer);
    await beDiscreet(member);
    const second = await write(member, viewer);
    const socket = await openSocket(worker, viewer);
    await member.send("DELETE", `/api/message/${first.id}`);
    await socket.waitFor("unsent", ({ messageId }) => messageId === first.id);
    expect((await viewer.fetch(`/api/profile/${member.id}`)).status).toBe(200);
    await member.send("DELETE", `/api/message/${second.id}`);
    await socket.waitFor("unsent", ({ messageId }) => messageId === second.id);
    expect((await viewer.fetch(`/api/profile/${member.id}`)).status).toBe(404);
    expect(await viewer.get(`/api/messages/between/${viewer.id}/${member.id}`)).toHaveLength(1);
    expect(JSON.stringify(await viewer.get("/api/conversations"))).not.toContain(NAME);
    await write(member, viewer);
    expect((await viewer.fetch(`/api/profile/${member.id}`)).status).toBe(200);
    socket.close();
  });

  it("is not seen by whom only they know: a note, a picture like, a look, a typed word and a read message show nothing", async () => {
    const [member, viewer] = [await createHere(NAME), await createHere()];
    const picture = (await uploadPicture(viewer)).id;
    const { id } = await write(viewer, member);
    await beDiscreet(member);
    const socket = await openSocket(worker, viewer);
    const own = await openSocket(worker, member);
    await member.send("PUT", "/api/profile-pic-like", { profilePicId: picture, likeType: "LIKE" });
    await member.send("PUT", "/api/profile-note", { aboutProfileId: viewer.id, bodyText: "Nice" });
    await member.send("PUT", "/api/messages/read", { profileId: viewer.id, upToMessageId: id });
    await member.get(`/api/profile/${viewer.id}`);
    own.send({ type: "typing", toProfileId: viewer.id });
    await like(await createHere("Somebody"), viewer);
    await socket.waitFor("notification", () => true);
    expect(socket.events.map(({ type }) => type)).toEqual(["ready", "notification"]);
    for (const path of ["likes/profilelikedyourpics", "likes/profilelikedyou"])
      expect(JSON.stringify(await viewer.get(`/api/profile-briefs/${path}`))).not.toContain(NAME);
    expect(await viewer.get<unknown[]>(`/api/notifications/${viewer.id}`)).toHaveLength(1);
    expect(await viewer.get(`/api/messages/between/${viewer.id}/${member.id}`)).toMatchObject([
      { tsRecipientRead: null },
    ]);
    expect((await viewer.fetch(`/api/profile/${member.id}`)).status).toBe(404);
    for (const each of [socket, own]) each.close();
  });

  it("is on no search twice, and pages continue behind them", async () => {
    const [member, viewer] = [await createHere(NAME), await createHere()];
    await beDiscreet(member);
    await like(member, viewer);
    await isFoundEverywhere(viewer, member, true);
    const all = (await viewer.get<NearbyBrief[]>(SEARCHES.tiles)).map(({ profileId }) => profileId);
    for (const path of ["nearest?size=4", "by-bounds?latMin=48&latMax=48.5&lonMin=16&lonMax=16.5&size=4"]) {
      const paged: number[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const response = await viewer.fetch(`/api/profile-briefs/${path}${cursor && `&cursor=${cursor}`}`);
        paged.push(...((await response.json()) as NearbyBrief[]).map(({ profileId }) => profileId));
        cursor = response.headers.get("x-next-cursor");
      }
      expect(new Set(paged).size).toBe(paged.length);
      expect(paged.toSorted()).toEqual(all.toSorted());
    }
    const liked = async (query: string) =>
      (await viewer.get<NearbyBrief[]>(`/api/profile-briefs/nearest?${query}`)).map(({ profileId }) => profileId);
    expect(await liked("likedMyProfile=true")).toEqual([member.id]);
    expect(await liked("iLikedProfile=true")).toEqual([]);
    expect(await liked("hasPicture=true")).not.toContain(member.id);
  });

  it("costs strangers' searches no row, and a viewer's search a few", async () => {
    const [viewer, stranger] = [await createHere(), await createHere()];
    const rows = async (by: TestMember) => {
      // A call reads the session too, unless another did in the last seconds.
      const costs: number[] = [];
      for (let call = 0; call < 4; call += 1) costs.push(readCost(await by.fetch(SEARCHES.square), "rows-read"));
      return Math.min(...costs);
    };
    const [before, strangersBefore] = [await rows(viewer), await rows(stranger)];
    const member = await createHere(NAME);
    await beDiscreet(member);
    expect([await rows(viewer), await rows(stranger)]).toEqual([before, strangersBefore]);
    await like(member, viewer);
    await isFoundEverywhere(viewer, member, true);
    expect(await rows(stranger)).toBe(strangersBefore);
    expect((await rows(viewer)) - before).toBeLessThanOrEqual(6);
  });

  it("is counted for nobody, and drawn by no game", async () => {
    const [member, viewer] = [await createHere(NAME), await createHere()];
    await uploadPicture(member);
    const counted = async () => {
      const areas = await viewer.get<{ count: number }[]>("/api/profile-positions/aggregates");
      return areas.reduce((sum, { count }) => sum + count, 0);
    };
    const before = await counted();
    await like(member, viewer);
    await beDiscreet(member);
    expect(await counted()).toBe(before - 1);
    expect(await run("select 1 from drawable_member where profile_id = ?", member.id)).toEqual([]);
    expect(await run("select 1 from presence where profile_id = ?", member.id)).toEqual([]);
  });

  it("shows pictures to the few until they undo it, and nothing of it stays cached", async () => {
    const [member, viewer, stranger] = [await createHere(NAME), await createHere(), await createHere()];
    const { id } = await uploadPicture(member);
    await like(member, viewer);
    await beDiscreet(member);
    const status = async (by: TestMember) => (await by.fetch(`/api/profile-pic/${id}`)).status;
    expect([await status(viewer), await status(stranger)]).toEqual([200, 404]);
    await like(member, viewer, "DISLIKE");
    expect(await status(viewer)).toBe(404);
    const grant = { memberProfileId: viewer.id, tsExpires: new Date(Date.now() + 9e6).toISOString() };
    await member.send("PUT", "/api/album-grant", grant);
    expect(await status(viewer)).toBe(200);
    await run("update album_grant set ts_expires = 1 where owner_id = ?", member.id);
    expect(await status(viewer)).toBe(404);
  });

  it("is not seen behind a block, whatever they did before or do then", async () => {
    const [member, viewer] = [await createHere(NAME), await createHere()];
    await like(member, viewer);
    await beDiscreet(member);
    await isFoundEverywhere(viewer, member, true);
    await viewer.send("PUT", "/api/profile-like", { likedProfileId: member.id, blocked: true });
    expect((await like(member, viewer)).status).toBe(404);
    expect(await placesOf(viewer, member)).toEqual(everywhere(false));
    expect(await placesOf(member, viewer)).toEqual(everywhere(false));
  });

  it("hides from the few too, and comes back discreet; leaving it shows them to everybody as last seen now", async () => {
    const [member, viewer, stranger] = [await createHere(NAME), await createHere(), await createHere()];
    await like(member, viewer);
    await beDiscreet(member);
    expect(await member.get("/api/session")).toMatchObject({ discreet: true, hidden: false, sharedOn: 1 });
    await reportPosition(member, HERE, { hide: true });
    expect(await placesOf(viewer, member)).toEqual(everywhere(false));
    await reportPosition(member, HERE, { hide: false });
    expect(await placesOf(viewer, member)).toEqual(everywhere(true));
    expect(await placesOf(stranger, member)).toEqual(everywhere(false));
    await member.send("PUT", "/api/settings/sharing", { sharedOn: 3 });
    expect(await member.get("/api/settings")).toMatchObject({ discreet: true, sharedOn: 3 });
    const onHarbor = await createMember(worker, { brand: "harbor", sharedOn: 7 });
    expect((await onHarbor.fetch(`/api/profile/${member.id}`)).status).toBe(404);
    await run("update profile set ts_seen = 900000, ts_updated = 900000 where id = ?", member.id);
    await beDiscreet(member, false);
    expect(await placesOf(stranger, member)).toEqual(everywhere(true));
    expect((await onHarbor.fetch(`/api/profile/${member.id}`)).status).toBe(200);
    const [row] = await run("select ts_seen, ts_updated from profile where id = ?", member.id);
    expect(Math.min(...Object.values(row as Record<string, number>))).toBeGreaterThan(Date.now() - 1_000_000);
    expect(await run("select 1 from shown_to where profile_id = ?", member.id)).toEqual([]);
  });
});

describe("what would show a discreet member to somebody they did not choose", () => {
  it("is refused with a word: a post to the map chat, which they can still read, and asking for an album", async () => {
    const [member, other] = [await createHere(NAME), await createHere()];
    await beDiscreet(member);
    const refused = { error: { code: "DISCREET" } };
    expect(await (await member.send("POST", "/api/message", { bodyText: "Hello all" })).json()).toMatchObject(refused);
    expect((await member.fetch("/api/messages/area")).status).toBe(200);
    const ask = () => member.send("POST", "/api/album-request", { ownerProfileId: other.id });
    expect(await (await ask()).json()).toMatchObject(refused);
    await like(member, other);
    expect((await ask()).status).toBe(201);
  });

  it("is refused with a word: opening what opens once, of which its sender is told, and which stays to be opened", async () => {
    const [member, other] = [await createHere(NAME), await createHere()];
    const pictureId = (await uploadPicture(other, { audience: "once" })).id;
    const { id } = await write(other, member, { attachment: { type: "once", pictureId } });
    await beDiscreet(member);
    const open = () => member.send("POST", `/api/message/${id}/open`, { opening: "a-word-of-this-device" });
    expect(await (await open()).json()).toMatchObject({ error: { code: "DISCREET" } });
    await like(member, other);
    expect((await open()).status).toBe(200);
  });

  it("is refused with a word: passing the cooties on", async () => {
    const [member, other] = [await createHere(NAME), await createHere()];
    await run("insert into cooties_player (profile_id, brand, carrier, ts_joined) values (?, 1, 1, 1)", member.id);
    await run("insert into cooties_player (profile_id, brand, carrier, ts_joined) values (?, 1, 0, 1)", other.id);
    const tag = () => member.send("POST", "/api/games/cooties/tag", { profileId: other.id });
    await beDiscreet(member);
    expect(await (await tag()).json()).toMatchObject({ error: { code: "DISCREET" } });
    await reportPosition(member, HERE, { hide: true });
    expect(await (await tag()).json()).toMatchObject({ error: { code: "HIDING" } });
    await reportPosition(member, HERE, { hide: false });
    await like(member, other);
    expect((await tag()).status).toBe(200);
  });
});

describe("an open map", () => {
  /** The members of whom it was notified. Lets a newcomer appear, to know that earlier changes have arrived. */
  async function notified(sockets: readonly TestSocket[]): Promise<number[][]> {
    const guest = await createHere();
    return Promise.all(
      sockets.map(async (socket) => {
        await socket.waitFor("around", ({ profileIds }) => profileIds.includes(guest.id));
        const ids = socket.events.flatMap((event) => (event.type === "around" ? event.profileIds : []));
        socket.events.length = 0;
        return [...new Set(ids)].filter((id) => id !== guest.id);
      }),
    );
  }

  it("drops who turns discreet, and notifies only those who see them of what they do then", async () => {
    const [member, viewer, stranger] = [await createHere(NAME), await createHere(), await createHere()];
    const [theirs, strangers] = [
      await openSocket(worker, viewer, { path: SQUARE }),
      await openSocket(worker, stranger, { path: SQUARE }),
    ];
    const both = () => notified([theirs, strangers]);
    await both();
    await beDiscreet(member);
    expect(await both()).toEqual([[member.id], [member.id]]);
    const steps: [what: string, act: () => Promise<unknown>][] = [
      ["a like", () => like(member, viewer)],
      ["a move", () => reportPosition(member, { lat: 48.3, lon: 16.4 })],
      ["hiding", () => reportPosition(member, HERE, { hide: true })],
      ["showing", () => reportPosition(member, HERE, { hide: false })],
      ["the end of the like", () => like(member, viewer, "DISLIKE")],
    ];
    for (const [what, act] of steps) {
      await act();
      expect([what, await both()]).toEqual([what, [[member.id], []]]);
    }
    await like(member, viewer, "UNDETERMINED");
    await reportPosition(member, { lat: 48.3, lon: 16.4 });
    expect(await both()).toEqual([[], []]);
    await like(member, viewer);
    expect(await both()).toEqual([[member.id], []]);
    await member.send("PUT", "/api/profile-like", { likedProfileId: viewer.id, blocked: true });
    expect(await both()).toEqual([[member.id], []]);
    // They never saw each other, so a block tells nothing.
    await member.send("PUT", "/api/profile-like", { likedProfileId: stranger.id, blocked: true });
    expect(await both()).toEqual([[], []]);
    await beDiscreet(member, false);
    expect(await both()).toEqual([[], []]);
    for (const socket of [theirs, strangers]) socket.close();
  });
});
