import { DAY_MS, HOUR_MS, STAY_CALLS_PER_DAY_MAX } from "@lambda/contract/limits";
import type { PositionReportResponse } from "@lambda/contract/positions";
import type { Profile } from "@lambda/contract/profiles";
import type { Whereabouts } from "@lambda/contract/travel";
import type { Point } from "@lambda/geo/distance";
import { cellPrecision, toCell } from "@lambda/geo/grid";
import { fromRegion } from "@lambda/testing/age";
import { createMember, logIn, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { type PushService, startPushService } from "@lambda/testing/push-service";
import { seededRandom } from "@lambda/testing/random";
import { hitLimit } from "@lambda/testing/rate-limits";
import { createMemberAt, listNearestIds, PHOENIX, queryRows, reportPosition } from "@lambda/testing/scenes/positions";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openDatabase } from "../../platform/db/database.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { findHides } from "../../visibility/stays/queries.ts";
import { getPlacesRow } from "../positions/places.ts";
import { findPosition } from "../positions/queries.ts";
import { refreshStay } from "./whereabouts.ts";

const KAMPALA = { lat: 0.3136, lon: 32.5811 };
const GPS = { use: "DEVICE_GPS" };
const ALL_ON = { withdrawn: true, muted: true };

let worker: TestWorker;
let service: PushService;
beforeAll(async () => {
  worker = await startWorker();
  service = await startPushService();
});
afterAll(() => service.close());

const here = (member: TestMember) => member.get<Whereabouts>("/api/travel");
async function reported(
  member: TestMember,
  at: Point,
  more: object = GPS,
  now?: number,
): Promise<PositionReportResponse> {
  const response = await reportPosition(member, at, { ...more }, now);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as PositionReportResponse;
}
async function choose(member: TestMember, shown: string, more: object = ALL_ON): Promise<Whereabouts> {
  const response = await member.send("PUT", "/api/travel/stay", { shown, ...more });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as Whereabouts;
}

