/**
 * Compares pairs of raw positions in one cell. After reporting either one, other accounts must receive identical bytes (responses with
 * headers, socket frames, pushes), and the stored rows must be identical, too.
 */
import { HOUR_MS } from "@lambda/contract/limits";
import type { Point } from "@lambda/geo/distance";
import { latticesOf } from "@lambda/worker/lattices";
import { HOURLY } from "@lambda/worker/schedule";
import type { TestMember } from "../../member.ts";
import type { PushService } from "../../push-service.ts";
import { type Random, seededRandom } from "../../random.ts";
import { openSocket, type TestSocket } from "../../socket.ts";
import type { TestWorker } from "../../worker.ts";
import { listDocumentedReads } from "../hiding.ts";
import { withRetry } from "../with-retry.ts";
import { drawPair, isNearPunishingCountry, type Pair, putPosition, runInLanes } from "./pairs.ts";
import { makeWorld, readStored, reset, type Stored, type World } from "./world.ts";

/** Headers that differ for each request. */
const VARYING_HEADERS = new Set(["date", "cf-ray", "x-d1-duration", "x-request-id"]);

/** Requests by other accounts that may depend on a member's position. */
function listRequests({ lat, lon }: Point, subject: number): string[] {
  const box = (half: number) =>
    `latMin=${Math.max(-90, lat - half)}&latMax=${Math.min(90, lat + half)}&lonMin=${Math.max(-180, lon - half)}&lonMax=${Math.min(180, lon + half)}`;
  const sector = `${Math.min(89, Math.floor(lat))}:${Math.floor(lon)}`;
  return [
    "/api/profile-briefs/nearest",
    "/api/profile-briefs/nearest?size=2&page=1",
    "/api/profile-briefs/nearest?maxDistanceMeters=400",
    "/api/profile-briefs/nearest?characteristics=coffee&ageMin=20",
    `/api/profile-briefs/by-bounds?${box(0.002)}`,
    `/api/profile-briefs/by-bounds?${box(0.3)}&size=3`,
    `/api/profile-briefs/by-sector/${sector}`,
    `/api/profile-positions/distances?profileIds=${subject}`,
    `/api/profile-briefs/by-ids?profileIds=${subject}`,
    "/api/profile-positions/aggregates",
    `/api/profile-positions/aggregates?${box(2)}&most=100`,
    `/api/profile/${subject}`,
    `/api/profile-position/${subject}`,
    "/api/notifications/mine",
    "/api/conversations",
    `/api/messages/most-recent-with/${subject}`,
    `/api/messages/by-sector/${sector}`,
  ];
}

/** Headers with the development build's counters, which also depend on caches of the isolate. */
const METER = /^x-d1-/;

/**
 * Requests the paths one after the other, so that the isolate's caches do not depend on timing. Returns each path with its status,
 * headers and body.
 *
 * @param metered whether to include the counters of database work
 */
async function collectResponses(
  observer: TestMember,
  paths: readonly string[],
  { now, metered }: { now: number; metered: boolean },
): Promise<string[]> {
  const responses: string[] = [];
  for (const path of paths) {
    const response = await withRetry(() => observer.fetch(path, { headers: { "x-development-now": String(now) } }));
    const headers = [...response.headers].filter(
      ([name]) => !VARYING_HEADERS.has(name) && (metered || !METER.test(name)),
    );
    responses.push(`${path} ${response.status} ${JSON.stringify(headers)} ${await response.text()}`);
  }
  return responses;
}

/** Concurrent reports. */
const LANES = 12;
/** Push headers that differ for each request. */
const VARYING_PUSH_HEADERS = new Set(["authorization", "date"]);
/** Routes with random responses. */
const RANDOM_ROUTES = new Set(["/api/auth/passkey", "/api/proof/passkey", "/api/profile-briefs/news"]);

