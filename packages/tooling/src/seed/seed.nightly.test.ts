import { BRANDS } from "@lambda/brands";
import type { AlbumGrant } from "@lambda/contract/albums";
import type { JuryInbox, Precedent } from "@lambda/contract/arbitration";
import type { CropSuggestion, CropTask } from "@lambda/contract/games";
import type { LikedBrief } from "@lambda/contract/likes";
import type { BroadcastMessage, Conversation, Message } from "@lambda/contract/messages";
import type { Notification } from "@lambda/contract/notifications";
import type { NearbyBrief } from "@lambda/contract/positions";
import type { MemberTonight } from "@lambda/contract/tonight";
import type { Transparency } from "@lambda/contract/transparency";
import { type RunningHarness, startHarness } from "@lambda/testing/harness";
import { createTables } from "@lambda/testing/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasStreets, isNeighbor, listResidents } from "./residents.ts";
import { DEMO_PASSWORD, seedMembers } from "./seed.ts";
import { idOf } from "./town/cast.ts";
import { TONIGHT } from "./town/conversations.ts";

const NOW = Date.now();
const TODAY_MS = 6 * 3_600_000;
const MEMBER = 1;

/** Reads from the API with a login's session. */
type Read = <Data>(path: string) => Promise<Data>;

interface Town {
  readonly site: RunningHarness;
  readonly member: Read;
  readonly admin: Read;
}

async function startTown(): Promise<Town> {
  const site = await startHarness();
  await createTables(site.run);
  const base = `http://localhost:${site.port}`;
  await seedMembers(base, NOW);
  const [member, admin] = [await logIn(base, "member@example.test"), await logIn(base, "admin@example.test")];
  return { site, member, admin };
}

async function logIn(base: string, username: string): Promise<Read> {
  const form = new URLSearchParams({ username, password: DEMO_PASSWORD });
  const login = await fetch(`${base}/api/auth`, { method: "POST", body: form, headers: { origin: base } });
  expect(login.status).toBe(200);
  const cookie = /plain_session=[^;]+/.exec(login.headers.get("set-cookie") ?? "")?.[0] ?? "";
  return async <Data>(path: string) => {
    const response = await fetch(`${base}/api${path}`, { headers: { cookie } });
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
    return (await response.json()) as Data;
  };
}

let towns: readonly [Town, Town];
beforeAll(async () => {
  towns = [await startTown(), await startTown()];
}, 400_000);
afterAll(() => Promise.all(towns.map(({ site }) => site.close())));

describe("the demo's residents", () => {
  it("include 200 neighbors of the logins, all brands within the street map, and others elsewhere", () => {
    const residents = listResidents();
    const inside = residents.filter(hasStreets);
    expect(residents.filter(isNeighbor)).toHaveLength(200);
    expect(BRANDS.map((brand) => inside.filter((resident) => resident.brand === brand).length)).toEqual([203, 40, 40]);
    expect(residents.length).toBeGreaterThan(300);
  });
});

