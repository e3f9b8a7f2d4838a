/**
 * Reads from a replica that may lag for any time: a member who goes out of sight is out of sight from the next request
 * on, and members read their own writes. Every response of the replica is compared with the primary's.
 */
import { getBrand } from "@lambda/brands";
import { BATCH_CALLS_MAX } from "@lambda/contract/limits";
import { listInputs, listReads } from "@lambda/testing/adversary/read-everything";
import { createMember, logIn, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { type ReplicaWorker, startReplicaWorker } from "@lambda/testing/replica/worker";
import { openSocket } from "@lambda/testing/socket";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { appRouter } from "../router.ts";

const READS = listReads(appRouter);
const ELSEWHERE = { "x-development-region": "oc" };
const TEXT = "An evening by the river";

let site: ReplicaWorker;
let me: TestMember;
let other: TestMember;
let pictures: { readonly shown: number; readonly album: number };
let messageId: number;

beforeAll(async () => {
  site = await startReplicaWorker("lagging-replica");
});
afterAll(() => site.close());

async function done(promise: Promise<Response>): Promise<Response> {
  const response = await promise;
  expect(response.ok, `${response.status} ${response.ok ? "" : await response.clone().text()}`).toBe(true);
  return response;
}

/** Makes a change from another region. */
const sendFromAfar = (member: TestMember, method: "PUT" | "POST" | "DELETE", path: string, body?: object) =>
  done(
    member.fetch(path, {
      method,
      headers: { "content-type": "application/json", ...ELSEWHERE },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );

const report = (member: TestMember, hide?: boolean) => {
  const { lat, lon } = getBrand("ember").firstCity;
  return sendFromAfar(member, "PUT", `/api/profile-position/${member.id}`, {
    profileId: member.id,
    use: "OVERRIDE",
    overrideLat: lat,
    overrideLon: lon,
    ...(hide !== undefined && { hide }),
  });
};

/** Two members who share everything that can be shared; the replica has all of it. */
beforeEach(async () => {
  await site.configure({ watermark: "up", replica: "lags" });
  const { worker } = site;
  [me, other] = [
    await createMember(worker, { name: "Me" }),
    await createMember(worker, { name: `Other ${TEXT}`, freshProof: true }),
  ];
  for (const member of [me, other]) await report(member, false);
  const shown = (await uploadPicture(other)).id;
  const album = (await uploadPicture(other, { audience: "private" })).id;
  pictures = { shown, album };
  await sendFromAfar(other, "PUT", "/api/profile-like", { likedProfileId: me.id, likeType: "LIKE" });
  await sendFromAfar(me, "PUT", "/api/profile-like", { likedProfileId: other.id, likeType: "LIKE" });
  const message = { bodyText: TEXT, attachment: { type: "album" } };
  const sent = await sendFromAfar(other, "POST", "/api/message", { recipientProfileId: me.id, ...message });
  messageId = ((await sent.json()) as { id: number }).id;
  await sendFromAfar(me, "PUT", "/api/profile-note", { aboutProfileId: other.id, bodyText: TEXT });
  await site.configure({ sync: true });
  // The watermark has read the primary; from here on it knows only what it is told.
  await me.fetch("/api/session");
});

/** The responses of all calls that read, as `by` gets them in their own region. */
async function readAll(by: TestMember): Promise<Map<string, string>> {
  const { lat, lon } = getBrand("ember").firstCity;
  const where = { lat, lon, caseRef: "0".repeat(24), text: TEXT };
  const requests = new Map<string, readonly [name: string, input: string]>();
  for (const read of READS) {
    for (const input of listInputs(read, by.id, other.id, where)) {
      const text = JSON.stringify(input);
      requests.set(`${read.name} ${text}`, [read.name, text]);
    }
  }
  const responses = new Map<string, string>();
  const calls = [...requests];
  for (let start = 0; start < calls.length; start += BATCH_CALLS_MAX) {
    const chunk = calls.slice(start, start + BATCH_CALLS_MAX);
    const names = chunk.map(([, [name]]) => name).join(",");
    const input = `{${chunk.map(([, [, text]], index) => `"${index}":${text}`).join(",")}}`;
    const response = await by.fetch(`/trpc/${names}?batch=1&input=${encodeURIComponent(input)}`);
    const results = (await response.json()) as unknown[];
    for (const [index, [key]] of chunk.entries()) responses.set(key, normalize(JSON.stringify(results[index])));
  }
  for (const id of Object.values(pictures)) {
    for (const path of [`/api/profile-pic/${id}`, `/api/profile-pic/nsfw/${id}`]) {
      const response = await by.fetch(path);
      responses.set(path, `${response.status} ${(await response.arrayBuffer()).byteLength}`);
    }
  }
  const upgrade = await by.fetch("/ws/area", { headers: { upgrade: "websocket" } });
  responses.set("/ws/area", String(upgrade.status));
  return responses;
}

/** Replaces what is random, encrypted or a timestamp, and so differs each time. */
const normalize = (text: string) =>
  text.replace(/"(nextCursor|challenge)":"[\w-]+"/g, '"$1":"RANDOM"').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");

/**
 * The calls whose response differs from the primary's; `waits` counts the round trips for which the replica was too
 * old.
 */
async function compare(by: TestMember): Promise<{ outdated: string[]; waits: number }> {
  await site.takeCounts();
  const near = await readAll(by);
  const { waits } = await site.configure({ replica: "current" });
  const truth = await readAll(by);
  await site.configure({ replica: "lags" });
  const outdated = [...truth].filter(([key, text]) => near.get(key) !== text).map(([key]) => key.split(" ")[0]!);
  return { outdated, waits };
}

const REDUCTIONS: Record<string, () => Promise<unknown>> = {
  "a hide": () => report(other, true),
  "a block": () => sendFromAfar(other, "PUT", "/api/profile-like", { likedProfileId: me.id, blocked: true }),
  "the viewer's own block": () =>
    sendFromAfar(me, "PUT", "/api/profile-like", { likedProfileId: other.id, blocked: true }),
  "a revoked album": () => sendFromAfar(other, "DELETE", `/api/album-grant/${me.id}`),
  "an unsent message": () => sendFromAfar(other, "DELETE", `/api/message/${messageId}`),
  "a removed picture": () => sendFromAfar(other, "DELETE", `/api/profile-pic/${pictures.shown}`),
  "a withdrawn like": () =>
    sendFromAfar(other, "PUT", "/api/profile-like", { likedProfileId: me.id, likeType: "DISLIKE" }),
  "a changed name": () => sendFromAfar(other, "PUT", "/api/profile", { id: other.id, profilename: "Nobody" }),
  "an arrival in a country where members are hidden": () =>
    sendFromAfar(other, "PUT", `/api/profile-position/${other.id}`, {
      profileId: other.id,
      use: "DEVICE_GPS",
      gpsLat: 24.7,
      gpsLon: 46.7,
    }),
  "a suspension": async () => {
    const admin = await createMember(site.worker, { adminBrand: "*", hidden: true });
    await sendFromAfar(admin, "POST", "/api/admin/action", {
      subjectProfileId: other.id,
      kind: "suspend",
      rule: "spam",
      reason: "Spam",
      days: 3,
    });
  },
  "a deleted account": () => sendFromAfar(other, "POST", "/api/account/deletion", {}),
};

describe("from the next request on", () => {
  it.each(Object.entries(REDUCTIONS))("%s takes effect for everybody, on every call", async (_, reduce) => {
    await reduce();
    const { outdated, waits } = await compare(me);
    expect(outdated).toEqual([]);
    // The replica itself stayed behind, for the sessions of all requests and for what each read.
    expect(waits).toBeGreaterThan(2 * Math.ceil(READS.length / BATCH_CALLS_MAX));
  });

  it.each(Object.entries(REDUCTIONS))(
    "%s would be missed by replicas without a watermark",
    { tags: "slow" },
    async (_, reduce) => {
      await site.configure({ watermark: "stale" });
      await reduce();
      expect((await compare(me)).outdated).not.toEqual([]);
    },
  );

  it("an ended session is rejected everywhere: for calls, pictures and sockets", async () => {
    const second = await logIn(site.worker, me.id);
    await site.configure({ sync: true });
    expect((await second.fetch("/api/conversations")).status).toBe(200);
    await sendFromAfar(me, "DELETE", "/api/sessions");
    for (const member of [me, second]) {
      for (const path of ["/api/conversations", `/api/profile-pic/${pictures.shown}`, "/ws"]) {
        expect((await member.fetch(path, { headers: { upgrade: "websocket" } })).status, path).toBe(401);
      }
    }
  });

  it("a locked session opens nothing without its secret, until its lock is turned off", async () => {
    const unlocked = me.withCookie(`__Host-unlocked=${"a".repeat(43)}`);
    const statuses = async () => {
      const paths = ["/api/settings", `/api/profile-pic/${pictures.shown}`];
      return Promise.all(paths.map(async (path) => (await me.fetch(path)).status));
    };
    expect(await statuses()).toEqual([200, 200]);
    await sendFromAfar(unlocked, "PUT", "/api/session/lock", { on: true });
    expect(await statuses()).toEqual([401, 401]);
    await site.configure({ sync: true });
    await sendFromAfar(unlocked, "PUT", "/api/session/lock", { on: false });
    expect(await statuses()).toEqual([200, 200]);
  });

  it("everything takes effect where no watermark responds, because the primary is read", async () => {
    await site.configure({ watermark: "down" });
    await report(other, true);
    expect((await compare(me)).outdated).toEqual([]);
  }, 60_000);
});

describe("a member", () => {
  it("reads from the replica what has not changed", async () => {
    const costOfReading = async () => {
      await site.takeCounts();
      await me.get("/api/conversations");
      return site.takeCounts();
    };
    // The count includes what runs in queues meanwhile. The session is not read again in the next seconds.
    const replica = expect.toBeOneOf([1, 2]);
    await expect.poll(costOfReading).toEqual({ primary: 0, replica, waits: 0, watermark: 1 });
  });

  it("reads their own writes, in every tab and after a new login", async () => {
    const third = await createMember(site.worker, { name: "Third" });
    await site.configure({ sync: true });
    const bodyText = "Written just now";
    await done(me.send("POST", "/api/message", { recipientProfileId: other.id, bodyText }));
    const history = `/api/messages/between/${me.id}/${other.id}`;
    expect(JSON.stringify(await me.get(history))).toContain(bodyText);
    // This one is stored in the one round trip that checks everything, in the primary.
    const next = { recipientProfileId: other.id, bodyText: "And another" };
    const { headers } = await done(me.send("POST", "/api/message", next));
    expect([headers.get("x-d1-trips"), headers.get("x-d1-crossings")]).toEqual(["1", "1"]);
    expect(JSON.stringify(await me.get(history))).toContain(next.bodyText);
    expect((await compare(me)).outdated).toEqual([]);
    // Another member's request does not wait.
    const waitsOfReading = async () => {
      await site.takeCounts();
      await third.get("/api/conversations");
      return (await site.takeCounts()).waits;
    };
    await expect.poll(waitsOfReading).toBe(0);
  });

  it("reads what their device was just notified of", async () => {
    const socket = await openSocket(site.worker, me);
    const sent = await sendFromAfar(other, "POST", "/api/message", {
      recipientProfileId: me.id,
      bodyText: "Are you there?",
    });
    const { id } = (await sent.json()) as { id: number };
    await socket.waitFor("message", ({ message }) => message.id === id);
    expect((await compare(me)).outdated).toEqual([]);
    await sendFromAfar(other, "PUT", "/api/profile-like", { likedProfileId: me.id, likeType: "UNDETERMINED" });
    await site.configure({ sync: true });
    await sendFromAfar(other, "PUT", "/api/profile-like", { likedProfileId: me.id, likeType: "LIKE" });
    await socket.waitFor("notification", () => true);
    expect((await compare(me)).outdated).toEqual([]);
    socket.close();
  });

  it("reads their own writes from another region too, and before their own knows of them", async () => {
    const bodyText = "Written at home";
    const sent = await done(me.send("POST", "/api/message", { recipientProfileId: other.id, bodyText }));
    const wrote = sent.headers.get("set-cookie") ?? "";
    expect(wrote).toMatch(/^plain_wrote=enam\.[\w-]+; Max-Age=16; Path=\/; HttpOnly; SameSite=Lax/);
    const read = async (headers: Record<string, string>) => {
      const path = `http://ember.localhost/api/messages/between/${me.id}/${other.id}`;
      const response = await site.worker.fetch(path, {
        headers: { ...headers, cookie: `${me.cookie}; ${wrote.split(";")[0]}` },
      });
      return response.text();
    };
    expect(await read(ELSEWHERE)).toContain(bodyText);
    // And at home while their region has not heard of them yet.
    await site.configure({ watermark: "stale" });
    expect(await read({})).toContain(bodyText);
  });

  it("has the session of a login that the replica does not know yet", async () => {
    const fresh = await logIn(site.worker, me.id);
    expect((await fresh.fetch("/api/conversations")).status).toBe(200);
    expect((await compare(fresh)).outdated).toEqual([]);
  });
});