interface Sample {
  readonly answers: readonly string[];
  /** Frames on the sockets of the observer who may see the subject. */
  readonly frames: readonly string[];
}

interface Side {
  readonly stored: Stored;
  readonly samples: readonly Sample[];
  /** Headers and decrypted body of each sample's push. */
  readonly pushes: readonly string[];
  /** Frames on the sockets of observers who may not see the subject: only greetings. */
  readonly silence: string;
}

/** @param samples number of subjects whom observers look at, and who then send messages */
async function runSide(
  world: World,
  pairs: readonly Pair[],
  which: 0 | 1,
  samples: number,
  now: number,
): Promise<Side> {
  const { worker, subjects, observers, away, service } = world;
  await reset(world, subjects.slice(0, samples));
  await runInLanes(pairs, LANES, async (pair, index) => {
    const subject = subjects[index]!;
    const { previous, precision } = pair;
    if (previous) await putPosition(subject, previous, { use: "DEVICE_GPS", precision }, now - HOUR_MS);
    await putPosition(subject, pair.raws[which], pair, now);
  });
  await withRetry(() => worker.runCron(HOURLY, now));
  const stored = await readStored(world);
  const [friend, ...others] = observers;
  const open: TestSocket[] = [];
  const connect = async (member: TestMember, path = "/ws") => {
    const socket = await withRetry(() => openSocket(worker, member, { path }));
    open.push(socket);
    return socket;
  };
  const own = await connect(friend);
  const otherSockets = await Promise.all(others.map((member) => connect(member)));
  const seen: Sample[] = [];
  for (const [index, subject] of subjects.slice(0, samples).entries()) {
    // The observers are near the first raw position on both sides, so that they make the same requests.
    const [around] = pairs[index]!.raws;
    const nearby = { lat: around.lat + (around.lat > 0 ? -0.01 : 0.01), lon: around.lon };
    await Promise.all(
      observers.map((observer) => putPosition(observer, nearby, { use: "OVERRIDE", precision: "street" }, now)),
    );
    const area = await connect(friend, "/ws/area");
    for (const observer of others) otherSockets.push(await connect(observer, "/ws/area"));
    const from = own.frames.length;
    await sendMessages(subject, friend, away[index]!.member, index, now);
    await Promise.all([
      area.waitFor("broadcast", ({ message }) => message.senderProfileId === subject.id).catch(() => undefined),
      own.waitFor("message", ({ message }) => message.senderProfileId === subject.id),
      waitForFrames(own, from, 2),
    ]);
    // All observers request what may show the subject; the friend also requests all documented routes for the first sample.
    const reads = index === 0 ? await withRetry(() => listDocumentedReads(friend, subject.id, around)) : [];
    const comparable = reads.filter((path) => !RANDOM_ROUTES.has(path));
    const answers: string[] = [];
    for (const observer of observers) {
      const paths = listRequests(around, subject.id);
      // The first time fills the isolate's cache of densities.
      await collectResponses(observer, paths, { now, metered: false });
      answers.push(...(await collectResponses(observer, paths, { now, metered: true })));
    }
    answers.push(...(await collectResponses(friend, comparable, { now, metered: false })));
    seen.push({ answers, frames: [...area.frames, ...own.frames.slice(from).sort()] });
  }
  const pushes = await Promise.all(
    away.slice(0, samples).map(async ({ phone }) => {
      const push = await service.waitForPush(phone.path);
      const headers = Object.entries(push.headers).filter(([name]) => !VARYING_PUSH_HEADERS.has(name));
      return JSON.stringify([headers, phone.decrypt(push.body)]);
    }),
  );
  const silence = JSON.stringify(otherSockets.map(({ frames }) => frames));
  for (const socket of open) socket.close();
  return { stored, samples: seen, pushes, silence };
}

/** Waits until `count` frames after the first `from` have arrived. */
async function waitForFrames(socket: TestSocket, from: number, count: number): Promise<void> {
  await socket.waitFor("notification", () => socket.frames.length >= from + count);
}

