/**
 * The database budget of each hot route: billed rows and round trips, including the session's, with full pages, in communities of two
 * sizes. Searches by place have their own budgets (places/positions).
 */
import { ALL_BRANDS_MASK } from "@lambda/brands";
import { POSITION_PUBLISH_MIN_MS, PROFILE_IDS_PER_CALL_MAX } from "@lambda/contract/limits";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { PHOENIX, readCost, reportPosition } from "@lambda/testing/scenes/positions";
import {
  FIRST_SEEDED_ID,
  padAutoincrement,
  type SeededRelations,
  seedMembers,
  seedRelations,
  voteOnEverything,
} from "@lambda/testing/seeded-community";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { squareOfKey } from "../../games/nearby-players.ts";
import { HOURLY } from "../../schedule.ts";

const SIZES = [300, 3000] as const;
const DRAWS = 8;
/** A retried draw reads 110 members for their pictures, at most four rows each, or 90 for their texts, five rows each. */
const RETRY_ROWS_MAX = 500;

interface World extends SeededRelations {
  readonly worker: TestWorker;
  readonly me: TestMember;
  /** Another member's picture, with bytes. */
  readonly picture: number;
}

/** Upper limits. */
type Budget = readonly [rows: number, trips: number];
type RouteCall = (world: World) => Promise<Response>;

const get =
  (path: string | ((world: World) => string)): RouteCall =>
  (world) =>
    world.me.fetch(typeof path === "string" ? path : path(world));
const send =
  (method: "POST" | "PUT", path: string, body: (world: World) => object = () => ({})): RouteCall =>
  (world) =>
    world.me.send(method, path, body(world));

/** Removes the player's packs, so that a draw does not return an open one. */
const deletePacks = ({ me, worker }: World) =>
  worker.env.DB.prepare("delete from game_pack where profile_id = ?").bind(me.id).run();
const draw =
  (game: string): RouteCall =>
  async (world) => {
    await deletePacks(world);
    return world.me.send("POST", `/api/games/${game}/draw`, {});
  };

/** Votes on an item drawn beforehand, so that only the vote is measured. */
const vote =
  (game: string, answer: string): RouteCall =>
  async (world) => {
    const { me } = world;
    const pack = (await (await draw(game)(world)).json()) as { itemId: number }[];
    expect(pack).not.toEqual([]);
    return me.send("POST", `/api/games/${game}/vote`, { itemId: pack[0]!.itemId, answer });
  };

/** Makes the player a carrier for this call, so that nearby players are listed. */
const readAsCarrier: RouteCall = async ({ me, worker }) => {
  const { DB } = worker.env;
  const square = squareOfKey(
    (await DB.prepare("select key from position where profile_id = ?").bind(me.id).first("key"))!,
  );
  await DB.prepare("insert into cooties_player (profile_id, brand, carrier, ts_joined, square) values (?, 1, 1, 1, ?)")
    .bind(me.id, square)
    .run();
  const response = await me.fetch("/api/games/cooties");
  await DB.prepare("delete from cooties_player where profile_id = ?").bind(me.id).run();
  return response;
};

/** A query string with as many members as one call may request. */
const requestedIds = Array.from(
  { length: PROFILE_IDS_PER_CALL_MAX },
  (_, index) => `profileIds=${FIRST_SEEDED_ID + 100 + index}`,
).join("&");

