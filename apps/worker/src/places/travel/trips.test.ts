import { DAY_MS, HOUR_MS, TRIP_CHANGES_PER_DAY_MAX, TRIPS_MAX } from "@lambda/contract/limits";
import type { ComingMembers, Trip, VisitingMember } from "@lambda/contract/travel";
import type { Point } from "@lambda/geo/distance";
import { cellPrecision, toCell } from "@lambda/geo/grid";
import { createMember, type TestMember } from "@lambda/testing/member";
import { hitLimit } from "@lambda/testing/rate-limits";
import { createMemberAt, PHOENIX, queryRows, reportPosition } from "@lambda/testing/scenes/positions";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { NIGHTLY } from "../../schedule.ts";

const BERLIN = { lat: 52.52, lon: 13.405 };
const LAGOS = { lat: 6.5244, lon: 3.3792 };

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const day = (ahead: number) => new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10);
const draft = (more: object = {}) => ({ name: "Berlin", ...BERLIN, from: day(3), to: day(6), ...more });
async function plan(member: TestMember, more: object = {}): Promise<Trip> {
  const response = await member.send("POST", "/api/travel/trips", draft(more));
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json()) as Trip;
}
const show = (member: TestMember, { id }: Trip, shown = true) =>
  member.send("PUT", `/api/travel/trips/${id}`, { shown });
const coming = async (viewer: TestMember, now = Date.now()) => {
  const response = await viewer.fetch("/trpc/travel.coming", { headers: { "x-development-now": String(now) } });
  const { result } = (await response.json()) as { result: { data: ComingMembers } };
  const { items, closed } = result.data;
  return closed ?? items.map(({ profileId }) => profileId);
};
const GPS = { use: "DEVICE_GPS" };
/** A member whose device is there. */
async function createMemberIn(point: Point): Promise<TestMember> {
  const member = await createMember(worker);
  expect((await reportPosition(member, point, GPS)).status).toBe(200);
  return member;
}

