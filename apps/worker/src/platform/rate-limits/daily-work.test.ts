/** What free accounts can make the site pay in a day, played until they are refused, and how far a busy member stays from that. */
import { WORK_PRICES } from "@lambda/contract/cost";
import {
  DAY_MS,
  IMAGE_WORK_PER_UPLOAD,
  LIKE_ROW_BYTES,
  PROOF_MAILS_FREE_PER_DAY,
  RELATION_ROW_BYTES,
  WORK_PER_DAY_MAX,
  WORK_RESERVE,
} from "@lambda/contract/limits";
import { GB, microdollarsOf } from "@lambda/contract/prices";
import type { QuotaName } from "@lambda/contract/quotas";
import { DATABASE_BYTES_PER_DAY, dollarsPerDay, sumOf } from "@lambda/testing/cost";
import { createMember, type TestMember, withQuotas } from "@lambda/testing/member";
import { insertMembers } from "@lambda/testing/members";
import { uploadPicture } from "@lambda/testing/pictures";
import { priorMessagesSql } from "@lambda/testing/prior-messages";
import { limiterOf } from "@lambda/testing/rate-limits";
import { PHOENIX, readCost, reportPosition } from "@lambda/testing/scenes/positions";
import { seedMembers } from "@lambda/testing/seeded-community";
import { createVisitor } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Context } from "../context.ts";
import { openDatabase } from "../db/database.ts";
import { spendImageWork } from "./image-work.ts";
import { spendQuota } from "./limit.ts";
import { SeenMembers } from "./seen-members.ts";
import { chargeMember, countCalls, syncUsage } from "./usage.ts";
import { weighRequest } from "./weigh.ts";

const FIRST = 10_000_000;
const NOBODY = new SeenMembers().bits;
/** What an isolate spends before it tells the member's object, and one request more. */
const OVERRUN = 250;
/** The same of an isolate that has just told it. */
const LATE = 60;

let worker: TestWorker;
let picture: number;
beforeAll(async () => {
  worker = await startWorker();
  await seedMembers(worker.run, 0, 200);
  picture = (await uploadPicture(await createMember(worker))).id;
});

/** Adds to what a member's day has cost, and returns it. */
const spend = async (id: number, spent: number) =>
  (await limiterOf(worker, `readings:${id}`).mergeUsage({ opened: NOBODY, shown: NOBODY, changes: 0, spent }, DAY_MS))
    .spent;

/** What a member's day has cost so far, in millionths of a dollar. */
async function spentOf({ fetch }: TestWorker, id: number): Promise<number> {
  const response = await fetch(`http://ember.localhost/dev/spent.json?profileId=${id}`);
  return ((await response.json()) as { charged: number }).charged;
}

type Call = (member: TestMember, index: number) => Promise<Response>;
const get =
  (path: string): Call =>
  (member) =>
    member.fetch(path);
const CALLS = {
  session: get("/api/session"),
  search: get("/api/profile-briefs/nearest"),
  "a page of 1,500": get("/api/profile-briefs/by-sector/33:-113?size=1500"),
  profile: (member, index) => member.fetch(`/api/profile/${FIRST + index}`),
  "a batch": (member) => member.fetch(`/trpc/${Array(30).fill("profiles.mine").join(",")}?batch=1&input=%7B%7D`),
  picture: (member) => member.fetch(`/api/profile-pic/${picture}?scale_x=256`),
  message: (member, index) =>
    member.send("POST", "/api/message", { recipientProfileId: FIRST + (index % 4), bodyText: `Words ${index}` }),
  like: (member, index) => member.send("PUT", "/api/profile-like", { likedProfileId: FIRST + index, likeType: "LIKE" }),
  block: (member, index) => member.send("PUT", "/api/profile-like", { likedProfileId: FIRST + index, blocked: true }),
  note: (member, index) =>
    member.send("PUT", "/api/profile-note", {
      aboutProfileId: FIRST + index,
      bodyText: "x".repeat(500),
      privateTags: [],
    }),
  position: (member, index) =>
    reportPosition(member, { lat: PHOENIX.lat + index / 50, lon: PHOENIX.lon }, { use: "OVERRIDE" }),
} satisfies Record<string, Call>;
const callOf: Readonly<Record<keyof typeof CALLS, Call>> = CALLS;

/** What the platform bills for a request: itself, and its rows. */
const billOf = (response: Response) =>
  WORK_PRICES.request +
  readCost(response, "rows-read") * WORK_PRICES.rowRead +
  readCost(response, "rows-written") * WORK_PRICES.rowWritten;

/** Calls that go on when the day is used up, for a little more. */
const SAFE: readonly string[] = ["session", "like", "block", "position"];

