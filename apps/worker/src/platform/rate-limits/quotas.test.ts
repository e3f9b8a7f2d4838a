/** What one member can make the site store and do in a day, tested by an attacker who tries to fill it. */
import type { ErrorBody } from "@lambda/contract/errors";
import {
  CALLS_PER_MINUTE_NEW_MAX,
  DAY_MS,
  HOUR_MS,
  LIKES_PER_DAY_MAX,
  MEMBERS_SHOWN_PER_DAY_NEW_MAX,
  MESSAGE_BYTES_PER_DAY_MAX,
  MESSAGES_PER_MINUTE_MAX,
  NEW_ACCOUNT_MS,
  NOTE_BYTES_TOTAL_MAX,
  PICTURE_BYTES_PER_DAY_MAX,
  PICTURE_BYTES_TOTAL_MAX,
  PICTURE_STORED_MAX_BYTES,
  POSITION_WRITES_PER_MINUTE_MAX,
  PROFILES_OPENED_PER_DAY_NEW_MAX,
} from "@lambda/contract/limits";
import { QUOTAS, type QuotaName } from "@lambda/contract/quotas";
import { createMember, type TestMember, withQuotas } from "@lambda/testing/member";
import { encodeAs, postPicture, uploadPicture } from "@lambda/testing/pictures";
import { makePng } from "@lambda/testing/png";
import { limiterOf } from "@lambda/testing/rate-limits";
import { seedMembers } from "@lambda/testing/seeded-community";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { SeenMembers } from "./seen-members.ts";

const SEEDED_MEMBERS = 340;
const FIRST = 10_000_000;
/** The largest possible text: three bytes per character. */
const LONGEST = "€".repeat(4000);
const TAGS = Array.from({ length: 50 }, (_, index) => `${"€".repeat(57)}${100 + index}`);

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
  await seedMembers(worker.run, 0, SEEDED_MEMBERS);
});

const memberWithQuotas = async (created?: number): Promise<TestMember> =>
  withQuotas(await createMember(worker, created === undefined ? {} : { created }));

/** Sends one request with many calls; returns each call's error, or null. */
async function batch(
  member: TestMember,
  name: string,
  inputs: readonly object[],
): Promise<(ErrorBody["error"] | null)[]> {
  const response = await member.fetch(`/trpc/${inputs.map(() => name).join(",")}?batch=1`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(Object.fromEntries(inputs.map((input, index) => [index, input]))),
  });
  const results = (await response.json()) as { error?: { data: { error: ErrorBody["error"] } } }[];
  return results.map(({ error }) => error?.data.error ?? null);
}

/** Uses up this much of a member's quota. */
async function useQuota(member: TestMember, kind: string, name: QuotaName, amount: number): Promise<void> {
  const { windowMs } = QUOTAS[name];
  await limiterOf(worker, `${kind}:${member.id}`).spend([{ name, amount, max: Number.MAX_SAFE_INTEGER, windowMs }]);
}

const count = async (sql: string, ...values: unknown[]) =>
  (
    await worker.env.DB.prepare(sql)
      .bind(...values)
      .first<{ n: number }>()
  )?.n ?? 0;