describe("a trip", () => {
  it("is shown to members there from thirty days before, if its member agreed, and to nobody elsewhere", async () => {
    const [member, there, home] = [
      await createMember(worker),
      await createMemberIn(BERLIN),
      await createMemberIn(PHOENIX),
    ];
    const trip = await plan(member);
    expect(trip).toMatchObject({ name: "Berlin", shown: null, country: null });
    expect(await coming(there)).toEqual([]);
    expect((await show(member, trip)).status).toBe(200);
    const [seen] = await there.get<VisitingMember[]>("/api/travel/coming");
    expect(seen).toMatchObject({ profileId: member.id, from: day(3), to: day(6) });
    expect(JSON.stringify(seen)).not.toMatch(/Berlin|lat|lon|distance/);
    expect(await coming(home)).toEqual([]);
    expect(await coming(member)).toEqual("place");

    await show(member, await plan(member, { from: day(40), to: day(41), name: "Later" }));
    expect(await there.get<VisitingMember[]>("/api/travel/coming")).toHaveLength(1);
    // The visibility rule applies: members who are discreet, block, hide or left are in no list.
    for (const on of [true, false]) {
      expect((await member.send("PUT", "/api/settings/discreet", { discreet: on })).ok).toBe(true);
      expect(await coming(there)).toHaveLength(on ? 0 : 1);
    }
    for (const blocked of [true, false]) {
      const block = { likedProfileId: there.id, blocked };
      expect((await member.send("PUT", "/api/profile-like", block)).status).toBe(200);
      expect(await coming(there)).toHaveLength(blocked ? 0 : 1);
    }
    await worker.env.DB.prepare("update profile set hidden = 1 where id = ?").bind(member.id).run();
    expect(await coming(there)).toEqual([]);
  });

  it("take one place of the list for each member, however often he comes", async () => {
    const there = await createMemberIn(BERLIN);
    for (let count = 0; count < 3; count += 1) {
      const member = await createMember(worker);
      for (let trip = 0; trip < 10; trip += 1) await show(member, await plan(member, { name: `Trip ${trip}` }));
    }
    const last = await createMember(worker);
    await show(last, await plan(last, { from: day(5), to: day(8) }));
    expect(await coming(there)).toContain(last.id);
  });

  it("cannot be searched for with a marker, which shows it only after three days in its place", async () => {
    const [member, searcher] = [await createMember(worker), await createMember(worker)];
    await show(member, await plan(member));
    for (let step = 0; step < 25; step += 1) {
      const point = { lat: BERLIN.lat + (Math.floor(step / 5) - 2) * 0.5, lon: BERLIN.lon + ((step % 5) - 2) * 0.8 };
      expect((await reportPosition(searcher, point)).status).toBe(200);
      expect(await coming(searcher)).toBe("place");
    }
    const [local, mover] = [await createMemberAt(worker, BERLIN), await createMemberAt(worker, BERLIN)];
    const start = Date.now() + 60_000;
    for (const days of [1, 2, 3]) {
      const now = start + days * DAY_MS - HOUR_MS;
      expect(await coming(local, now)).toBe("place");
      await reportPosition(local, BERLIN, {}, now);
      await reportPosition(mover, { lat: BERLIN.lat + days / 100, lon: BERLIN.lon }, {}, now);
    }
    expect(await coming(local, start + 3 * DAY_MS)).toContain(member.id);
    expect(await coming(mover, start + 3 * DAY_MS)).toBe("place");
    // A position that has ended says nothing.
    expect(await coming(local, start + 5 * DAY_MS)).toBe("place");
  });

  it("cannot be searched for with false positions of a device: three places a day, which no move within one narrows", async () => {
    const [member, searcher] = [await createMember(worker), await createMember(worker)];
    await show(member, await plan(member));
    let now = Date.now();
    const look = async (point: Point) => {
      now += HOUR_MS;
      expect((await reportPosition(searcher, point, GPS, now)).status).toBe(200);
      return coming(searcher, now);
    };
    const { lat, lon } = BERLIN;
    for (const place of [PHOENIX, LAGOS, { lat, lon: lon + 3 }]) expect(await look(place)).toEqual([]);
    for (let step = 0; step < 6; step += 1) expect(await look({ lat: lat + step / 4, lon })).toBe("day");
    // A place of the same day can be seen again.
    expect(await look(PHOENIX)).toEqual([]);

    // What a place shows is the same all over it, also at the edge of the reach.
    const keysOfPlace = 4 ** 14;
    for (let step = 0; step < 9; step += 1) {
      const walker = await createMemberIn({ lat: lat + 0.3 + step * 0.04, lon });
      const [row] = await queryRows(worker, "select key from position where profile_id = ?", walker.id);
      const start = Math.floor(Number(row?.key) / keysOfPlace) * keysOfPlace;
      const answers = new Set<boolean>();
      for (const part of [0, 1, 2, 3]) {
        await worker.env.DB.prepare("update position set key = ? where profile_id = ?")
          .bind(start + (part * keysOfPlace) / 4, walker.id)
          .run();
        answers.add([await coming(walker)].flat().includes(member.id));
      }
      expect([step, answers.size]).toEqual([step, 1]);
    }
  });

  it("stores a cell of 5 km, and no coordinate", async () => {
    const member = await createMember(worker);
    const trip = await plan(member, { lat: 52.5123456, lon: 13.4123456 });
    const [row] = await queryRows(worker, "select * from trip where id = ?", trip.id);
    expect(cellPrecision(toCell(Number(row?.cell)))).toBe("city");
    expect(JSON.stringify(row)).not.toMatch(/52\.5|13\.4/);
  });

  it("is shown to nobody in a country that punishes until its member turns that on", async () => {
    const [member, there] = [await createMember(worker), await createMemberIn(LAGOS)];
    await there.send("PUT", "/api/travel/stay", { shown: "usual", withdrawn: false, muted: false });
    const trip = await plan(member, { ...LAGOS, name: "Lagos" });
    expect(trip).toMatchObject({ country: "NG", shown: false });
    expect(await coming(there)).not.toContain(member.id);
    await show(member, trip);
    expect(await coming(there)).toContain(member.id);
  });

  it("belongs to its member only, has sensible days, and is limited to ten", async () => {
    const [member, other] = [await createMember(worker), await createMember(worker)];
    const trip = await plan(member);
    expect((await show(other, trip)).status).toBe(404);
    expect((await other.send("DELETE", `/api/travel/trips/${trip.id}`)).status).toBe(404);
    for (const [wrong, field] of [
      [{ from: day(6), to: day(3) }, "to"],
      [{ from: day(-5) }, "from"],
      [{ from: day(400), to: day(401) }, "from"],
      [{ to: day(300) }, "to"],
      [{ from: "soon" }, "from"],
      [{ lat: 91 }, "lat"],
      [{ name: "x".repeat(81) }, "name"],
    ] as const) {
      const response = await member.send("POST", "/api/travel/trips", draft(wrong));
      expect(await response.json()).toMatchObject({ error: { code: "BAD_INPUT", field } });
    }
    for (let count = 1; count < TRIPS_MAX; count += 1) await plan(member, { name: `Trip ${count}` });
    expect((await member.send("POST", "/api/travel/trips", draft({ name: "One more" }))).status).toBe(400);
    // What got no answer is repeated, also then.
    expect(await (await member.send("POST", "/api/travel/trips", draft())).json()).toMatchObject({ id: trip.id });
    expect((await member.send("DELETE", `/api/travel/trips/${trip.id}`)).status).toBe(204);
    expect(await member.get<Trip[]>("/api/travel/trips")).toHaveLength(TRIPS_MAX - 1);
  });

  it("can be added or changed only so often a day", async () => {
    const member = await createMember(worker);
    await hitLimit(worker, `trip:${member.id}`, TRIP_CHANGES_PER_DAY_MAX - 1, DAY_MS);
    const trip = await plan(member);
    for (const refused of [await member.send("POST", "/api/travel/trips", draft()), await show(member, trip)]) {
      expect(refused.status).toBe(429);
      expect(await refused.json()).toMatchObject({ error: { code: "TOO_MANY_REQUESTS" } });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(await member.get<Trip[]>("/api/travel/trips")).toMatchObject([{ id: trip.id, shown: null }]);
    // Removing one is always possible.
    expect((await member.send("DELETE", `/api/travel/trips/${trip.id}`)).status).toBe(204);
  });

  it("is deleted when it is over", async () => {
    const member = await createMember(worker);
    const trip = await plan(member, { from: day(0), to: day(1) });
    const left = async (now: number) => {
      await worker.runCron(NIGHTLY, now);
      return queryRows(worker, "select id from trip where id = ?", trip.id);
    };
    expect(await left(Date.now() + 2 * DAY_MS)).toHaveLength(1);
    expect(await left(Date.now() + 5 * DAY_MS)).toEqual([]);
  });
});