const ROUTES: Record<string, readonly [...Budget, RouteCall]> = {
  session: [56, 2, get("/api/session")],
  // One row for the voice introduction.
  "own profile": [5, 2, get("/api/profiles/mine")],
  "a profile": [5, 2, get(({ friend }) => `/api/profile/${friend}`)],
  // Two rows for the count of Met.
  relation: [8, 2, get(({ friend }) => `/api/profile/${friend}/relation`)],
  "50 pictures of a member": [55, 2, get(({ friend }) => `/api/profile-pics/${friend}`)],
  "own ratings of a member's 50 pictures": [55, 3, get(({ friend }) => `/api/profile-pic-likes/about/${friend}`)],
  "album between two": [10, 2, get(({ friend }) => `/api/album/${friend}`)],
  "picture bytes": [6, 2, get(({ picture }) => `/api/profile-pic/${picture}?scale_x=256`)],

  "likes: liked you": [45, 2, get("/api/profile-briefs/likes/profilelikedyou")],
  "likes: you liked": [45, 2, get("/api/profile-briefs/likes/youlikedprofile")],
  // Two rows for each of 30 tiles and for the one that shows whether there are more: above the goal of 60.
  "likes: your pics": [65, 2, get("/api/profile-briefs/likes/profilelikedyourpics")],
  "likes: their pics": [65, 2, get("/api/profile-briefs/likes/youlikedprofilepics")],
  like: [
    31,
    2,
    send("PUT", "/api/profile-like", ({ nextStranger }) => ({ likedProfileId: nextStranger(), likeType: "LIKE" })),
  ],
  "rate a picture": [
    24,
    3,
    send("PUT", "/api/profile-pic-like", ({ nextStranger }) => ({ profilePicId: nextStranger(), likeType: "LIKE" })),
  ],
  note: [4, 2, get(({ friend }) => `/api/profile-note?aboutProfileId=${friend}`)],
  notes: [45, 2, get("/api/profile-notes")],

  // Three rows for each of 20 pairs: above the goal of 60.
  conversations: [63, 2, get("/api/conversations")],
  history: [24, 2, get(({ me, friend }) => `/api/messages/between/${me.id}/${friend}`)],
  "map chat": [51, 2, get("/api/messages/area")],
  "send a message": [
    35,
    2,
    send("POST", "/api/message", ({ friend }) => ({ recipientProfileId: friend, bodyText: "Hello" })),
  ],
  // Two more for each of five messages, so that at most 500 are marked in one statement.
  "mark as read": [
    38,
    2,
    send("PUT", "/api/messages/read", ({ writer, lastWriterMessageId }) => ({
      profileId: writer,
      upToMessageId: lastWriterMessageId,
    })),
  ],

  notifications: [55, 2, get(({ me }) => `/api/notifications/${me.id}`)],
  settings: [5, 3, get("/api/settings")],
  sessions: [6, 2, get("/api/sessions")],
  blocks: [55, 2, get("/api/blocks")],
  "album grants given": [55, 2, get("/api/album-grants/given")],
  "album grants received": [55, 2, get("/api/album-grants/received")],
  "chat preferences": [4, 2, get("/api/chat-preferences")],
  "notification preferences": [4, 2, get("/api/notification-preferences")],
  "health panel": [4, 2, get("/api/health-panel")],

  "crop tasks": [4, 2, get("/api/games/photocrop")],
  "jury inbox": [4, 3, get("/api/arbitration")],
  // Concurrent; the brand's totals are counted once per isolate.
  "own standing": [10, 6, get("/api/standing")],
  "cooties: not playing": [43, 2, get("/api/games/cooties")],
  "own reports": [3, 2, get("/api/reports/mine")],

  // Only the trips matter here; places/positions tests the rows of searches.
  "nearest, first page": [500, 3, get("/api/profile-briefs/nearest")],
  "members in a box": [
    500,
    3,
    get(
      () =>
        `/api/profile-briefs/by-bounds?latMin=${PHOENIX.lat - 0.01}&latMax=${PHOENIX.lat + 0.01}&lonMin=${PHOENIX.lon - 0.01}&lonMax=${PHOENIX.lon + 0.01}`,
    ),
  ],
  "members in a sector": [
    3500,
    2,
    get(() => `/api/profile-briefs/by-sector/${Math.floor(PHOENIX.lat)}:${Math.floor(PHOENIX.lon)}`),
  ],
  "search of own messages": [1200, 2, get("/api/messages/search?query=hello")],

  // Two rows for each like or position, plus the session's.
  "likes of requested members": [59, 2, get(`/api/profile-likes/among?${requestedIds}`)],
  "briefs of requested members": [87, 2, get(`/api/profile-briefs/by-ids?${requestedIds}`)],
  "distances of requested members": [59, 2, get(`/api/profile-positions/distances?${requestedIds}`)],
  // One row for each who is not new.
  "new among requested members": [32, 2, get(`/api/profile-briefs/new-among?${requestedIds}`)],
  "previews of requested members": [59, 2, get(`/api/profile-pics/previews?${requestedIds}`)],
  "picture likes received": [65, 2, get(({ me }) => `/api/profile-pic-likes/by-liked-profileid/${me.id}`)],
  // Most rows are read by the triggers that maintain presence and drawable_member.
  "edit the profile": [
    75,
    2,
    send("PUT", "/api/profile", ({ me, nextStranger }) => ({ id: me.id, weight: `${nextStranger() % 100} kg` })),
  ],
  // One of them after the response, for members watching the map.
  block: [
    15,
    5,
    send("PUT", "/api/profile-like", ({ nextStranger }) => ({ likedProfileId: nextStranger(), blocked: true })),
  ],
};