describe("notes", () => {
  it("are limited per minute, however they are batched, and in total size", async () => {
    const me = await memberWithQuotas();
    const about = Array.from({ length: 240 }, (_, index) => FIRST + index);
    const refused: (ErrorBody["error"] | null)[] = [];
    for (let from = 0; from < about.length; from += 30) {
      const inputs = about.slice(from, from + 30);
      refused.push(
        ...(await batch(
          me,
          "notes.put",
          inputs.map((aboutProfileId) => ({ aboutProfileId, bodyText: LONGEST, privateTags: TAGS })),
        )),
      );
    }
    const stored = await count("select coalesce(sum(bytes), 0) n from profile_note where author_id = ?", me.id);
    expect(stored).toBeLessThanOrEqual(NOTE_BYTES_TOTAL_MAX);
    expect(stored).toBeGreaterThan(NOTE_BYTES_TOTAL_MAX * 0.9);
    expect(await count("select notes n from stored_bytes where profile_id = ?", me.id)).toBe(stored);
    const kinds = new Set(refused.map((error) => error?.quota));
    expect([...kinds].sort()).toEqual(["noteBytes", "noteSavesPerMinute", undefined]);
    expect(refused.find((error) => error?.quota === "noteBytes")).toMatchObject({
      code: "TOO_MANY_REQUESTS",
      message: QUOTAS.noteBytes.text,
    });
  });

  it("at the size limit can be shortened and deleted, which frees space", async () => {
    const me = await memberWithQuotas();
    const write = (about: number, bodyText: string) =>
      me.send("PUT", "/api/profile-note", { aboutProfileId: FIRST + about, bodyText });
    expect((await write(1, LONGEST)).status).toBe(200);
    await worker.env.DB.prepare("update stored_bytes set notes = ? where profile_id = ?")
      .bind(NOTE_BYTES_TOTAL_MAX, me.id)
      .run();
    const full = await write(2, "one more");
    expect(full.status).toBe(429);
    expect(Number(full.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await write(1, `${LONGEST.slice(1)}a`)).status).toBe(200);
    expect((await write(1, "")).status).toBe(200);
    expect((await write(2, "one more")).status).toBe(200);
    expect(await count("select count(*) n from profile_note where author_id = ?", me.id)).toBe(1);
  });
});

describe("messages", () => {
  it("are limited per minute", async () => {
    const me = await memberWithQuotas();
    const send = (text: string) => me.send("POST", "/api/message", { recipientProfileId: FIRST + 8, bodyText: text });
    await useQuota(me, "messages", "messagesPerMinute", MESSAGES_PER_MINUTE_MAX - 1);
    expect((await send("the last one of this minute")).status).toBe(201);
    const refused = await send("one too many");
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ error: { code: "TOO_MANY_REQUESTS", quota: "messagesPerMinute" } });
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect(await count("select count(*) n from message where sender_id = ?", me.id)).toBe(1);
  });

  it("are limited in bytes per day, and the error says when to retry", async () => {
    const me = await memberWithQuotas();
    const send = (text: string) => me.send("POST", "/api/message", { recipientProfileId: FIRST + 7, bodyText: text });
    await useQuota(me, "messages", "messageBytes", MESSAGE_BYTES_PER_DAY_MAX - 15_000);
    expect((await send(LONGEST)).status).toBe(201);
    const refused = await send(LONGEST);
    expect(refused.status).toBe(429);
    const { error } = (await refused.json()) as ErrorBody;
    expect(error).toMatchObject({ quota: "messageBytes", message: QUOTAS.messageBytes.text });
    expect(Number(refused.headers.get("retry-after"))).toBe(error.retryAfterSeconds);
    expect(error.retryAfterSeconds).toBeGreaterThan(80_000);
    expect(await count("select count(*) n from message where sender_id = ?", me.id)).toBe(1);
    // A short one still fits.
    expect((await send("good night")).status).toBe(201);
  });
});

