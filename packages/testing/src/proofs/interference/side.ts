/** One side of a comparison: all subjects report their first, or all their second raw position, and others observe. */

import { HOUR_MS } from "@lambda/contract/limits";
import { HOURLY } from "@lambda/worker/schedule";
import type { TestMember } from "../../member.ts";
import { openSocket, type TestSocket } from "../../socket.ts";
import { listDocumentedReads } from "../hiding.ts";
import { withRetry } from "../with-retry.ts";
import { type Pair, putPosition, runInLanes } from "./pairs.ts";
import { collectResponses, listRequests } from "./responses.ts";
import { readStored, reset, type Stored, type World } from "./world.ts";

/** Concurrent reports. */
const LANES = 12;
/** Push headers that differ for each request. */
const VARYING_PUSH_HEADERS = new Set(["authorization", "date"]);
/** Routes with random responses. */
const RANDOM_ROUTES = new Set(["/api/auth/passkey", "/api/proof/passkey", "/api/profile-briefs/news"]);

export interface Sample {
  readonly answers: readonly string[];
  /** Frames on the sockets of the observer who may see the subject. */
  readonly frames: readonly string[];
}

export interface Side {
  readonly stored: Stored;
  readonly samples: readonly Sample[];
  /** Headers and decrypted body of each sample's push. */
  readonly pushes: readonly string[];
  /** Frames on the sockets of observers who may not see the subject: only greetings. */
  readonly silence: string;
}

/** @param samples number of subjects whom observers look at, and who then send messages */
export async function runSide(
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