describe("arriving in a country that punishes", () => {
  it("neither ends a restriction by staff nor is undone by its end", async () => {
    const member = await createMemberAt(worker, PHOENIX);
    const friend = await createMember(worker);
    const seen = async () => (await friend.fetch(`/api/profile/${member.id}`)).status;
    const run = (set: string) => worker.run({ query: `update profile set ${set} where id = ?`, values: [member.id] });
    const restrict = () => run("own_hidden = ifnull(own_hidden, hidden), hidden = 1");
    const lift = () => run("hidden = own_hidden, own_hidden = null");
    await restrict();
    expect([await reported(member, PHOENIX, { ...GPS, hide: false }), await seen()]).toMatchObject([
      { hide: false },
      404,
    ]);
    expect(await reported(member, PHOENIX, { ...GPS, hide: true })).toMatchObject({ hide: true });
    await lift();
    expect(await seen()).toBe(404);
    await reported(member, PHOENIX, { ...GPS, hide: false });
    expect(await seen()).toBe(200);
    await restrict();
    await reported(member, KAMPALA);
    await lift();
    expect(await seen()).toBe(404);
  });

  it("hides a member until they choose, then shows a cell of 5 km, and ends when the device is elsewhere", async () => {
    const member = await createMemberAt(worker, PHOENIX);
    const local = await createMemberAt(worker, KAMPALA);
    await choose(local, "usual", { withdrawn: false, muted: false });
    await local.send("PUT", `/api/profile-position/${local.id}`, {
      use: "OVERRIDE",
      overrideLat: KAMPALA.lat,
      overrideLon: KAMPALA.lon,
      hide: false,
    });

    expect(await reported(member, KAMPALA)).toMatchObject({ hide: true, stay: "UG", precision: "street" });
    expect(await here(member)).toEqual({
      stay: { country: "UG", shown: "hidden", withdrawn: true, muted: true, chosen: false },
      left: null,
    });
    expect(await listNearestIds(local)).not.toContain(member.id);
    expect((await local.fetch(`/api/profile/${member.id}`)).status).toBe(404);

    expect((await choose(member, "city")).stay).toMatchObject({ shown: "city", chosen: true });
    expect(await listNearestIds(local)).toContain(member.id);
    const [stored] = await queryRows(worker, "select cell, precision from position where profile_id = ?", member.id);
    expect(cellPrecision(toCell(Number(stored?.cell)))).toBe("city");
    // The precision for elsewhere is kept.
    expect(stored?.precision).toBe("street");

    const later = Date.now() + HOUR_MS;
    expect(await reported(member, PHOENIX, GPS, later)).toMatchObject({ hide: false, stay: null });
    expect(await here(member)).toEqual({ stay: null, left: "UG" });
    await reported(member, PHOENIX, GPS, later + HOUR_MS);
    const [back] = await queryRows(worker, "select cell from position where profile_id = ?", member.id);
    expect(cellPrecision(toCell(Number(back?.cell)))).toBe("street");
    expect((await member.send("DELETE", "/api/travel/left")).status).toBe(204);
    expect(await here(member)).toEqual({ stay: null, left: null });
    expect(await queryRows(worker, "select * from travel_stay where profile_id = ?", member.id)).toEqual([]);
  });

  it("keeps a member hidden who had chosen to hide, and treats showing oneself on the map as a choice", async () => {
    const [hidden, shown] = [await createMember(worker), await createMember(worker)];
    await reported(hidden, PHOENIX, { ...GPS, hide: true });
    await reported(hidden, KAMPALA, GPS, Date.now() + HOUR_MS);
    expect(await reported(hidden, PHOENIX, GPS, Date.now() + 3 * HOUR_MS)).toMatchObject({ hide: true, stay: null });

    await reported(shown, KAMPALA);
    expect(await reported(shown, KAMPALA, { ...GPS, hide: false })).toMatchObject({ hide: false, stay: "UG" });
    expect((await here(shown)).stay).toMatchObject({ shown: "city", chosen: true });
    // Ignored in the report that arrives, since it was meant for elsewhere.
    expect(await reported(await createMember(worker), KAMPALA, { ...GPS, hide: false })).toMatchObject({ hide: true });
  });

  it("hides a member who presses Hide on one device while another reports that he left", async () => {
    const states: unknown[] = [];
    for (let round = 0; round < 8; round += 1) {
      const member = await createMember(worker);
      const other = await logIn(worker, member.id);
      await reported(member, KAMPALA, GPS);
      // Both have read that the stay hides the member.
      const later = Date.now() + 3 * HOUR_MS;
      await Promise.all([
        reported(member, PHOENIX, { ...GPS, session: 7 }, later),
        reported(other, PHOENIX, { ...GPS, session: 8, hide: true }, later),
      ]);
      states.push(...(await queryRows(worker, "select hidden from profile where id = ?", member.id)));
    }
    expect(states).toEqual(Array.from(states, () => ({ hidden: 1 })));
  });

  it("starts again in the next country, but not at the next report", async () => {
    const member = await createMember(worker);
    await reported(member, KAMPALA);
    await choose(member, "usual");
    expect(await reported(member, KAMPALA)).toMatchObject({ hide: false, stay: "UG" });
    const nairobi = { lat: -1.2833, lon: 36.8167 };
    expect(await reported(member, nairobi, GPS, Date.now() + 2 * HOUR_MS)).toMatchObject({ hide: true, stay: "KE" });
    expect((await here(member)).stay).toMatchObject({ chosen: false, shown: "hidden" });
  });

  it("shows one cell of 5 km for thirty days, however noisy the GPS is", async () => {
    const member = await createMember(worker);
    const { next } = seededRandom(7);
    const noisyPoint = () => ({
      lat: KAMPALA.lat + (next() - 0.5) * 0.0012,
      lon: KAMPALA.lon + (next() - 0.5) * 0.0012,
    });
    const start = Date.now();
    await reported(member, noisyPoint(), GPS, start);
    await choose(member, "city");
    const seen = new Set<unknown>();
    for (let day = 0; day < 30; day += 1) {
      for (const hour of [8, 13, 21])
        await reported(member, noisyPoint(), GPS, start + day * 24 * HOUR_MS + hour * HOUR_MS);
      for (const row of await queryRows(worker, "select key, cell from position where profile_id = ?", member.id)) {
        seen.add(row.key);
        expect(cellPrecision(toCell(Number(row.cell)))).toBe("city");
      }
    }
    expect(seen.size).toBe(1);
    // Asking for the finest precision changes nothing.
    await reported(member, KAMPALA, { ...GPS, precision: "exact" }, start + 31 * 24 * HOUR_MS);
    const [row] = await queryRows(worker, "select key, cell from position where profile_id = ?", member.id);
    expect([...seen]).toEqual([row?.key]);
  });
});

