/**
 * Attacks on where a member rests: an observer of their marker must see one point for one place, however the member got
 * there.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@lambda/contract/limits";
import type { NearbyBrief, OwnPlaces, PositionReportResponse } from "@lambda/contract/positions";
import { METERS_PER_DEGREE, type Point } from "@lambda/geo/distance";
import { cellAt, cellBounds } from "@lambda/geo/lattice";
import { createMember, type TestMember } from "@lambda/testing/member";
import { createMemberAt, PHOENIX, queryRows, reportPosition } from "@lambda/testing/scenes/positions";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";
import { EVERY_MINUTE } from "../../schedule.ts";

let worker: TestWorker;
let watcher: TestMember;
let member: TestMember;
let now: number;
beforeEach(async () => {
  worker = await startWorker();
  watcher = await createMemberAt(worker, PHOENIX);
  member = await createMember(worker);
  now = Date.now();
  // These tests last many nights.
  await queryRows(worker, "update session set ts_expires = ?", now + 400 * DAY_MS);
});

/** Meters east and north of a point. */
const offsetBy = ({ lat, lon }: Point, east: number, north: number): Point => ({
  lat: lat + north / METERS_PER_DEGREE,
  lon: lon + east / (METERS_PER_DEGREE * Math.cos((lat * Math.PI) / 180)),
});

/** Noise that is the same in each run. */
const noiseOf = (seed: number, meters: number): [number, number] => [
  Math.sin(seed * 12.9898) * meters,
  Math.sin(seed * 78.233) * meters,
];

const gps = async (at: Point, more: Record<string, unknown> = {}) => {
  const response = await reportPosition(member, at, { use: "DEVICE_GPS", ...more }, now);
  expect(response.status).toBe(200);
  return (await response.json()) as PositionReportResponse;
};

/** Where the watcher sees the member, once whatever is pending has been published. */
async function seen(): Promise<string> {
  await worker.runCron(EVERY_MINUTE, now);
  const box = `latMin=${PHOENIX.lat - 0.5}&latMax=${PHOENIX.lat + 0.5}&lonMin=${PHOENIX.lon - 0.5}&lonMax=${PHOENIX.lon + 0.5}`;
  const briefs = (await (
    await watcher.fetch(`/api/profile-briefs/by-bounds?${box}`, { headers: { "x-development-now": String(now) } })
  ).json()) as NearbyBrief[];
  const brief = briefs.find(({ profileId }) => profileId === member.id);
  return `${brief?.lat} ${brief?.lon}`;
}

const placesOf = () => member.get<OwnPlaces>(`/api/profile-position/${member.id}/places`);

/** The member's home is just inside an edge and a corner of a cell, the worst case. */
async function homeAtACorner(): Promise<Point> {
  const { lattice } = await placesOf();
  const { latMax, lonMax } = cellBounds(lattice, cellAt(lattice, PHOENIX, "street"));
  return offsetBy({ lat: latMax, lon: lonMax }, -12, -12);
}

/** The member comes from 2 km away, with or without reports on the way, and stays the night. */
async function spendNight(home: Point, way: number, { onTheWay = true, noise = 0, session = 7 } = {}) {
  const [east, north] = [Math.cos(way), Math.sin(way)];
  for (let meters = 2000; meters > 0 && onTheWay; meters -= 250) {
    await gps(offsetBy(home, east * meters, north * meters), { session });
    now += 4 * MINUTE_MS;
  }
  for (let hour = 0; hour < 3; hour += 1) {
    await gps(offsetBy(home, ...noiseOf(now / MINUTE_MS, noise)), { session });
    now += HOUR_MS;
  }
}

