/**
 * Measures what each route costs a member far from the primary database: milliseconds beyond ping, and round trips by kind. The primary
 * is 120 ms away, the replica and the region's watermark 5 ms. The replica has everything except the reader's own writes.
 */
import { listInputs, listReads } from "@lambda/testing/adversary/read-everything";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { type ReplicaWorker, startReplicaWorker } from "@lambda/testing/replica/worker";
import { PHOENIX, reportPosition } from "@lambda/testing/scenes/positions";
import { seedMembers, seedRelations } from "@lambda/testing/seeded-community";
import { appRouter } from "@lambda/worker/caller";
import { rebuildDensity } from "@lambda/worker/density";
import { printGoal, printLine, quantile, round } from "./figures.ts";
import type { BenchOptions } from "./options.ts";

const MEMBERS = 300;
const TIMES = 7;
const FAR = { primaryMs: 120, replicaMs: 5, watermarkMs: 5 };
const NEAR = { primaryMs: 0, replicaMs: 0, watermarkMs: 0 };
const READ_GOAL_MS = 40;

interface Scene {
  readonly site: ReplicaWorker;
  readonly me: TestMember;
  readonly friend: number;
  readonly nextStranger: () => number;
  readonly picture: number;
}

interface Measured {
  readonly name: string;
  /** The fastest of all requests, which is least affected by other load, and the median. */
  readonly ms: number;
  readonly medianMs: number;
  /** Round trips to the primary, the replica and watermarks, and how often the replica was too old. */
  readonly primary: number;
  readonly replica: number;
  readonly watermark: number;
  readonly waits: number;
}

type Ask = (scene: Scene) => Promise<Response>;

const send =
  (method: "PUT" | "POST" | "DELETE", path: string, body: (scene: Scene) => object): Ask =>
  (scene) =>
    scene.me.send(method, path, body(scene));

const WRITES: Record<string, Ask> = {
  "send a message": send("POST", "/api/message", ({ friend }) => ({ recipientProfileId: friend, bodyText: "Hello" })),
  "mark as read": send("PUT", "/api/messages/read", ({ friend }) => ({ profileId: friend, upToMessageId: 1 })),
  "mark as delivered": send("PUT", "/api/messages/delivered", () => ({ messageIds: [1] })),
  like: send("PUT", "/api/profile-like", ({ nextStranger }) => ({ likedProfileId: nextStranger(), likeType: "LIKE" })),
  "rate a picture": send("PUT", "/api/profile-pic-like", ({ nextStranger }) => ({
    profilePicId: nextStranger(),
    likeType: "LIKE",
  })),
  "report a position at rest": ({ me }) => reportPosition(me, PHOENIX, { use: "DEVICE_GPS" }),
  note: send("PUT", "/api/profile-note", ({ nextStranger }) => ({ aboutProfileId: nextStranger(), bodyText: "Tall." })),
  "edit the profile": send("PUT", "/api/profile", ({ me, nextStranger }) => ({
    id: me.id,
    weight: `${nextStranger() % 90} kg`,
  })),
  "hide and show": (() => {
    let hide = false;
    return ({ me }) => {
      hide = !hide;
      return reportPosition(me, PHOENIX, { use: "DEVICE_GPS", hide });
    };
  })(),
  block: send("PUT", "/api/profile-like", ({ nextStranger }) => ({ likedProfileId: nextStranger(), blocked: true })),
  "Rating Game: draw": send("POST", "/api/games/ratinggame/draw", () => ({})),
};

export async function run({ members = MEMBERS, only, databases = 0 }: BenchOptions): Promise<void> {
  const site = await startReplicaWorker("far-from-home", { messageDatabases: databases });
  try {
    const scene = await makeScene(site, members, databases > 0);
    const ping = await measure(scene, "ping", ({ me }) => me.fetch("/api/ping"));
    const isWanted = (name: string) => !only || only.split(",").some((part) => name.includes(part));
    printLine("ping, with the session's cookie", describe(ping, 0));
    const bare = await measure(scene, "bare ping", ({ site: { worker } }) => worker.fetch("/api/ping"));
    printLine("ping without one", describe(bare, 0));
    console.log("\nread routes: ms beyond the bare ping, fastest of seven; trips to replica, primary, watermark");
    const reads = await measureAll(scene, await readsOf(scene), isWanted, bare.ms);
    console.log("\nwrites");
    const writes = await measureAll(scene, WRITES, isWanted, bare.ms);
    console.log("");
    printGoal("most ms of a read beyond ping", Math.max(...reads.map(({ ms }) => ms - bare.ms)), READ_GOAL_MS);
    printGoal("most trips of a read to the primary", Math.max(...reads.map(({ primary }) => primary)), 0);
    printGoal("most trips of a write to the primary", Math.max(...writes.map(({ primary }) => primary)), 1);
    const mean = (list: readonly Measured[]) => list.reduce((sum, { ms }) => sum + ms - bare.ms, 0) / list.length;
    printLine(
      "mean with the worker near the member: reads, writes",
      `${round(mean(reads))}, ${round(mean(writes))} ms more than ping`,
    );
    printLine(
      "worker near the primary (placement)",
      `${FAR.primaryMs} ms more for each of both, however few its trips`,
    );
  } finally {
    await site.close();
  }
}