describe("a network in such a country", () => {
  const look = async (member: TestMember, place: string) => {
    const response = await fromRegion(member, place).fetch("/api/travel/look", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    return (await response.json()) as Whereabouts;
  };
  const pass = (member: TestMember, hours: number) =>
    worker.run({
      query: `update travel_stay set ts_seen = ts_seen - ?1, ts_elsewhere = ts_elsewhere - ?1 where profile_id = ?2`,
      values: [hours * HOUR_MS, member.id],
    });

  it("counts without a position of the device, and ends its stay after a day elsewhere, not after a day without the member", async () => {
    const member = await createMember(worker);
    expect((await look(member, "DE")).stay).toBeNull();
    expect((await look(member, "UG")).stay).toMatchObject({ country: "UG", shown: "hidden" });
    await pass(member, 25);
    expect((await look(member, "DE")).stay).toMatchObject({ country: "UG" });
    await pass(member, 23);
    expect((await look(member, "DE")).stay).toMatchObject({ country: "UG" });
    await look(member, "UG");
    await pass(member, 25);
    expect((await look(member, "DE")).stay).toMatchObject({ country: "UG" });
    await pass(member, 25);
    expect(await look(member, "DE")).toEqual({ stay: null, left: "UG" });
  });

  it("does not end a stay that a device began, which may be behind a VPN, or where the law applies only in part of the country", async () => {
    const [behindVpn, inAceh] = [await createMember(worker), await createMember(worker)];
    const long = Date.now() - 27 * HOUR_MS;
    await reported(behindVpn, KAMPALA, GPS, long);
    await reported(inAceh, { lat: 5.55, lon: 95.32 }, { use: "OVERRIDE" }, long);
    for (const [member, network, country] of [
      [behindVpn, "DE", "UG"],
      [inAceh, "ID", "ID"],
    ] as const) {
      for (let day = 0; day < 3; day += 1) {
        await pass(member, 25);
        expect((await look(member, network)).stay).toMatchObject({ country, shown: "hidden", muted: true });
      }
      expect(await queryRows(worker, "select hidden from profile where id = ?", member.id)).toEqual([{ hidden: 1 }]);
    }
    expect(await reported(behindVpn, PHOENIX)).toMatchObject({ hide: false, stay: null });
  });

  it("does not end the stay while another device reports that the member is still there", async () => {
    const member = await createMember(worker);
    const { DB: d1 } = worker.env;
    const db = openDatabase(d1);
    const now = Date.now();
    await look(member, "UG");
    await look(member, "DE");
    await pass(member, 25);
    // What the other device's session reads before the report.
    const [position, places, hides] = await Promise.all([
      findPosition(db, member.id),
      getPlacesRow(db, member.id),
      findHides(db, member.id),
    ]);
    await reported(member, KAMPALA, GPS, now);
    vi.stubGlobal("__DEVELOPMENT__", true);
    const request = new Request("https://x.test", { headers: { "x-development-place": "DE" } });
    const viewer = { profileId: member.id, provedAt: now, position, places, hides };
    const context = { viewer, db, d1, env: worker.env, now, request, waitUntil: () => undefined };
    expect(await refreshStay(context as unknown as MemberContext)).toMatchObject({
      stay: { country: "UG" },
      left: null,
    });
    vi.unstubAllGlobals();
    expect(await findHides(db, member.id)).toBe(true);
  });

  it("is ignored if the device has a position, or if the law applies only in part of the country", async () => {
    const member = await createMember(worker);
    await reported(member, PHOENIX);
    for (const place of ["UG", "ID"]) {
      const response = await fromRegion(member, place).fetch("/api/travel/look", { method: "POST", body: "{}" });
      expect(((await response.json()) as Whereabouts).stay).toBeNull();
    }
    const other = await createMember(worker);
    const response = await fromRegion(other, "ID").fetch("/api/travel/look", { method: "POST", body: "{}" });
    expect(((await response.json()) as Whereabouts).stay).toBeNull();
    expect(await reported(other, { lat: 5.55, lon: 95.32 })).toMatchObject({ stay: "ID" });
  });
});

describe("calls about a stay", () => {
  it("are limited per member and day", async () => {
    const member = await createMember(worker);
    await reported(member, KAMPALA);
    await hitLimit(worker, `stay:${member.id}`, STAY_CALLS_PER_DAY_MAX - 1, DAY_MS);
    await choose(member, "city");
    for (const refused of [
      await member.send("POST", "/api/travel/look"),
      await member.send("PUT", "/api/travel/stay", { shown: "usual", ...ALL_ON }),
    ]) {
      expect(refused.status).toBe(429);
      expect(await refused.json()).toMatchObject({ error: { code: "TOO_MANY_REQUESTS" } });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await here(member)).stay).toMatchObject({ shown: "city" });
  });
});