describe("what is shown of a place", () => {
  it("is one point for ten nights, on ten ways home, on alternating devices and with noise", async () => {
    const home = await homeAtACorner();
    await spendNight(home, 0, { noise: 40 });
    const nights = new Set<string>();
    for (let night = 1; night <= 10; night += 1) {
      now += DAY_MS - 4 * HOUR_MS;
      // A new login, or the other device, each night; every third night the app is closed on the way.
      await spendNight(home, night * 0.7, { noise: 40, session: night % 2, onTheWay: night % 3 !== 0 });
      nights.add(await seen());
    }
    expect([...nights]).toHaveLength(1);
  });

  it("is the same after a return from random, from a drag and from another precision", async () => {
    const home = await homeAtACorner();
    await spendNight(home, 1);
    const first = await seen();
    for (let day = 1; day <= 4; day += 1) {
      now += DAY_MS;
      await reportPosition(member, home, { use: "RANDOM" }, now);
      now += HOUR_MS;
      await gps(offsetBy(home, ...noiseOf(day, 60)));
      now += HOUR_MS;
      expect(await seen()).toBe(first);
      // From GPS to walk mode, as happens by itself when GPS fails.
      await reportPosition(member, offsetBy(home, ...noiseOf(day + 0.5, 60)), {}, now);
      expect(await seen()).toBe(first);
      await gps(home, { precision: "district" });
      now += HOUR_MS;
      expect(await seen()).not.toBe(first);
      await gps(offsetBy(home, ...noiseOf(day + 0.2, 60)), { precision: "street" });
      now += HOUR_MS;
      expect(await seen()).toBe(first);
    }
  });

  it("is the same after a drag to another cell and back", async () => {
    const home = await homeAtACorner();
    await spendNight(home, 2);
    const first = await seen();
    await reportPosition(member, offsetBy(home, 900, 900), {}, now);
    expect(await seen()).not.toBe(first);
    await reportPosition(member, home, {}, now);
    expect(await seen()).toBe(first);
  });
});

describe("the cells of a member", () => {
  it("are different for each member: two in one spot have different borders, and neither learns the other's", async () => {
    const other = await createMemberAt(worker, PHOENIX);
    const [own, others] = [await placesOf(), await other.get<OwnPlaces>(`/api/profile-position/${other.id}/places`)];
    expect(own.lattice).not.toEqual(others.lattice);
    expect((await member.fetch(`/api/profile-position/${other.id}/places`)).status).toBe(403);
    expect((await member.send("DELETE", `/api/profile-position/${other.id}/places`)).status).toBe(403);
  });

  it("are remembered where GPS located the member, unreadable in the database, and forgotten on request", async () => {
    await reportPosition(member, PHOENIX, { use: "OVERRIDE" }, now);
    await reportPosition(member, PHOENIX, { use: "RANDOM" }, now);
    expect((await placesOf()).remembered).toEqual([]);
    await gps(offsetBy(PHOENIX, 3000, 0));
    for (let report = 0; report < 2; report += 1) {
      now += 16 * MINUTE_MS;
      await gps(offsetBy(PHOENIX, 3000, 0));
    }
    const { places } = await gps(offsetBy(PHOENIX, 3000, 0));
    const day = Math.floor(now / DAY_MS);
    expect(places.remembered).toEqual([
      { cell: cellAt(places.lattice, offsetBy(PHOENIX, 3000, 0), "street"), days: 1, lastDay: day },
    ]);
    expect(await placesOf()).toEqual(places);
    const stored = JSON.stringify(
      await queryRows(worker, "select hex(sealed) as sealed, length(sealed) as bytes from place_memory"),
    );
    for (let more = 1; more < 6; more += 1) {
      for (let repeat = 0; repeat < 2; repeat += 1) {
        now += HOUR_MS;
        await gps(offsetBy(PHOENIX, 3000 + 1500 * more, 0));
        await worker.runCron(EVERY_MINUTE, now);
      }
      now += HOUR_MS;
      await gps(offsetBy(PHOENIX, 3000 + 1500 * more, 0));
    }
    expect((await placesOf()).remembered).toHaveLength(6);
    const after = await queryRows(worker, "select hex(sealed) as sealed, length(sealed) as bytes from place_memory");
    expect(after).toMatchObject([{ bytes: (JSON.parse(stored) as { bytes: number }[])[0]!.bytes }]);
    expect((await member.send("DELETE", `/api/profile-position/${member.id}/places`)).status).toBe(204);
    expect(await queryRows(worker, "select * from place_memory")).toEqual([]);
    expect(await placesOf()).toEqual({ lattice: places.lattice, remembered: [] });
  });

  it("do not depend on a marker in a neighboring cell before GPS", async () => {
    const home = await homeAtACorner();
    await reportPosition(member, offsetBy(home, 60, 0), { use: "OVERRIDE" }, now);
    now += 16 * MINUTE_MS;
    await gps(home);
    now += 16 * MINUTE_MS;
    const { places } = await gps(home);
    await worker.runCron(EVERY_MINUTE, now);
    const [{ cell }] = (await queryRows(worker, "select cell from position where profile_id = ?", member.id)) as [
      { cell: number },
    ];
    expect(cell).toBe(cellAt(places.lattice, home, "street"));
  });

  it("cannot be read from another member's list", async () => {
    const other = await createMember(worker);
    await gps(PHOENIX);
    now += HOUR_MS;
    await gps(PHOENIX);
    await worker.env.DB.prepare("insert into place_memory select ?, sealed from place_memory").bind(other.id).run();
    expect((await other.get<OwnPlaces>(`/api/profile-position/${other.id}/places`)).remembered).toEqual([]);
  });
});