/** The result depends on chance or on earlier rounds, so that the most expensive of several calls counts. */
const GAMES: Record<string, readonly [...Budget, RouteCall]> = {
  "Hot! or Not!: draw": [60, 2, send("POST", "/api/games/hotornot/draw")],
  "Rating Game: draw": [60, 3, draw("ratinggame")],
  "GPT Buster: draw": [60, 3, draw("gptbuster")],
  "Identify: draw": [50, 3, send("POST", "/api/games/identify/start")],
  "Rating Game: vote": [60, 3, vote("ratinggame", "safe")],
  "GPT Buster: vote": [60, 3, vote("gptbuster", "bot")],
  "cooties: as a carrier": [110, 3, readAsCarrier],
  "a game's record": [6, 2, get("/api/games/rating/record")],
  credits: [60, 3, get("/api/credits")],
};

/** Planned with the density that the isolate keeps for a while, here of the smaller community. */
const SEARCHES = new Set(["nearest, first page", "members in a box"]);

interface Cost {
  readonly rows: number;
  readonly trips: number;
  /** Round trips to the primary database. */
  readonly crossings: number;
  /** Sequential round trips. */
  readonly rounds: number;
}

/** Calls that write go to the primary once; calls that only read, never. */
const CROSSINGS: Readonly<Record<string, number>> = {
  like: 1,
  "rate a picture": 1,
  "send a message": 1,
  "mark as read": 1,
  "edit the profile": 1,
  block: 1,
};
/** Reads with more than two sequential round trips: which ratings to load depends on the albums. */
const ROUNDS: Readonly<Record<string, number>> = {
  "own ratings of a member's 50 pictures": 3,
  // The density is read before the members.
  "nearest, first page": 3,
  "members in a box": 3,
};

async function measure(world: World, name: string, call: RouteCall): Promise<Cost> {
  const response = await call(world);
  expect(response.ok, `${name}: ${response.status} ${response.ok ? "" : await response.text()}`).toBe(true);
  const header = (key: string) => Number(response.headers.get(`x-d1-${key}`));
  return {
    rows: header("rows-read"),
    trips: header("trips"),
    crossings: header("crossings"),
    rounds: header("rounds"),
  };
}

let world: World;
const costs = new Map<string, Cost[]>();
beforeAll(async () => {
  const worker = await startWorker();
  await padAutoincrement(worker.run);
  const me = await createMember(worker, { name: "Me" });
  const ownPicture = (await uploadPicture(me)).id;
  const picture = (await uploadPicture(await createMember(worker))).id;
  let members = 0;
  for (const size of SIZES) {
    await seedMembers(worker.run, members, size);
    // In the worker, so that its isolate also forgets the density of other tests' communities.
    await worker.runCron(HOURLY);
    world = { worker, me, picture, ...(await seedRelations(worker.run, me.id, ownPicture, members > 0)) };
    // A first answer tells the receipts of up to five messages besides.
    await me.send("POST", "/api/message", { recipientProfileId: world.friend, bodyText: "Hi" });
    // An isolate's first search of an area also reads the density, which places/positions bounds.
    await me.fetch("/api/profile-briefs/nearest");
    members = size;
    const record = (name: string, cost: Cost) => costs.set(name, [...(costs.get(name) ?? []), cost]);
    for (const [name, [, , call]] of Object.entries(ROUTES)) record(name, await measure(world, name, call));
    for (const [name, [, , call]] of Object.entries(GAMES)) {
      for (let draws = 0; draws < DRAWS; draws += 1) record(name, await measure(world, name, call));
    }
  }
}, 240_000);

describe("the budget of each hot route", () => {
  it.each(Object.entries(ROUTES))("%s", (name, [rows, trips]) => {
    const [small, large] = costs.get(name) as [Cost, Cost];
    const text = JSON.stringify({ small, large });
    expect(Math.max(small.rows, large.rows), text).toBeLessThanOrEqual(rows);
    expect(Math.max(small.trips, large.trips), text).toBeLessThanOrEqual(trips);
    if (!SEARCHES.has(name)) {
      expect(large.rows, `ten times the members: ${text}`).toBeLessThanOrEqual(small.rows * 1.1);
    }
  });

  it.each(["a profile", "likes: liked you", "conversations", "history", "nearest, first page", "notifications"])(
    "%s takes one round trip while the isolate knows the session",
    async (name) => {
      const [, , call] = ROUTES[name]!;
      await expect.poll(async () => (await measure(world, name, call)).trips).toBe(1);
    },
  );

  it("crosses to the primary at most once and reads in at most two sequential round trips", () => {
    const measured = Object.keys(ROUTES).map((name) => [name, costs.get(name)?.[1]] as const);
    expect(Object.fromEntries(measured.map(([name, cost]) => [name, cost?.crossings]))).toEqual(
      Object.fromEntries(measured.map(([name]) => [name, CROSSINGS[name] ?? 0])),
    );
    const reads = measured.filter(([name]) => !(name in CROSSINGS));
    expect(reads.filter(([name, cost]) => (cost?.rounds ?? 0) > (ROUNDS[name] ?? 2))).toEqual([]);
  });

  it.each(Object.entries(GAMES))("%s", (name, [rows, trips]) => {
    const measured = costs.get(name) ?? [];
    expect(measured).toHaveLength(SIZES.length * DRAWS);
    const text = JSON.stringify(measured);
    expect(Math.max(...measured.map((cost) => cost.rows)), text).toBeLessThanOrEqual(rows);
    expect(Math.max(...measured.map((cost) => cost.trips)), text).toBeLessThanOrEqual(trips);
    if (name.endsWith("draw")) expect(Math.max(...measured.map((cost) => cost.crossings)), text).toBeLessThanOrEqual(1);
  });
});

