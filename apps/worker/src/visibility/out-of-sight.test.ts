/**
 * To the blocked member, a block must look like hiding, being discreet, a suspension, a ban or a deletion, on every
 * call. For each relation that two members can have, the other one goes out of sight in each of the six ways, and every
 * response, list and frame is compared.
 */
import { getBrand } from "@lambda/brands";
import { BATCH_CALLS_MAX, DAY_MS, MET_JOINED_PERIOD_MS, MET_OTHER_CONVERSATIONS_MIN } from "@lambda/contract/limits";
import { ID_RULES } from "@lambda/testing/adversary/id-rules";
import { listInputs, listReads } from "@lambda/testing/adversary/read-everything";
import { fixtures, type World } from "@lambda/testing/adversary/world";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { openSocket } from "@lambda/testing/socket";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { strFromU8, unzipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { appRouter } from "../router.ts";
import { NIGHTLY } from "../schedule.ts";

const READS = listReads(appRouter);
const WAYS = ["hidden", "discreet", "suspended", "banned", "deleted", "blocked"] as const;
type Way = (typeof WAYS)[number];

type Sql = World["sql"];
type Input = Record<string, unknown>;

/** What the viewer holds of one other member. */
interface Pair {
  readonly me: TestMember;
  readonly other: TestMember;
  /** The other's pictures: in their public album and in their private one. */
  readonly picture: number;
  readonly hidden: number;
  readonly sql: Sql;
  readonly worker: TestWorker;
}

interface Prepared {
  /** Messages of the other to the viewer, and of the viewer to them. */
  readonly got?: number;
  readonly sent?: number;
  /** The client id of what was sent. */
  readonly clientId?: string;
  readonly jury?: number;
  readonly suggestion?: number;
}

type Relation = (pair: Pair) => Promise<Prepared>;

async function done(promise: Promise<Response>): Promise<number> {
  const response = await promise;
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} ${response.status}: ${text}`);
  return text === "" ? 0 : ((JSON.parse(text) as { id?: number }).id ?? 0);
}
const like = (from: TestMember, to: TestMember, likeType = "LIKE") =>
  done(from.send("PUT", "/api/profile-like", { likedProfileId: to.id, likeType }));
const write = (from: TestMember, to: TestMember, rest: Input = {}) =>
  done(
    from.send("POST", "/api/message", {
      recipientProfileId: to.id,
      bodyText: `Good evening ${"abcdefgh"[to.id % 8]}${"stuvwxyz"[from.id % 8]}`,
      ...rest,
    }),
  );
const grant = (from: TestMember, to: TestMember) =>
  done(from.send("PUT", "/api/album-grant", { memberProfileId: to.id }));
const ask = (from: TestMember, to: TestMember) =>
  done(from.send("POST", "/api/album-request", { ownerProfileId: to.id }));
const likePicture = (from: TestMember, picture: number) =>
  done(from.send("PUT", "/api/profile-pic-like", { profilePicId: picture, likeType: "LIKE" }));

const addPicture = (sql: Sql, owner: TestMember, audience = "public") =>
  fixtures.picture({ sql } as World, owner.id, audience);

const RELATIONS: Record<string, Relation> = {
  none: async () => ({}),
  "grant given": async ({ me, other }) => ({ got: await grant(me, other) }),
  "grant received": async ({ me, other }) => ({ got: await grant(other, me) }),
  "album asked for": async ({ me, other }) => ({ got: await ask(me, other) }),
  "album asked of the viewer": async ({ me, other }) => ({ got: await ask(other, me) }),
  "message sent": async ({ me, other }) => {
    const clientId = `sent-once-${other.id % 1000}`;
    return { sent: await write(me, other, { clientId }), clientId };
  },
  "message received": async ({ me, other }) => ({ got: await write(other, me) }),
  conversation: async ({ me, other, picture, worker }) => {
    const sent = await write(me, other, { clientId: `talked-${other.id % 1000}` });
    await done(other.send("PUT", "/api/messages/read", { profileId: me.id, upToMessageId: sent }));
    const got = await write(other, me, {
      profilePicIds: [picture],
      attachment: { type: "position", lat: 52.5, lon: 13.4, exact: true },
    });
    await worker.env.DB.prepare("update message set ts_delivered = 1 where id = ?").bind(got).run();
    return { sent, got };
  },
  "album sent in a message": async ({ me, other }) => ({
    sent: await write(me, other, { clientId: `album-${other.id % 1000}`, attachment: { type: "album" } }),
  }),
  "once picture received": async ({ me, other }) => {
    const { id } = await uploadPicture(other, { audience: "once" });
    return { got: await write(other, me, { attachment: { type: "once", pictureId: id } }) };
  },
  like: async ({ me, other }) => ({ got: await like(me, other) }),
  dislike: async ({ me, other }) => ({ got: await like(me, other, "DISLIKE") }),
  "like received": async ({ me, other }) => ({ got: await like(other, me) }),
  match: async ({ me, other }) => {
    await like(me, other);
    return { got: await like(other, me) };
  },
  "picture like": async ({ me, picture }) => ({ got: await likePicture(me, picture) }),
  "picture like received": async ({ me, other, sql }) => {
    await likePicture(other, await addPicture(sql, me));
    return {};
  },
  note: async ({ me, other }) => {
    await done(
      me.send("PUT", "/api/profile-note", { authorProfileId: me.id, aboutProfileId: other.id, bodyText: "Met him" }),
    );
    return {};
  },
  "jury about the other": async ({ me, other, sql }) => {
    const report = await fixtures.report({ sql } as World, other.id, "ember", "jury");
    const jury = await sql(
      "insert into jury (report_id, round, state, ts_opened) values (?, 1, 'open', 1) returning id",
      report,
    );
    await sql(
      "insert into juror (jury_id, profile_id, state, ts_summoned) values (?, ?, 'summoned', ?)",
      jury,
      me.id,
      Date.now(),
    );
    return { jury };
  },
  "reported by the viewer": async ({ me, other }) => {
    await done(
      me.send("POST", "/api/report", { subjectProfileId: other.id, category: "threat", text: "He threatens." }),
    );
    return {};
  },
  games: async ({ me, other, picture, sql }) => {
    await play(sql, me.id, 1);
    await play(sql, other.id, 0);
    await sql("update picture set wants_crop = 1 where id = ?", picture);
    await sql(
      "insert into identify_round values (?, ?, ?, ?, ?)",
      me.id,
      other.id,
      picture,
      JSON.stringify([other.id, other.id - 1, other.id - 2]),
      Date.now(),
    );
    return { suggestion: await fixtures.cropSuggestion({ sql } as World, me.id, other.id) };
  },
};

/** In these the other showed themselves, and so stays in sight while discreet: they hide instead. */
const SHOWN: readonly string[] = [
  "grant received",
  "message received",
  "conversation",
  "once picture received",
  "like received",
  "match",
];

async function play(sql: Sql, id: number, carrier: number): Promise<void> {
  await sql("insert into cooties_player (profile_id, brand, carrier, ts_joined) values (?, 1, ?, 1)", id, carrier);
  await sql(
    "update cooties_player set square = (select key >> 32 from position where profile_id = ?1) where profile_id = ?1",
    id,
  );
}

/** What the other one still does where they can: none of it may show. */
async function actOutOfSight(way: Way, { me, other, picture, sql }: Pair, { got, sent }: Prepared): Promise<void> {
  await other.send("PUT", "/api/messages/delivered", { upToMessageId: 9_000_000 });
  // A discreet member's like shows them, because they want it to.
  const likeType = way === "discreet" ? "DISLIKE" : "LIKE";
  await other.send("PUT", "/api/profile-like", { likedProfileId: me.id, likeType });
  if (sent) await other.send("PUT", "/api/messages/read", { profileId: me.id, upToMessageId: sent });
  const own = got && (await sql("select sender_id from message where id = ?", got)) === other.id;
  if (own) await done(other.send("DELETE", `/api/message/${got}`));
  await other.send("DELETE", `/api/album-request/${me.id}`);
  await done(other.send("PUT", "/api/profile", { description: "Still here" }));
  await done(other.send("PUT", `/api/profile-pic/${picture}`, { nsfw: true }));
}

async function goOutOfSight(way: Way, relation: string, { me, other, sql }: Pair): Promise<void> {
  if (way === "discreet" && !SHOWN.includes(relation)) {
    await done(other.send("PUT", "/api/settings/discreet", { discreet: true }));
  } else if (way === "blocked") {
    await done(other.send("PUT", "/api/profile-like", { likedProfileId: me.id, blocked: true }));
  } else if (way === "hidden" || way === "discreet") {
    await done(
      other.send("PUT", `/api/profile-position/${other.id}`, {
        profileId: other.id,
        session: 1,
        use: "RANDOM",
        hide: true,
      }),
    );
  } else if (way === "deleted") {
    await done(other.send("POST", "/api/account/deletion", {}));
  } else {
    await sql("update profile set status = ? where id = ?", way, other.id);
  }
}

/** Everything that a member can do with another, or with what they have of them; what ends things comes last. */
function actsOf({ other, picture }: Pair, { got, sent, clientId, jury, suggestion }: Prepared): [string, Input][] {
  const id = other.id;
  const text = "Are you there?";
  return [
    ["likes.put", { likedProfileId: id, likeType: "LIKE" }],
    ["likes.put", { likedProfileId: id, likeType: "DISLIKE" }],
    ["likes.put", { likedProfileId: id, blocked: false }],
    ["pictureLikes.put", { profilePicId: picture, likeType: "LIKE" }],
    ["notes.put", { aboutProfileId: id, bodyText: "Where is he?" }],
    ["albums.request", { ownerProfileId: id }],
    ["albums.grant", { memberProfileId: id }],
    ["messages.send", { recipientProfileId: id, bodyText: text }],
    ["messages.send", { recipientProfileId: id, bodyText: text, clientId: clientId ?? `never-${id % 1000}` }],
    ["messages.read", { profileId: id, upToMessageId: got ?? sent ?? 1 }],
    ["messages.read", { messageId: got ?? sent ?? 1, upToMessageId: got ?? sent ?? 1 }],
    ["messages.delivered", { messageIds: [got ?? sent ?? 1] }],
    ["reports.file", { subjectProfileId: id, category: "threat", text: "He threatens me." }],
    ["reports.file", { subjectProfileId: id, category: "spam", source: "picture", sourceId: picture, text: "Spam." }],
    ["reports.file", { subjectProfileId: id, category: "spam", source: "message", sourceId: got ?? 1, text: "Spam." }],
    ["exposure.send", { recipientProfileIds: [id] }],
    ["games.cootiesTag", { profileId: id }],
    ["games.identifyAnswer", { profileId: id }],
    ["games.cropSuggest", { pictureId: picture, x: 0, y: 0, width: 0.5, height: 0.5 }],
    ["games.cropClose", { id: suggestion ?? 1, applied: false }],
    ["arbitration.vote", { juryId: jury ?? 1, verdict: "no_violation", reason: "Rude, but no rule is broken here." }],
    ["messages.react", { id: got ?? 1, reaction: "heart" }],
    ["messages.react", { id: got ?? 1, reaction: null }],
    ["messages.closeOnce", { id: got ?? 1 }],
    ["messages.declinePictures", { id: got ?? 1 }],
    ["messages.remove", { id: got ?? 1, forMe: true }],
    ["messages.remove", { id: sent ?? 1 }],
    ["met.say", { profileId: id }],
    ["met.takeBack", { profileId: id }],
    ["albums.withdraw", { ownerProfileId: id }],
    ["albums.revoke", { memberProfileId: id }],
    ["blocks.undo", { profileId: id }],
    ["likes.put", { likedProfileId: id, blocked: true }],
  ];
}

/** Calls that take only ids of the viewer's own things, or the keys to a plan with a friend. */
const OWN =
  `sessions.end push.unsubscribe profiles.update pictures.arrange pictures.update pictures.delete positions.report
  notifications.delete reports.appeal arbitration.recuse games.ratingVote games.busterVote
  games.requestReview positions.forgetPlaces notices.counter
  passkeys.rename passkeys.remove travel.showTrip travel.removeTrip lockdown.removeSignal
  meets.create meets.status meets.addPosition meets.answer meets.read meets.subscribe voices.update voices.delete
  personCheck.submit personCheck.vote reports.fileCheck`.split(/\s+/);
/** Public or random; they name nobody. */
const PUBLIC = [
  "transparency.summary",
  "transparency.chain",
  "transparency.notices",
  "transparency.case",
  "sessions.list",
  "push.key",
  "settings.get",
];

/**
 * Replaces what is random, counted or timed, and so differs each time. Ids count from a different base in each world,
 * and those of messages carry their time, so only their order is compared.
 */
function normalize(text: string): string {
  const ids: string[] = [];
  return (
    text
      .replace(/(?<!"id":)\b1[6-9]\d{11}\b/g, "TIME")
      // Of messages, and random ones.
      .replace(/\b\d{10,16}\b/g, (id) => {
        if (!ids.includes(id)) ids.push(id);
        return `ID${ids.indexOf(id)}`;
      })
      .replace(/\b[1-8](\d{6})\b/g, "#$1")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replace(/\b([0-9a-f]{24}|[0-9a-f]{64})\b/g, "REF")
      .replace(/"nextCursor":"[\w-]+"/g, '"nextCursor":"SEALED"')
      .replace(/"mark":"[\w-]+"/g, '"mark":"SEALED"')
      .replace(/"challenge":"[\w-]+"/g, '"challenge":"DRAWN"')
  );
}

/** All positions share one key, as random positions would differ between the worlds. */
let sharedKey: number | undefined;
const { lat, lon } = getBrand("ember").firstCity;

type Pairs = readonly (readonly [relation: string, pair: Pair, prepared: Prepared])[];
type Socket = Awaited<ReturnType<typeof openSocket>>;

interface Scene {
  readonly worker: TestWorker;
  readonly me: TestMember;
  readonly stranger: TestMember;
  readonly socket: Socket;
  readonly pairs: Pairs;
}

/** Creates the viewer, a stranger, and a member for each relation. Ids count from a base of their own for each world. */
async function createScene(world: number): Promise<Scene> {
  const worker = await startWorker();
  const { DB } = worker.env;
  const base = world * 1_000_000;
  await DB.exec(
    `delete from sqlite_sequence; insert into sqlite_sequence select name, ${base} from sqlite_master where type = 'table' and sql like '%AUTOINCREMENT%'`,
  );
  const sql: Sql = async (statement, ...values) => {
    const row = await DB.prepare(statement)
      .bind(...values)
      .first<Record<string, number>>();
    return Object.values(row ?? {})[0] ?? 0;
  };
  const me = await joinNearby(worker, sql, "Me");
  const stranger = await joinNearby(worker, sql, "Stranger");
  const socket = await openSocket(worker, me);
  const pairs: [string, Pair, Prepared][] = [];
  for (const [name, prepare] of Object.entries(RELATIONS)) {
    const other = await joinNearby(worker, sql, `Other of ${name}`);
    const [picture, hidden] = [await addPicture(sql, other), await addPicture(sql, other, "private")];
    const pair = { me, other, picture, hidden, sql, worker };
    pairs.push([name, pair, await prepare(pair)]);
  }
  sharedKey ??= await sql("select key from position where profile_id = ?", me.id);
  await sql("update position set key = ?", sharedKey);
  return { worker, me, stranger, socket, pairs };
}

async function joinNearby(worker: TestWorker, sql: Sql, name: string): Promise<TestMember> {
  const email = `${name.toLowerCase().replaceAll(" ", "-")}@example.test`;
  const member = await createMember(worker, { name, email, freshProof: true });
  await sql("update profile set random_order = id % 1000000 where id = ?", member.id);
  await sql("update account set name = 'Anybody' where id = ?", member.id);
  await done(
    member.send("PUT", `/api/profile-position/${member.id}`, {
      profileId: member.id,
      session: 1,
      use: "OVERRIDE",
      overrideLat: lat,
      overrideLon: lon,
      hide: false,
    }),
  );
  return member;
}

/**
 * Lets everybody but the viewer and a stranger go out of sight in one way; returns everything that the viewer is told,
 * by call.
 */
async function observeWorld(way: Way): Promise<Map<string, string>> {
  const { worker, me, stranger, socket, pairs } = await createScene(WAYS.indexOf(way) + 1);
  // The events of the preparation have arrived; from here on the viewer's devices listen.
  await waitForEvents(stranger, me, socket, "before");
  const before = socket.frames.length;
  for (const [relation, pair, prepared] of pairs) {
    await goOutOfSight(way, relation, pair);
    if (way === "hidden" || way === "discreet" || way === "blocked") await actOutOfSight(way, pair, prepared);
  }
  await worker.runCron("* * * * *");

  const responses = new Map<string, string>();
  await readAll(me, pairs, "at first", responses);
  await loadPictures(me, pairs, socket, responses);
  await actOnAll(me, pairs, responses);
  await readAll(me, pairs, "at last", responses);
  await waitForEvents(stranger, me, socket, "after");
  // Frames of different conversations arrive in any order.
  responses.set("frames", normalize(socket.frames.slice(before).toSorted().join("\n")));
  socket.close();
  return responses;
}

/** Makes every call that reads, about every other member, and the export. */
async function readAll(me: TestMember, pairs: Pairs, moment: string, responses: Map<string, string>): Promise<void> {
  const where = { lat, lon, caseRef: "0".repeat(24), text: "evening" };
  const requests = new Map<string, readonly [name: string, input: string]>();
  for (const [relation, { other }] of pairs) {
    for (const read of READS.filter(({ name }) => !PUBLIC.includes(name))) {
      for (const input of listInputs(read, me.id, other.id, where)) {
        const text = JSON.stringify(input);
        if (![...requests.values()].some(([name, before]) => name === read.name && before === text)) {
          requests.set(`${moment}, ${relation}: ${read.name} ${normalize(text)}`, [read.name, text]);
        }
      }
    }
  }
  const calls = [...requests];
  for (let from = 0; from < calls.length; from += BATCH_CALLS_MAX) {
    const chunk = calls.slice(from, from + BATCH_CALLS_MAX);
    const names = chunk.map(([, [name]]) => name).join(",");
    const input = `{${chunk.map(([, [, text]], index) => `"${index}":${text}`).join(",")}}`;
    const response = await me.fetch(`/trpc/${names}?batch=1&input=${encodeURIComponent(input)}`);
    const results = (await response.json()) as unknown[];
    for (const [index, [key]] of chunk.entries()) responses.set(key, normalize(JSON.stringify(results[index])));
  }
  const files = unzipSync(new Uint8Array(await (await me.send("POST", "/api/account/export")).arrayBuffer()));
  for (const [name, bytes] of Object.entries(files)) {
    // Reports are listed by their random numbers.
    const parts = normalize(strFromU8(bytes)).split(/,?\n|(?=<table>|<h2>)/);
    responses.set(`${moment}: export of ${name}`, parts.toSorted().join("\n"));
  }
}

/** Loads everybody's pictures, and sends each of them what a socket can send. */
async function loadPictures(
  me: TestMember,
  pairs: Pairs,
  socket: Socket,
  responses: Map<string, string>,
): Promise<void> {
  const record = async (key: string, promise: Promise<Response>) => {
    const response = await promise;
    const next = response.headers.get("x-next-cursor");
    const type = response.headers.get("content-type") ?? "";
    const body = type.includes("json") ? await response.text() : `${(await response.arrayBuffer()).byteLength} ${type}`;
    responses.set(key, normalize(`${response.status} ${body} ${next}`));
  };
  for (const [name, pair, prepared] of pairs) {
    for (const scale of ["profile-pic", "profile-pic/nsfw"]) {
      await record(`${name}: ${scale}, public`, me.fetch(`/api/${scale}/${pair.picture}`));
      await record(`${name}: ${scale}, private`, me.fetch(`/api/${scale}/${pair.hidden}`));
    }
    socket.send({ type: "typing", toProfileId: pair.other.id });
    socket.send({ type: "delivered", messageIds: [prepared.got ?? 1] });
  }
}

/** One act after the other, each on everybody at once. */
async function actOnAll(me: TestMember, pairs: Pairs, responses: Map<string, string>): Promise<void> {
  const acts = pairs.map(([, pair, prepared]) => actsOf(pair, prepared));
  for (const [step, [call]] of acts[0]!.entries()) {
    const inputs = acts.map((own) => own[step]![1]);
    const path = `/trpc/${inputs.map(() => call).join(",")}?batch=1`;
    const results = (await (await me.send("POST", path, { ...inputs })).json()) as unknown[];
    for (const [index, [relation]] of pairs.entries()) {
      const input = normalize(JSON.stringify(inputs[index]));
      responses.set(`${relation}: ${call} ${input}`, normalize(JSON.stringify(results[index])));
    }
  }
}

/** Waits for a message; everything that was sent before it has then arrived. */
async function waitForEvents(stranger: TestMember, me: TestMember, socket: Socket, bodyText: string): Promise<void> {
  const id = await write(stranger, me, { bodyText });
  await socket.waitFor("message", ({ message }) => message.id === id);
}

describe("a member who went out of sight", () => {
  const worlds = new Map<Way, Map<string, string>>();
  beforeAll(async () => {
    for (const way of WAYS) worlds.set(way, await observeWorld(way));
  }, 600_000);

  it("is covered for every call that takes another member's id", () => {
    const pair = { other: { id: 1 }, picture: 1 } as Pair;
    const acts = actsOf(pair, { clientId: "once" }).map(([name]) => name);
    const covered = new Set([...acts, ...READS.map(({ name }) => name), ...OWN]);
    expect(Object.keys(ID_RULES).filter((name) => ID_RULES[name]?.as !== "admin" && !covered.has(name))).toEqual([]);
  });

  it.each(WAYS.slice(1))("looks the same, to the byte, when %s as when hidden", (way) => {
    const hidden = worlds.get("hidden")!;
    const other = worlds.get(way)!;
    const differ = [...hidden].filter(([key, text]) => other.get(key) !== text);
    expect(differ.map(([key, text]) => ({ key, hidden: text, [way]: other.get(key) }))).toEqual([]);
    expect(other.size).toBe(hidden.size);
  });
});

/** The other comes back into sight, after which nothing may tell how they were out of it. */
async function comeBack(way: Way, { me, other, sql }: Pair): Promise<void> {
  if (way === "blocked") await done(other.send("DELETE", `/api/block/${me.id}`));
  else {
    // As a block does.
    await other.send("DELETE", `/api/album-grant/${me.id}`);
    await sql("delete from notification where profile_id = ? and about_id = ?", other.id, me.id);
    await done(
      other.send("PUT", `/api/profile-position/${other.id}`, {
        profileId: other.id,
        session: 1,
        use: "OVERRIDE",
        overrideLat: lat,
        overrideLon: lon,
        hide: false,
      }),
    );
  }
  await sql("update position set key = ?, ts_published = 1 where profile_id = ?", sharedKey!, other.id);
}

async function observeReturn(way: Way): Promise<Map<string, string>> {
  const { worker, me, stranger, socket, pairs } = await createScene(way === "hidden" ? 7 : 8);
  await waitForEvents(stranger, me, socket, "before");
  const before = socket.frames.length;
  for (const [relation, pair] of pairs) await goOutOfSight(way, relation, pair);
  await worker.runCron("* * * * *");
  for (const [, pair] of pairs) await comeBack(way, pair);
  const responses = new Map<string, string>();
  await readAll(me, pairs, "back", responses);
  await loadPictures(me, pairs, socket, responses);
  for (const [relation, , { got }] of pairs) {
    const opened = await me.send("POST", `/api/message/${got ?? 1}/open`, { opening: "an-opening-of-this-device" });
    responses.set(`${relation}: open`, `${opened.status} ${opened.headers.get("content-type")}`);
  }
  await waitForEvents(stranger, me, socket, "after");
  responses.set("frames", normalize(socket.frames.slice(before).toSorted().join("\n")));
  socket.close();
  return responses;
}

it("looks the same, to the byte, after a block was undone as after hiding", {
  tags: "slow",
  timeout: 600_000,
}, async () => {
  const [hidden, blocked] = [await observeReturn("hidden"), await observeReturn("blocked")];
  const differ = [...hidden].filter(([key, text]) => blocked.get(key) !== text);
  expect(differ.map(([key, text]) => ({ key, hidden: text, blocked: blocked.get(key) }))).toEqual([]);
  expect(blocked.size).toBe(hidden.size);
});

it("who said of the viewer that the pictures are real no longer counts, alike in each way and not before the day of the count", async () => {
  const worker = await startWorker();
  const run = (query: string, ...values: unknown[]) =>
    worker.env.DB.prepare(query)
      .bind(...values)
      .run();
  const count = async () => {
    await run("update met_shown set ts_next = 1");
    await worker.runCron(NIGHTLY);
  };
  const friends = await Promise.all(Array.from({ length: MET_OTHER_CONVERSATIONS_MIN }, () => createMember(worker)));
  const viewer = await createMember(worker);
  const worlds: { way: Way; me: TestMember; other: TestMember }[] = [];
  for (const way of WAYS) {
    const me = await createMember(worker);
    const { id: picture, version } = await uploadPicture(me);
    const others: TestMember[] = [];
    for (let period = 1; period <= 3; period += 1) {
      const created = Date.now() - 300 * DAY_MS + period * MET_JOINED_PERIOD_MS;
      const other = await createMember(worker, { created, network: period, freshProof: true });
      for (const friend of friends)
        await run(
          "insert into message_pair (low_id, high_id, low_count, high_count) values (?, ?, 3, 3)",
          friend.id,
          other.id,
        );
      for (const [author, about] of [
        [me, other],
        [other, me],
      ] as const)
        await run("insert into met values (?, ?, ?, ?)", author.id, about.id, `["${picture}.${version}"]`, Date.now());
      others.push(other);
    }
    await run("insert into met_shown (profile_id, viewer_id, ts_next) values (?1, ?1, 1)", me.id);
    worlds.push({ way, me, other: others[0]! });
  }
  const read = () =>
    Promise.all(
      worlds.map(async ({ me }) => [
        await (await me.fetch("/api/met")).text(),
        (await viewer.get<{ metBy: number }>(`/api/profile/${me.id}/relation`)).metBy,
      ]),
    );
  await count();
  expect(await read()).toEqual(WAYS.map(() => ['{"metBy":3}', 3]));
  const sql: Sql = async (query, ...values) =>
    Object.values((await run(query, ...values)).results[0] ?? {})[0] as number;
  for (const { way, me, other } of worlds)
    await goOutOfSight(way, "conversation", { me, other, picture: 0, hidden: 0, sql, worker });
  expect(await read()).toEqual(WAYS.map(() => ['{"metBy":3}', 3]));
  await count();
  expect(await read()).toEqual(WAYS.map(() => ['{"metBy":0}', 0]));
});