describe("a member's day", () => {
  it.each(Object.entries(callOf).filter(([name]) => !SAFE.includes(name)))(
    "of nothing but %s is refused before it costs more than a day may",
    async (_, call) => {
      const member = withQuotas(await createMember(worker));
      const left = 40;
      await spend(member.id, WORK_PER_DAY_MAX - left);
      // The first request lets the isolate learn of the rest.
      await callOf.session(member, 0);
      await expect.poll(() => spend(member.id, 0), { timeout: 20_000 }).toBeGreaterThan(WORK_PER_DAY_MAX - left);
      let billed = 0;
      let response = await call(member, 0);
      for (let index = 1; index < 200 && response.status !== 429; index += 1) {
        billed += billOf(response);
        response = await call(member, index);
      }
      expect(await response.text()).toContain('"work"');
      expect(billed).toBeLessThanOrEqual(left + LATE);
      expect(await spend(member.id, 0)).toBeLessThanOrEqual(WORK_PER_DAY_MAX + OVERRUN);
    },
  );

  it("leaves what keeps a member safe, as long as that costs little", async () => {
    const member = withQuotas(await createMember(worker));
    await spend(member.id, WORK_PER_DAY_MAX);
    await expect.poll(async () => (await callOf.profile(member, 1)).status, { timeout: 20_000 }).toBe(429);
    expect((await callOf.picture(member, 1)).status).toBe(429);
    expect((await callOf.session(member, 0)).status).toBe(200);
    expect((await callOf.block(member, 2)).status).toBe(200);
    expect((await reportPosition(member, PHOENIX, { hide: true })).status).toBe(200);
    const batch = await member.fetch("/trpc/profiles.mine,accounts.session?batch=1&input=%7B%7D");
    const results = (await batch.json()) as { error?: { data: { error: { quota: string } } } }[];
    expect(results.map(({ error }) => error?.data.error.quota)).toEqual(["work", undefined]);
    let blocked = 3;
    while ((await callOf.block(member, blocked)).ok && blocked < 150) blocked += 1;
    const spent = await spend(member.id, 0);
    expect(spent).toBeGreaterThan(WORK_PER_DAY_MAX + WORK_RESERVE - OVERRUN);
    expect(spent).toBeLessThanOrEqual(WORK_PER_DAY_MAX + WORK_RESERVE + OVERRUN);
  });

  it("lasts for eight busy hours", async () => {
    const member = withQuotas(await createMember(worker, { created: 1 }));
    await reportPosition(member, PHOENIX);
    /** What is charged after an answer counts too. */
    const settledOf = async (id: number) => {
      let [spent, same] = [await spentOf(worker, id), 0];
      while (same < 5) {
        const now = await spentOf(worker, id);
        same = now === spent ? same + 1 : 0;
        spent = now;
      }
      return spent;
    };
    /** What the member's day is charged for a call, once the isolate knows them. */
    const priceOf = async (call: Call, index: number) => {
      expect((await call(member, index)).ok).toBe(true);
      const before = await settledOf(member.id);
      for (let again = 1; again <= 3; again += 1) expect((await call(member, index + again)).ok).toBe(true);
      return ((await settledOf(member.id)) - before) / 3;
    };
    const friend = await createMember(worker);
    await worker.run({ query: priorMessagesSql([member.id, friend.id]) });
    const chat: Call = (_, index) =>
      member.send("POST", "/api/message", { recipientProfileId: friend.id, bodyText: `Words ${index}` });
    const hours = 8;
    const day = {
      messages: 270 * (await priceOf(chat, 1)),
      openers: 30 * (await priceOf(callOf.message, 1)),
      receipts: (300 / 10) * 10 * WORK_PRICES.frame,
      searches: hours * 60 * (await priceOf(callOf.search, 0)),
      pictures: hours * 150 * (await priceOf(callOf.picture, 0)),
      profiles: hours * 20 * (await priceOf(callOf.profile, 3)),
      likes: 100 * (await priceOf(callOf.like, 5)),
      positions: hours * 6 * (await priceOf(callOf.position, 1)),
      polling: hours * 40 * (await priceOf(callOf.session, 0)),
    };
    const sum = Object.values(day).reduce((total, part) => total + part, 0);
    expect(sum, JSON.stringify(day)).toBeLessThanOrEqual(WORK_PER_DAY_MAX * 0.85);
  });

  it("counts the frames of sockets, which no call counts", async () => {
    const { id } = await createMember(worker);
    const day = Math.ceil(WORK_PER_DAY_MAX / WORK_PRICES.frame);
    expect(await chargeMember(worker.env, id, (day - 10) * WORK_PRICES.frame)).toBe(true);
    expect(await chargeMember(worker.env, id, 10 * WORK_PRICES.frame)).toBe(false);
  });
});