describe("the demo member has", () => {
  const elapsed = (time: string) => NOW - Date.parse(time);

  it("six conversations with pictures, a location, receipts, and one unread", async () => {
    const { member } = towns[0];
    const conversations = await member<Conversation[]>("/conversations");
    expect(conversations).toHaveLength(6);
    expect(conversations.map(({ unread }) => unread).sort()).toEqual([0, 0, 0, 0, 0, 1]);
    const histories = await Promise.all(
      conversations.map(({ other }) => member<Message[]>(`/messages/between/${MEMBER}/${other?.profileId}?size=50`)),
    );
    for (const messages of histories) {
      const own = messages.filter(({ senderProfileId }) => senderProfileId === MEMBER).length;
      expect(Math.min(own, messages.length - own)).toBeGreaterThanOrEqual(2);
    }
    const all = histories.flat();
    expect(all.filter(({ profilePicIds }) => profilePicIds.length > 0)).toHaveLength(2);
    expect(all.filter(({ attachment }) => attachment?.type === "position")).toHaveLength(1);
    const own = all.filter(({ senderProfileId }) => senderProfileId === MEMBER);
    expect(own.some(({ tsRecipientRead }) => tsRecipientRead !== null)).toBe(true);
    expect(own.some(({ tsDelivered, tsRecipientRead }) => tsDelivered && tsRecipientRead === null)).toBe(true);
  });

  it("a reply and reactions in both directions, and badges and nights out to see", async () => {
    const { member } = towns[0];
    const [rafael, theo] = [idOf("rafael"), idOf("theo")];
    const messages = await member<Message[]>(`/messages/between/${MEMBER}/${rafael}?size=50`);
    expect(messages.filter(({ replyToId }) => replyToId)).toHaveLength(1);
    expect(messages.flatMap(({ reaction }) => reaction ?? []).sort()).toEqual(["heart", "laugh"]);
    expect(await member(`/person-check/among?profileIds=${rafael},${theo}`)).toHaveLength(2);
    expect(await member(`/profile/${rafael}/relation`)).toMatchObject({ metBy: 3 });
    const ids = TONIGHT.map(([name]) => idOf(name));
    const out = await member<MemberTonight[]>(`/tonight/among?profileIds=${ids.join(",")}`);
    expect(out.map(({ profileId }) => profileId).sort((a, b) => a - b)).toEqual(ids.sort((a, b) => a - b));
  });

  it("new men near, two stars, and neighbors who were last here three days ago", async () => {
    const { member } = towns[0];
    const near = (filter: string) =>
      member<NearbyBrief[]>(`/profile-briefs/nearest?size=100&maxDistanceMeters=3000${filter}`);
    expect((await near("&newHere=true")).length).toBeGreaterThanOrEqual(4);
    expect((await near("&starred=true")).map(({ profileId }) => profileId).sort((a, b) => a - b)).toEqual(
      [idOf("theo"), idOf("isaac")].sort((a, b) => a - b),
    );
    const away = (await near("")).filter(({ tsUpdated }) => elapsed(tsUpdated) > 2 * 86_400_000);
    expect(away.length).toBeGreaterThanOrEqual(3);
  });

  it("a recent map chat", async () => {
    const chat = await towns[0].member<BroadcastMessage[]>("/messages/area");
    const today = chat.filter(({ tsCreated }) => elapsed(tsCreated) < TODAY_MS);
    expect(new Set(today.map(({ senderProfileId }) => senderProfileId)).size).toBeGreaterThanOrEqual(8);
    expect(today.some(({ senderProfileId }) => senderProfileId === MEMBER)).toBe(true);
  });

  it("likes and two matches from today", async () => {
    const likes = await towns[0].member<LikedBrief[]>("/profile-briefs/likes/profilelikedyou");
    const today = likes.filter(({ tsLiked }) => elapsed(tsLiked) < TODAY_MS);
    expect(today.length).toBeGreaterThanOrEqual(6);
    expect(today.filter(({ match }) => match)).toHaveLength(2);
    expect(await towns[0].member("/profile-briefs/likes/profilelikedyourpics")).toHaveLength(2);
  });

  it("three notifications", async () => {
    const list = await towns[0].member<Notification[]>(`/notifications/${MEMBER}`);
    expect(list.map(({ kind }) => kind)).toEqual(["match", "album", "jury"]);
    expect(list.every(({ tsCreated }) => elapsed(tsCreated) < TODAY_MS)).toBe(true);
  });

  it("access to an album, a request for another, and a request for their own", async () => {
    const states = async (side: string) =>
      (await towns[0].member<AlbumGrant[]>(`/album-grants/${side}`)).map(({ state }) => state).sort();
    expect(await states("received")).toEqual(["granted", "requested"]);
    expect(await states("given")).toEqual(["requested"]);
  });

  it("a picture to crop, and a crop suggestion for their own", async () => {
    expect(await towns[0].member<CropTask[]>("/games/photocrop")).toHaveLength(1);
    expect(await towns[0].member<CropSuggestion[]>("/games/photocrop/mine")).toHaveLength(1);
  });

  it("a seat on a jury, with a case and a record as a juror", async () => {
    const { cases, record } = await towns[0].member<JuryInbox>("/arbitration");
    expect(cases).toHaveLength(1);
    expect(cases[0]).toMatchObject({ category: "harassment", votes: 4, seats: 9 });
    expect(cases[0]?.complaints).toHaveLength(1);
    expect(cases[0]?.evidence.some(({ kind }) => kind === "message")).toBe(true);
    expect(record).toEqual({ summoned: 8, voted: 7, withMajority: 5, overturned: 0 });
  });

  it("precedents with their reasons", async () => {
    const precedents = await towns[0].member<Precedent[]>("/arbitration/precedents");
    expect(precedents.length).toBeGreaterThanOrEqual(5);
    expect(new Set(precedents.map(({ category }) => category)).size).toBeGreaterThanOrEqual(5);
    for (const { summary } of precedents) expect(summary.length).toBeGreaterThan(60);
  });

  it("notes and tags about three members", async () => {
    const notes = await towns[0].member<{ bodyText: string; privateTags: string[] }[]>("/profile-notes");
    expect(notes).toHaveLength(3);
    for (const note of notes) expect(note.privateTags.length).toBeGreaterThan(0);
  });
});