/** @param elsewhere puts the friend's messages into a message database, like those of new conversations */
async function makeScene(site: ReplicaWorker, members: number, elsewhere: boolean): Promise<Scene> {
  const { worker } = site;
  await site.configure(NEAR);
  const me = await createMember(worker, { name: "Me" });
  const ownPicture = (await uploadPicture(me)).id;
  const picture = (await uploadPicture(await createMember(worker))).id;
  await seedMembers(worker.run, 0, members);
  const { friend: seeded, nextStranger } = await seedRelations(worker.run, me.id, ownPicture, false);
  const friend = elsewhere ? await createConversation(worker, me) : seeded;
  await reportPosition(me, PHOENIX, { use: "DEVICE_GPS" });
  // A cron job would have built the density within the first hour.
  await rebuildDensity(worker.env.DB);
  await site.configure({ sync: true });
  return { site, me, friend, nextStranger, picture };
}

async function createConversation(worker: ReplicaWorker["worker"], me: TestMember): Promise<number> {
  const friend = await createMember(worker, { name: "Friend" });
  for (let turn = 0; turn < 10; turn += 1) {
    const [from, to] = turn % 2 === 0 ? [me, friend] : [friend, me];
    await from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText: `A text of turn ${turn}` });
  }
  return friend.id;
}

/** All read procedures, each with the input that takes the most round trips, and a picture. */
async function readsOf({ me, friend, picture }: Scene): Promise<Record<string, Ask>> {
  const where = { ...PHOENIX, caseRef: "0".repeat(24), text: "text" };
  const reads: Record<string, Ask> = {};
  for (const procedure of listReads(appRouter)) {
    let tripsMax = -1;
    for (const input of listInputs(procedure, me.id, friend, where)) {
      const path = `/trpc/${procedure.name}?input=${encodeURIComponent(JSON.stringify(input))}`;
      const response = await me.fetch(path);
      const trips = response.ok ? Number(response.headers.get("x-d1-trips")) : 0;
      if (trips > tripsMax) reads[procedure.name] = (scene) => scene.me.fetch(path);
      tripsMax = Math.max(tripsMax, trips);
    }
  }
  return { ...reads, "a picture": (scene) => scene.me.fetch(`/api/profile-pic/${picture}`) };
}

async function measureAll(
  scene: Scene,
  asks: Record<string, Ask>,
  isWanted: (name: string) => boolean,
  pingMs: number,
): Promise<Measured[]> {
  const all: Measured[] = [];
  for (const [name, ask] of Object.entries(asks)) {
    if (!isWanted(name)) continue;
    const measured = await measure(scene, name, ask);
    printLine(name, describe(measured, pingMs));
    all.push(measured);
  }
  return all;
}

/** Makes several requests, each after the previous one's background work, and reports the trips of the most expensive one. */
async function measure(scene: Scene, name: string, ask: Ask): Promise<Measured> {
  const { configure } = scene.site;
  const times: number[] = [];
  let worst = { primary: 0, replica: 0, watermark: 0, waits: 0 };
  for (let time = 0; time <= TIMES; time += 1) {
    await configure(FAR);
    const started = performance.now();
    const response = await ask(scene);
    const ms = performance.now() - started;
    const { watermark, waits } = await configure(NEAR);
    await response.arrayBuffer();
    // Counted by the response's headers, which exclude background work after it.
    const header = (key: string) => Number(response.headers.get(`x-d1-${key}`));
    const primary = header("crossings");
    const counts = { primary, replica: header("trips") - primary, watermark, waits };
    if (response.status >= 500) throw new Error(`${name} responded with ${response.status}`);
    // The first one warms up.
    if (time > 0) times.push(ms);
    if (counts.primary >= worst.primary) worst = counts;
    await new Promise((resolve) => setTimeout(resolve, 50));
    await configure({ sync: true });
  }
  return { name, ms: Math.min(...times), medianMs: quantile(times, 0.5), ...worst };
}

function describe({ ms, medianMs, primary, replica, watermark, waits }: Measured, pingMs: number): string {
  const waited = waits > 0 ? `, ${waits} behind` : "";
  const [quickest, median] = [ms, medianMs].map((value) => String(Math.round(value - pingMs)).padStart(4));
  return `${quickest} ms (median ${median})   ${replica} near, ${primary} far, ${watermark} watermark${waited}`;
}