/** A message's row and indexes, both members' conversations, and the counters, including those of a pair's first messages. */
const MESSAGE_ROWS_WRITTEN_MAX = 14;

describe("rows written", () => {
  const written = (response: Response) => readCost(response, "rows-written");

  it("are few for a message, and none for a repeated like", async () => {
    const { me, friend, worker } = world;
    const sent = await me.send("POST", "/api/message", { recipientProfileId: friend, bodyText: "Written" });
    expect(written(sent)).toBeGreaterThan(0);
    expect(written(sent)).toBeLessThanOrEqual(MESSAGE_ROWS_WRITTEN_MAX);
    const other = await createMember(worker);
    await me.send("PUT", "/api/profile-like", { likedProfileId: other.id, likeType: "LIKE" });
    const repeated = await me.send("PUT", "/api/profile-like", { likedProfileId: other.id, likeType: "LIKE" });
    expect(written(repeated)).toBe(0);
  });

  it("does not have the session read again for the next message", async () => {
    const { me, friend } = world;
    const send = () => me.send("POST", "/api/message", { recipientProfileId: friend, bodyText: "Next" });
    await expect.poll(async () => readCost(await send(), "trips")).toBe(1);
  });

  it.each([
    ["one brand", 1, 4],
    ["all brands", ALL_BRANDS_MASK, 6],
  ])("for a position listed on %s depend only on the number of brands", async (_, sharedOn, max) => {
    const { worker } = world;
    const member = await createMember(worker, { sharedOn });
    const gps = { use: "DEVICE_GPS" };
    const start = Date.now();
    await reportPosition(member, PHOENIX, gps, start);
    const same = await reportPosition(member, { lat: PHOENIX.lat + 0.0001, lon: PHOENIX.lon }, gps, start + 30_000);
    expect([readCost(same, "trips"), written(same)]).toEqual([1, 0]);
    const later = start + POSITION_PUBLISH_MIN_MS;
    // The session counts as just used, so that marking it does not add to the cost of the report.
    await worker.run({ query: "update session set ts_last_used = ?", values: [later + 1e9] });
    const moved = await reportPosition(member, { lat: PHOENIX.lat + 0.02, lon: PHOENIX.lon }, gps, later);
    expect(readCost(moved, "trips")).toBe(2);
    const degree = await reportPosition(member, { lat: PHOENIX.lat + 1.02, lon: PHOENIX.lon }, gps, later + 1e6);
    const region = await reportPosition(member, { lat: PHOENIX.lat + 1.02, lon: PHOENIX.lon + 40 }, gps, later + 2e6);
    for (const response of [moved, degree, region]) {
      expect(written(response)).toBeGreaterThan(0);
      expect(written(response)).toBeLessThanOrEqual(max);
    }
  });
});

describe("draws", () => {
  it("retry once for a player who has judged everything", async () => {
    await voteOnEverything(world.worker.run, world.me.id);
    await deletePacks(world);
    for (const game of ["ratinggame", "gptbuster", "hotornot"]) {
      const response = await world.me.send("POST", `/api/games/${game}/draw`, {});
      const items = (await response.json()) as { text?: string }[];
      // Texts of known origin belong to no member and may still come.
      expect(items.filter(({ text }) => text === undefined || text.startsWith("A text of my own"))).toEqual([]);
      const read = Number(response.headers.get("x-d1-rows-read"));
      expect(read, game).toBeGreaterThan(60);
      expect(read, game).toBeLessThanOrEqual(RETRY_ROWS_MAX);
    }
  });
});