describe("explicit pictures", () => {
  it("disappear everywhere, also if marked or uploaded meanwhile, and come back in their place", async () => {
    const [member, friend] = [await createMember(worker), await createMember(worker)];
    const plain = await uploadPicture(member);
    const explicit = await uploadPicture(member, { nsfw: true });
    const last = await uploadPicture(member);
    const secret = await uploadPicture(member, { nsfw: true, audience: "private" });
    const sent = await uploadPicture(member, { nsfw: true, audience: "chat" });
    await member.send("PUT", "/api/album-grant", { memberProfileId: friend.id });
    const message = { recipientProfileId: friend.id, bodyText: "Look", profilePicIds: [sent.id] };
    expect((await member.send("POST", "/api/message", message)).status).toBe(201);
    const shown = async () => {
      const profile = await friend.get<Profile>(`/api/profile/${member.id}`);
      return [profile.profilePicIds, profile.profilePicIdsPrivate];
    };
    const bytes = async (id: number) => (await friend.fetch(`/api/profile-pic/nsfw/${id}?scale_x=256`)).status;
    const before = [[plain.id, explicit.id, last.id], [secret.id]];
    expect(await shown()).toEqual(before);
    for (const { id } of [plain, explicit, secret, sent]) expect(await bytes(id)).toBe(200);

    await reported(member, KAMPALA);
    // Before any choice, which brings an answer about the pictures of its own.
    const states = "select distinct hidden_by_staff as state from picture where profile_id = ? and nsfw_owner = 1";
    expect(await queryRows(worker, states, member.id)).toEqual([{ state: 3 }]);
    await choose(member, "city");
    expect(await shown()).toEqual([[plain.id, last.id], []]);
    for (const { id } of [explicit, secret, sent]) expect(await bytes(id)).toBe(404);
    expect((await member.fetch(`/api/profile-pic/nsfw/${explicit.id}?scale_x=256`)).status).toBe(200);
    expect((await member.get<Profile>(`/api/profile/${member.id}`)).profilePicIds).toEqual(before[0]);

    const fresh = await uploadPicture(member, { nsfw: true });
    await member.send("PUT", `/api/profile-pic/${last.id}`, { nsfw: true });
    expect(await shown()).toEqual([[plain.id], []]);
    for (const { id } of [fresh, last]) expect(await bytes(id)).toBe(404);
    await member.send("PUT", `/api/profile-pic/${last.id}`, { nsfw: false });
    expect(await shown()).toEqual([[plain.id, last.id], []]);

    await choose(member, "city", { withdrawn: false, muted: true });
    expect(await shown()).toEqual([[plain.id, explicit.id, last.id, fresh.id], [secret.id]]);
    await choose(member, "city");
    await reported(member, PHOENIX, GPS, Date.now() + HOUR_MS);
    expect(await shown()).toEqual([[plain.id, explicit.id, last.id, fresh.id], [secret.id]]);
    for (const { id } of [explicit, secret, sent, fresh]) expect(await bytes(id)).toBe(200);
    const [lists] = await queryRows(
      worker,
      "select own_pics_public, own_pics_private from profile where id = ?",
      member.id,
    );
    expect(lists).toEqual({ own_pics_public: null, own_pics_private: null });
  });
});

describe("pushes", () => {
  it("are muted until the member wants them", async () => {
    const [member, sender] = [await createMember(worker), await createMember(worker)];
    const phone = service.createDevice("travel-phone");
    expect((await member.send("POST", "/api/push-subscription", phone.subscription)).status).toBe(201);
    await reported(member, KAMPALA);
    await choose(member, "city");
    const write = () =>
      sender.send("POST", "/api/message", { recipientProfileId: member.id, bodyText: `${Date.now()} hello there` });
    expect((await write()).status).toBe(201);
    // The reminder of a plan is still sent: it may be about getting home safely.
    await worker.env.DB.prepare(
      "insert into notification (profile_id, kind, body_text, brand, ts_created) values (?, 'plan', 'Due', 'ember', ?)",
    )
      .bind(member.id, Date.now())
      .run();
    await worker.env.PUSH_QUEUE.send({ profileId: member.id, kind: "plan", brand: "ember", created: Date.now() });
    const reminder = await service.waitForPush(phone.path);
    expect(phone.decrypt(reminder.body)).toMatchObject({ kind: "plan" });
    await choose(member, "city", { withdrawn: true, muted: false });
    await member.send("POST", "/api/message", { recipientProfileId: sender.id, bodyText: "Hello to you" });
    expect((await write()).status).toBe(201);
    await service.waitForPush(phone.path, 2);
    expect(service.received.filter(({ path }) => path === phone.path)).toHaveLength(2);
  });
});

describe("what a stranger learns", () => {
  it("does not include the country: no response about a member contains the stay", async () => {
    const [member, stranger] = [await createMemberAt(worker, PHOENIX), await createMemberAt(worker, KAMPALA)];
    await choose(stranger, "usual");
    await reported(member, KAMPALA, GPS, Date.now() + HOUR_MS);
    await choose(member, "city");
    for (const path of [`/api/profile/${member.id}`, "/api/profile-briefs/nearest", "/api/travel/coming"]) {
      expect(await (await stranger.fetch(path)).text()).not.toMatch(/"UG"|withdrawn|muted|"stay"/);
    }
    expect((await stranger.send("PUT", "/api/travel/stay", { shown: "near", ...ALL_ON })).status).toBe(400);
    expect(
      (await (await createMember(worker)).send("PUT", "/api/travel/stay", { shown: "city", ...ALL_ON })).status,
    ).toBe(404);
  });
});