/** The subject writes in the map chat, to a friend with a position attached, and to an offline member, and likes the friend. */
async function sendMessages(subject: TestMember, friend: TestMember, away: TestMember, index: number, now: number) {
  const post = async (method: "POST" | "PUT", path: string, body: object) => {
    const response = await withRetry(() =>
      subject.fetch(path, {
        method,
        headers: { "content-type": "application/json", "x-development-now": String(now) },
        body: JSON.stringify(body),
      }),
    );
    if (!response.ok) throw new Error(await response.text());
    await response.text();
  };
  const position = { type: "position", exact: false };
  await post("POST", "/api/message", { bodyText: `${index}`, clientId: `in-the-map-chat-${index}` });
  await post("POST", "/api/message", {
    recipientProfileId: friend.id,
    bodyText: `${index}`,
    clientId: `to-the-friend-${index}`,
    attachment: position,
  });
  await post("POST", "/api/message", {
    recipientProfileId: away.id,
    bodyText: `${index}`,
    clientId: `to-one-away-${index}`,
  });
  await post("PUT", "/api/profile-like", { likedProfileId: friend.id, likeType: "LIKE" });
}

export interface Comparison {
  readonly answers: number;
  readonly frames: number;
  readonly pushes: number;
  /** What tells the two sides apart: its kind, and where the texts begin to differ. */
  readonly differences: readonly (readonly [kind: "row" | "database" | "answers" | "frames" | "push", text: string])[];
}

/**
 * @param place draws a raw position
 * @param samples number of pairs for which the view of other accounts is compared
 * @param apart degrees between the two positions of a pair: 0 for the proof, more for the control that must differ
 */
export async function compareSides(
  worker: TestWorker,
  service: PushService,
  place: (random: Random) => Point,
  { pairs, samples, apart = 0 }: { pairs: number; samples: number; apart?: number },
): Promise<Comparison> {
  const random = seededRandom(17);
  const world = await makeWorld(worker, service, { subjects: pairs, phones: samples });
  const drawn = world.subjects.map(({ id, email }, index) => {
    const { own } = latticesOf(worker.env, { id, email, lattice_seed: null, lattices: null });
    for (;;) {
      const pair = drawPair(place, random, apart, own);
      // Members are hidden in punishing countries, where the others would see nothing to compare.
      if (index >= samples || !pair.raws.some(isNearPunishingCountry)) return pair;
    }
  });
  const now = Date.now();
  const one = await runSide(world, drawn, 0, samples, now);
  const other = await runSide(world, drawn, 1, samples, now);
  const kinds = [
    ["row", one.stored.bySubject, other.stored.bySubject],
    ["database", [one.stored.everything], [other.stored.everything]],
    [
      "answers",
      one.samples.map(({ answers }) => answers.join("\n")),
      other.samples.map(({ answers }) => answers.join("\n")),
    ],
    [
      "frames",
      one.samples.map(({ frames }) => frames.join("\n")),
      other.samples.map(({ frames }) => frames.join("\n")),
    ],
    ["frames", [one.silence], [other.silence]],
    ["push", one.pushes, other.pushes],
  ] as const;
  return {
    answers: one.samples.reduce((sum, { answers }) => sum + answers.length, 0),
    frames: one.samples.reduce((sum, { frames }) => sum + frames.length, 0),
    pushes: one.pushes.length,
    differences: kinds.flatMap(([kind, texts, others]) =>
      texts.flatMap((text, index) => {
        const another = others[index] ?? "";
        return text === another ? [] : [[kind, excerptOf(text, another)] as const];
      }),
    ),
  };
}

function excerptOf(text: string, other: string): string {
  let index = 0;
  while (text[index] === other[index]) index += 1;
  const from = Math.max(0, index - 80);
  return `${text.slice(from, index + 80)} | ${other.slice(from, index + 80)}`;
}