/** Each alone stays within its own day, above; what they cost together is bounded by the budgets of the whole site. */
describe("a thousand free accounts", { tags: "slow" }, () => {
  const ACCOUNTS = 1000;
  const context = () => ({ env: worker.env, db: openDatabase(worker.env.DB), quotas: true });

  it.each([
    ["of an hour", Date.now()],
    ["of a year", 1],
  ])(
    "%s cost at most 20 dollars a day, with every upload, width and login mail that they can get",
    async (_, created) => {
      const budgets = [
        limiterOf(worker, "links-0"),
        limiterOf(worker, `image-work:${Math.floor(Date.now() / DAY_MS)}`),
      ];
      for (const budget of budgets) await budget.clear();
      const owners = await insertMembers(
        worker.run,
        Array.from({ length: ACCOUNTS }, () => ({ created })),
      );
      let transformations = 0;
      const makeAll = async (owner: number, amount: number, network?: string) => {
        while (!(await spendImageWork(context(), owner, amount, network))) transformations += amount;
      };
      for (const { id } of owners) await makeAll(id, IMAGE_WORK_PER_UPLOAD, `network of ${id}`);
      await makeAll(owners[0]!.id, 1);
      // Nobody does the work that further links take.
      let mails = 0;
      for (let asked = 0; asked < ACCOUNTS / 4; asked += 1) {
        const email = `asks-${created}-${asked}@example.test`;
        const { status } = await createVisitor(worker).send("POST", "/api/auth/register", {
          email,
          acknowledgements: "cookies; adult; geolocation",
        });
        if (status === 202) mails += 1;
      }
      for (const budget of budgets) await budget.clear();
      const table = dollarsPerDay(ACCOUNTS, { areNew: created > 1 });
      const played = {
        pictures: (transformations * WORK_PRICES.transformation) / 1e6,
        mails: ((24 * mails + ACCOUNTS * PROOF_MAILS_FREE_PER_DAY) * microdollarsOf("mails")) / 1e6,
      };
      expect(played.pictures).toBeLessThanOrEqual(table.pictures);
      expect(played.mails).toBeLessThanOrEqual(table.mails);
      for (const [part, dollars] of Object.entries(played))
        expect(dollars, part).toBeGreaterThan(0.9 * table[part as "mails"]);
      expect(sumOf({ ...table, ...played })).toBeLessThanOrEqual(20);
    },
    300_000,
  );

  it("store at most 5 GB a day", { timeout: 300_000 }, async () => {
    /** The bytes that one of a quota stores. */
    const kinds: readonly [
      kind: string,
      quota: QuotaName,
      step: number,
      bytes: number,
      part: keyof typeof DATABASE_BYTES_PER_DAY,
    ][] = [
      ["messages", "messageBytes", 50_000, 2, "messages"],
      ["likes", "likes", 50, LIKE_ROW_BYTES, "likes"],
      ["picture-likes", "pictureLikes", 50, LIKE_ROW_BYTES, "pictureLikes"],
      ["relations", "relations", 50, RELATION_ROW_BYTES, "relations"],
      ["reports", "reportBytes", 50_000, 1, "reports"],
    ];
    const accounts = 20;
    let stored = 0;
    for (let id = 1; id <= accounts; id += 1) {
      for (const [kind, quota, step, bytes] of kinds) {
        const spendStep = () => spendQuota(context(), kind, 700_000 + id, { [quota]: step });
        const isRefused = () =>
          spendStep().then(
            () => false,
            () => true,
          );
        while (!(await isRefused())) stored += step * bytes;
      }
    }
    const played = new Set(kinds.map(([, , , , part]) => part));
    const others = Object.entries(DATABASE_BYTES_PER_DAY).filter(([part]) => !played.has(part as "messages"));
    const perAccount = stored / accounts + sumOf(Object.fromEntries(others));
    expect(perAccount).toBeGreaterThan(0.9 * sumOf(DATABASE_BYTES_PER_DAY));
    expect(ACCOUNTS * perAccount).toBeLessThanOrEqual(5 * GB);
  });
});

describe("an isolate", () => {
  const path = weighRequest({ path: "/api/session", method: "GET" });
  const work: Promise<unknown>[] = [];
  /** A reader of an account whose age is known to be old once the object responds. */
  const reader = (profileId: number, mergeUsage: () => Promise<unknown>) =>
    ({
      env: { RATE_LIMITER: { getByName: () => ({ mergeUsage }) }, DB: worker.env.DB },
      viewer: { profileId },
      now: Date.now(),
      quotas: true,
      waitUntil: (promise: Promise<unknown>) => void work.push(promise.catch(() => undefined)),
    }) as unknown as Context;
  const isRefused = (ctx: Context) => countCalls(ctx, path)?.error.quota;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
    return () => vi.useRealTimers();
  });

  it("refuses by itself when the member's object does not respond", async () => {
    const ctx = reader(1, () => Promise.reject(new Error("overloaded")));
    for (let spent = 0; spent < WORK_PER_DAY_MAX; spent += 500) {
      expect(isRefused(ctx)).toBeUndefined();
      syncUsage(ctx, { ...path, price: 500 });
      await Promise.all(work);
    }
    expect(isRefused(ctx)).toBe("work");
  });

  it("learns what others counted, and begins again when the day is over", async () => {
    const ends = Date.now() + 1000;
    const totals = { opened: NOBODY, shown: NOBODY, changes: 0, spent: WORK_PER_DAY_MAX, ends };
    const ctx = reader(2, async () => totals);
    expect(isRefused(ctx)).toBeUndefined();
    syncUsage(ctx, path);
    await Promise.all(work);
    expect(isRefused(ctx)).toBe("work");
    vi.setSystemTime(ends);
    expect(isRefused(ctx)).toBeUndefined();
  });
});