describe("positions", () => {
  it("are limited per minute, however often the marker is dragged", async () => {
    const me = await memberWithQuotas();
    const statuses: number[] = [];
    for (let drag = 0; drag < 60; drag += 1) {
      const place = { overrideLat: 33 + drag / 50, overrideLon: -112, use: "OVERRIDE", session: 1, hide: false };
      statuses.push((await me.send("PUT", `/api/profile-position/${me.id}`, { profileId: me.id, ...place })).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(POSITION_WRITES_PER_MINUTE_MAX);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("likes", () => {
  it("are limited per day, separately for members and pictures", async () => {
    const me = await memberWithQuotas();
    await useQuota(me, "likes", "likes", LIKES_PER_DAY_MAX - 1);
    const like = (id: number) => me.send("PUT", "/api/profile-like", { likedProfileId: id, likeType: "DISLIKE" });
    expect((await like(FIRST + 1)).status).toBe(200);
    const refused = await like(FIRST + 2);
    expect(await refused.json()).toMatchObject({ error: { quota: "likes" } });
    expect(await count("select count(*) n from profile_like where liker_id = ?", me.id)).toBe(1);
    const rated = await me.send("PUT", "/api/profile-pic-like", { profilePicId: FIRST + 3, likeType: "LIKE" });
    expect(rated.status).toBe(200);
    // Blocking is still possible.
    expect((await me.send("PUT", "/api/profile-like", { likedProfileId: FIRST + 2, blocked: true })).status).toBe(200);
  });
});

describe("pictures", () => {
  it("of noise are not stored larger than photographs, and are limited in bytes per day", {
    tags: "slow",
    timeout: 60_000,
  }, async () => {
    const me = await memberWithQuotas();
    let seed = 1;
    const noise = () => {
      seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
      return [seed >>> 24, (seed >>> 16) & 255, (seed >>> 8) & 255] as const;
    };
    const jpeg = await encodeAs(worker, makePng(3600, 2400, noise), "image/jpeg");
    expect(jpeg.length).toBeGreaterThan(3_500_000);
    expect(jpeg.length).toBeLessThan(8_192_000);
    const response = await postPicture(me, jpeg, { name: "noise.jpg", type: "image/jpeg" });
    expect(response.status).toBe(201);
    const stored = await count("select bytes n from picture where profile_id = ?", me.id);
    expect(stored).toBeLessThanOrEqual(PICTURE_STORED_MAX_BYTES);
    expect(await count("select pictures n from stored_bytes where profile_id = ?", me.id)).toBe(stored);

    await useQuota(me, "uploads", "pictureBytes", PICTURE_BYTES_PER_DAY_MAX - stored);
    const refused = await postPicture(me, makePng(600, 400, noise));
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ error: { quota: "pictureBytes" } });
    expect(await count("select count(*) n from picture where profile_id = ?", me.id)).toBe(1);
  });

  it("at the size limit can be replaced by smaller ones", async () => {
    const me = await memberWithQuotas();
    const { id } = await uploadPicture(me, { bytes: makePng(600, 400) });
    await worker.env.DB.prepare("update stored_bytes set pictures = ? where profile_id = ?")
      .bind(PICTURE_BYTES_TOTAL_MAX, me.id)
      .run();
    const refused = await postPicture(me, makePng(40, 50));
    expect([refused.status, await refused.json()]).toMatchObject([429, { error: { quota: "pictureBytesTotal" } }]);
    expect((await postPicture(me, makePng(40, 50), { replaceId: id })).status).toBe(201);
  });
});

/** Sends one batched query; returns each call's status. */
async function readBatch(member: TestMember, name: string, inputs: readonly object[]): Promise<number[]> {
  const query = encodeURIComponent(JSON.stringify(Object.fromEntries(inputs.map((input, index) => [index, input]))));
  const response = await member.fetch(`/trpc/${inputs.map(() => name).join(",")}?batch=1&input=${query}`);
  const results = (await response.json()) as { error?: { data: { httpStatus: number } } }[];
  return results.map(({ error }) => error?.data.httpStatus ?? 200);
}

/** Reads all full profiles in eleven requests; returns how many succeeded. */
async function dumpProfiles(member: TestMember): Promise<number> {
  const ids = Array.from({ length: 330 }, (_, index) => ({ id: FIRST + index }));
  const requests = Array.from({ length: 11 }, (_, index) => ids.slice(index * 30, index * 30 + 30));
  const statuses = await Promise.all(requests.map((inputs) => readBatch(member, "profiles.get", inputs)));
  return statuses.flat().filter((status) => status === 200).length;
}

describe("reading", () => {
  it("limits the different profiles that a new account opens per day, however they are batched", async () => {
    const me = await memberWithQuotas();
    const opened = await dumpProfiles(me);
    expect(opened).toBeGreaterThan(PROFILES_OPENED_PER_DAY_NEW_MAX * 0.9);
    expect(opened).toBeLessThan(PROFILES_OPENED_PER_DAY_NEW_MAX * 1.1);
    const other = await me.fetch(`/api/profile/${FIRST + 335}/relation`);
    expect(other.status).toBe(429);
    expect(await other.json()).toMatchObject({ error: { quota: "profilesOpened" } });
    // Profiles opened before can be opened again.
    expect((await me.fetch(`/api/profile/${FIRST}`)).status).toBe(200);
  });

  it("lets an older account open all of them", async () => {
    const me = await memberWithQuotas(Date.now() - NEW_ACCOUNT_MS - 60_000);
    // The account's age is loaded after the first response.
    await me.fetch("/api/profiles/mine");
    await expect.poll(() => dumpProfiles(me), { timeout: 20_000 }).toBe(330);
  });

  it("counts every member on a large page against the daily limit", async () => {
    const me = await memberWithQuotas();
    const page = () => me.fetch("/api/profile-briefs/by-bounds?latMin=-89&lonMin=-179&latMax=89&lonMax=179&size=1500");
    const first = await page();
    const shown = (await first.json()) as { id: number }[];
    expect(shown.length).toBeGreaterThan(50);
    // What other isolates counted today arrives with the next sync.
    const elsewhere = new SeenMembers();
    for (let id = 1; id <= MEMBERS_SHOWN_PER_DAY_NEW_MAX * 1.1; id += 1) elsewhere.add(id);
    const stub = limiterOf(worker, `readings:${me.id}`);
    await stub.mergeUsage({ opened: new Uint8Array(2048), shown: elsewhere.bits, changes: 0, spent: 0 }, DAY_MS);
    await dumpProfiles(me);
    const nearest = () => me.fetch("/api/profile-briefs/nearest?size=1500&page=0");
    // Members shown before cost nothing; new ones are refused.
    expect((await page()).status).toBe(200);
    let arrived = await createMember(worker);
    // The counter takes somebody whose bit another member has set for one who was shown.
    for (const { id } of shown) elsewhere.add(id);
    while (elsewhere.has(arrived.id)) arrived = await createMember(worker);
    const place = { overrideLat: 50, overrideLon: 10, use: "OVERRIDE", session: 1, hide: false };
    await arrived.send("PUT", `/api/profile-position/${arrived.id}`, { profileId: arrived.id, ...place });
    await expect.poll(async () => (await nearest()).status, { timeout: 20_000 }).toBe(429);
    expect(await (await nearest()).json()).toMatchObject({ error: { quota: "membersShown" } });
    // Nor are they by asking what they have.
    const tonight = { wishes: ["walk"], tsUntil: new Date(Date.now() + HOUR_MS).toISOString() };
    expect((await arrived.send("PUT", "/api/tonight", tonight)).status).toBe(200);
    await worker.run(
      { query: "update profile set pics_public = '[1]' where id = ?", values: [arrived.id] },
      {
        query: `insert into person_check (profile_id, state, pose, compared, ts_started, ts_checked)
          values (?, 'him', '{}', '["1:1"]', 1, ?)`,
        values: [arrived.id, Date.now()],
      },
    );
    for (const among of ["tonight", "person-check"])
      expect([among, (await me.fetch(`/api/${among}/among?profileIds=${arrived.id}`)).status]).toEqual([among, 429]);
  });

  it("counts each call of a batch whose path has an escaped letter", async () => {
    const me = await memberWithQuotas();
    const path = `/%74rpc/${Array(30).fill("profiles.mine").join(",")}?batch=1&input={}`;
    // The first name of each is not found, since the escape is longer than its letter; the others work.
    expect(await (await me.fetch(path)).json()).toMatchObject([{ error: {} }, { result: {} }, ...Array(28).fill({})]);
    for (let sent = 1; sent <= CALLS_PER_MINUTE_NEW_MAX / 30; sent += 1) await me.fetch(path);
    expect((await me.fetch("/api/profiles/mine")).status).toBe(429);
  });

  it("counts each call of a batch against the limit per minute, for tRPC and REST alike", async () => {
    const me = await memberWithQuotas();
    const mine = Array.from({ length: 30 }, () => ({}));
    const requests = CALLS_PER_MINUTE_NEW_MAX / 30;
    const statuses: number[] = [];
    for (let sent = 0; sent <= requests; sent += 1) statuses.push(...(await readBatch(me, "profiles.mine", mine)));
    expect(statuses.slice(0, CALLS_PER_MINUTE_NEW_MAX).every((status) => status === 200)).toBe(true);
    expect(statuses.slice(CALLS_PER_MINUTE_NEW_MAX)).toEqual(Array(30).fill(429));
    const rest = await me.fetch("/api/profiles/mine");
    expect(rest.status).toBe(429);
    expect(Number(rest.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await rest.json()).toMatchObject({ error: { quota: "calls" } });
  });
});