describe("a hidden member", () => {
  it("leaves no time of their activity, neither in lists nor in their profile", async () => {
    const start = now - (now % (15 * MINUTE_MS)) + DAY_MS;
    now = start;
    await reportPosition(member, PHOENIX, { use: "OVERRIDE" }, now);
    await reportPosition(member, PHOENIX, { use: "OVERRIDE", hide: true }, now + MINUTE_MS);
    const before = await queryRows(worker, "select ts_seen, ts_updated from profile where id = ?", member.id);
    // A visit an hour later, with an edit.
    await member.fetch(`/api/profile/${member.id}`, { headers: { "x-development-now": String(start + HOUR_MS) } });
    await queryRows(worker, "update session set ts_last_used = 0 where account_id = ?", member.id);
    await reportPosition(member, PHOENIX, { use: "OVERRIDE" }, start + HOUR_MS + 3 * MINUTE_MS);
    await queryRows(
      worker,
      "update profile set ts_updated = ? where id = ?",
      start + HOUR_MS + 3 * MINUTE_MS,
      member.id,
    );
    expect(await queryRows(worker, "select ts_seen from profile where id = ?", member.id)).toEqual([
      { ts_seen: before[0]?.ts_seen },
    ]);
    now = start + 5 * HOUR_MS + 7 * MINUTE_MS;
    await reportPosition(member, PHOENIX, { use: "OVERRIDE", hide: false }, now);
    const shown = start + 5 * HOUR_MS;
    expect(await queryRows(worker, "select ts_seen, ts_updated from profile where id = ?", member.id)).toEqual([
      { ts_seen: shown, ts_updated: shown },
    ]);
    const brief = (
      (await (
        await watcher.fetch("/api/profile-briefs/nearest", { headers: { "x-development-now": String(now) } })
      ).json()) as NearbyBrief[]
    ).find(({ profileId }) => profileId === member.id);
    expect(brief?.tsUpdated).toBe(new Date(shown).toISOString());
  });

  it("never reveals their session number, hidden or not", async () => {
    for (const session of [7, 941]) {
      await reportPosition(member, offsetBy(PHOENIX, session, 0), { use: "OVERRIDE", session }, now);
      const briefs = await watcher.get<NearbyBrief[]>("/api/profile-briefs/nearest");
      expect(briefs.map(({ session: shown }) => shown)).toEqual([0]);
    }
    const mine = await member.get<PositionReportResponse>(`/api/profile-position/${member.id}`);
    expect(mine.session).toBe(941);
  });
});
