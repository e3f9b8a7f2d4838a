/** One side of a comparison: all subjects at their first, or all at their second raw position, and whatever others then get. */

import type { TestMember } from "@lambda/testing/member";
import { openSocket, type TestSocket } from "@lambda/testing/socket";
import { HOURLY } from "@lambda/worker/schedule";
import { listDocumentedReads } from "../hiding.ts";
import { withRetry } from "../with-retry.ts";
import { collectAnswers, questions } from "./answers.ts";
import { inLanes, type Pair, putPosition } from "./pairs.ts";
import { readStored, reset, type Stored, type World } from "./world.ts";

/** Concurrent reports; their order does not show. */
const LANES = 12;
const HOUR_MS = 3_600_000;
/** Push headers that sign and date the request. */
const OWN_PUSH_HEADERS = new Set(["authorization", "date"]);
/** Answers that are random each time. */
const DRAWN_ANEW = new Set(["/api/auth/passkey", "/api/proof/passkey", "/api/profile-briefs/news"]);

export interface Sample {
  readonly answers: readonly string[];
  /** What came over the sockets of the one who may see the subject. */
  readonly frames: readonly string[];
}

export interface Side {
  readonly stored: Stored;
  readonly samples: readonly Sample[];
  /** By sample: headers and decrypted bodies. */
  readonly pushes: readonly string[];
  /** What came over the sockets of those who may not: a greeting. */
  readonly silence: string;
}

/** @param samples subjects, by their places, around whom the observers look and who then speak */
export async function runSide(
  world: World,
  pairs: readonly Pair[],
  which: 0 | 1,
  samples: readonly number[],
  now: number,
): Promise<Side> {
  const { worker, subjects, observers, away, service } = world;
  await reset(
    world,
    samples.map((index) => subjects[index]!),
  );
  await inLanes(pairs, LANES, async (pair, index) => {
    const subject = subjects[index]!;
    const { before, precision } = pair;
    if (before) await putPosition(subject, before, { use: "DEVICE_GPS", precision }, now - HOUR_MS);
    await putPosition(subject, pair.raws[which], pair, now);
  });
  await withRetry(() => worker.schedule(HOURLY, now));
  const stored = await readStored(world);
  const [friend, ...others] = observers;
  const open: TestSocket[] = [];
  const connect = async (member: TestMember, path = "/ws") => {
    const socket = await withRetry(() => openSocket(worker, member, { path }));
    open.push(socket);
    return socket;
  };
  const [own, ...deaf] = [await connect(friend), ...(await Promise.all(others.map((member) => connect(member))))];
  const seen: Sample[] = [];
  for (const [place, index] of samples.entries()) {
    const subject = subjects[index]!;
    // The observers stand where the attack is the same on both sides: by the first raw position.
    const [around] = pairs[index]!.raws;
    const beside = { lat: around.lat + (around.lat > 0 ? -0.01 : 0.01), lon: around.lon };
    await Promise.all(
      observers.map((observer) => putPosition(observer, beside, { use: "OVERRIDE", precision: "street" }, now)),
    );
    const area = await connect(friend, "/ws/area");
    for (const observer of others) deaf.push(await connect(observer, "/ws/area"));
    const from = own!.frames.length;
    await speak(subject, friend, away[place]!.member, index, now);
    await Promise.all([
      area.until("broadcast", ({ message }) => message.senderProfileId === subject.id).catch(() => undefined),
      own!.until("message", ({ message }) => message.senderProfileId === subject.id),
      heard(own!, from, 2),
    ]);
    // Where the subject may be told of, of each; all that is documented, of the first, and by the one who may see most.
    const reads = place === 0 ? await withRetry(() => listDocumentedReads(friend, subject.id, around)) : [];
    const comparable = reads.filter((path) => !DRAWN_ANEW.has(path));
    const answers: string[] = [];
    for (const observer of observers) {
      answers.push(...(await collectAnswers(observer, questions(around, subject.id), { now, metered: true })));
    }
    answers.push(...(await collectAnswers(friend, comparable, { now, metered: false })));
    seen.push({ answers, frames: [...area.frames, ...own!.frames.slice(from).sort()] });
  }
  const pushes = await Promise.all(
    samples.map(async (_, place) => {
      const { phone } = away[place]!;
      const push = await service.arrived(phone.path);
      const headers = Object.entries(push.headers).filter(([name]) => !OWN_PUSH_HEADERS.has(name));
      return JSON.stringify([headers, phone.decrypt(push.body)]);
    }),
  );
  const silence = JSON.stringify(deaf.map(({ frames }) => frames));
  for (const socket of open) socket.close();
  return { stored, samples: seen, pushes, silence };
}

/** Resolves when this many frames after `from` have come. */
async function heard(socket: TestSocket, from: number, count: number): Promise<void> {
  await socket.until("notification", () => socket.frames.length >= from + count);
}

/** The subject writes into the map chat, to a friend with a place attached, and to one who is away; and likes the friend. */
async function speak(subject: TestMember, friend: TestMember, away: TestMember, index: number, now: number) {
  const post = async (method: "POST" | "PUT", path: string, body: object) => {
    const answer = await withRetry(() =>
      subject.fetch(path, {
        method,
        headers: { "content-type": "application/json", "x-development-now": String(now) },
        body: JSON.stringify(body),
      }),
    );
    if (!answer.ok) throw new Error(await answer.text());
    await answer.text();
  };
  const position = { type: "position", exact: false };
  await post("POST", "/api/message", { bodyText: `${index}`, clientId: `in-the-map-chat-${index}` });
  await post("POST", "/api/message", {
    ...{
      recipientProfileId: friend.id,
      bodyText: `${index}`,
      clientId: `to-the-friend-${index}`,
      attachment: position,
    },
  });
  await post("POST", "/api/message", {
    recipientProfileId: away.id,
    bodyText: `${index}`,
    clientId: `to-one-away-${index}`,
  });
  await post("PUT", "/api/profile-like", { likedProfileId: friend.id, likeType: "LIKE" });
}