describe("the admin has", () => {
  const queue = (view: string) => towns[0].admin<{ staffReason: string }[]>(`/admin/reports?view=${view}`);

  it("a queue, a jury at work, appeals and decided cases", async () => {
    expect((await queue("staff")).map(({ staffReason }) => staffReason).sort()).toEqual([
      "recommended",
      "rule",
      "rule",
    ]);
    expect(await queue("jury")).toHaveLength(1);
    expect(await queue("appeals")).toHaveLength(1);
    expect((await queue("decided")).length).toBeGreaterThanOrEqual(8);
    expect(await towns[0].admin("/admin/contact-messages")).toHaveLength(2);
  });

  it("figures on the transparency page", async () => {
    const figures = await towns[0].admin<Transparency>("/transparency");
    const actions = Object.fromEntries(figures.actions.map(({ kind, count }) => [kind, count]));
    expect(actions).toMatchObject({ warn: 3, suspend: 3, ban: 1 });
    expect(figures).toMatchObject({ reversals: 1 });
    expect(figures.decided).toBeGreaterThanOrEqual(8);
    expect(figures.medianDecisionMs).toBeGreaterThan(0);
  });
});

describe("seeding twice", () => {
  /** Removes random references, and ids that depend on which jurors were drawn. */
  const normalize = (response: unknown) =>
    JSON.stringify(response, (key, value) => (/^(caseRef|receipt|hash|seq|head|juryId|id)$/.test(key) ? "" : value));

  it.each([
    "/conversations",
    "/messages/area",
    "/profile-briefs/likes/profilelikedyou",
    "/notifications/1",
    "/album-grants/received",
    "/games/photocrop/mine",
    "/arbitration",
    "/arbitration/precedents",
    "/profile-notes",
    "/profile-briefs/nearest?page=0&size=30",
  ])("gives the demo member the same %s", async (path) => {
    const [one, other] = await Promise.all(towns.map(({ member }) => member(path)));
    expect(normalize(one)).toBe(normalize(other));
  });

  it.each(["staff", "jury", "appeals", "decided"])("gives the admin the same cases: %s", async (view) => {
    const [one, other] = await Promise.all(towns.map(({ admin }) => admin(`/admin/reports?view=${view}`)));
    expect(normalize(one)).toBe(normalize(other));
  });

  it("gives the same figures", async () => {
    const [one, other] = await Promise.all(towns.map(({ admin }) => admin("/transparency")));
    expect(normalize(one)).toBe(normalize(other));
  });
});
