import { ALL_BRANDS_MASK } from "@lambda/brands";
import { characteristicsToBits } from "@lambda/contract/characteristics";
import type { NearbyBrief, PositionAggregate, ProfilePosition } from "@lambda/contract/positions";
import { keyOfPoint } from "@lambda/geo/curve";
import { distanceMeters } from "@lambda/geo/distance";
import { createMember, type TestMember } from "@lambda/testing/member";
import {
  createMemberAt,
  listNearestIds,
  PHOENIX,
  placeMembers,
  queryRows,
  readCost,
  reportPosition,
} from "@lambda/testing/scenes/positions";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";
import { HOURLY } from "../../schedule.ts";

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

describe("nearest", () => {
  it("orders by the distance of published positions, in pages by cursor and by number", async () => {
    const viewer = await createMemberAt(worker, PHOENIX);
    const others: TestMember[] = [];
    for (let step = 1; step <= 12; step += 1) {
      others.push(await createMemberAt(worker, { lat: PHOENIX.lat + step * 0.03, lon: PHOENIX.lon + step * 0.01 }));
    }
    const briefs = await viewer.get<NearbyBrief[]>("/api/profile-briefs/nearest");
    expect(briefs.map((brief) => brief.profileId)).toEqual(others.map(({ id }) => id));
    const own = await viewer.get<ProfilePosition>(`/api/profile-position/${viewer.id}`);
    for (const { lat, lon, distanceMeters: shownMeters } of briefs) {
      expect(shownMeters).toBe(Math.round(distanceMeters(own, { lat: lat ?? 0, lon: lon ?? 0 })));
    }
    const first = await viewer.fetch("/api/profile-briefs/nearest?size=5");
    const pages = [((await first.json()) as NearbyBrief[]).map((brief) => brief.profileId)];
    for (let cursor = first.headers.get("x-next-cursor"); cursor; ) {
      const next = await viewer.fetch(`/api/profile-briefs/nearest?size=5&cursor=${cursor}`);
      pages.push(((await next.json()) as NearbyBrief[]).map((brief) => brief.profileId));
      cursor = next.headers.get("x-next-cursor");
    }
    expect(pages.flat()).toEqual(others.map(({ id }) => id));
    expect(await listNearestIds(viewer, "?size=5&page=1")).toEqual(others.slice(5, 10).map(({ id }) => id));
    expect(await listNearestIds(viewer, "?size=5&page=2")).toEqual(others.slice(10).map(({ id }) => id));
    expect(await listNearestIds(viewer, "?size=5&page=7")).toEqual([]);
    expect((await viewer.fetch("/api/profile-briefs/nearest?page=9000&size=30")).status).toBe(400);
    expect((await viewer.fetch("/api/profile-briefs/nearest?cursor=abc")).status).toBe(400);
  });

  it("filters by characteristics, age, picture, presence and distance", async () => {
    const viewer = await createMemberAt(worker, PHOENIX);
    const bear = await createMemberAt(worker, PHOENIX, {
      characteristics: characteristicsToBits(["bear", "coffee"]),
      birthdate: "1980-01-01",
    });
    const young = await createMemberAt(worker, PHOENIX, {
      characteristics: characteristicsToBits(["coffee"]),
      birthdate: "2005-01-01",
    });
    const far = await createMemberAt(
      worker,
      { lat: 35, lon: -112 },
      { birthdate: "1940-01-01", created: Date.now() - 86_400_000 },
    );
    await worker.env.DB.prepare("update profile set pics_public = '[5]' where id = ?").bind(young.id).run();
    expect(await listNearestIds(viewer, "?characteristics=coffee,BEAR")).toEqual([bear.id]);
    expect((await listNearestIds(viewer, "?characteristics=coffee")).sort()).toEqual([bear.id, young.id].sort());
    expect(await listNearestIds(viewer, "?ageMin=30&ageMax=60")).toEqual([bear.id]);
    expect(await listNearestIds(viewer, "?ageMax=30")).toEqual([young.id]);
    expect(await listNearestIds(viewer, "?hasPicture=true")).toEqual([young.id]);
    expect((await listNearestIds(viewer, "?onlineNow=true")).sort()).toEqual([bear.id, young.id].sort());
    expect((await listNearestIds(viewer, "?maxDistanceMeters=5000")).sort()).toEqual([bear.id, young.id].sort());
    expect(await listNearestIds(viewer, "?maxDistanceMeters=5000&ageMin=70")).toEqual([]);
    expect(await listNearestIds(viewer)).toHaveLength(3);
    expect(await listNearestIds(viewer)).toContain(far.id);
    expect((await viewer.fetch("/api/profile-briefs/nearest?characteristics=nonsense")).status).toBe(400);
  });

  it("returns everybody in numbered pages, and by cursor however few match", async () => {
    const viewer = await createMemberAt(worker, { lat: 33.5, lon: -112.5 });
    const crowd = Array.from({ length: 6000 }, (_, index) => {
      const angle = index * 2.399_963;
      const radius = (0.4 * index) / 6000;
      return keyOfPoint({ lat: 33.5 + radius * Math.sin(angle), lon: -112.5 + radius * Math.cos(angle) });
    });
    await placeMembers(
      worker,
      crowd.map((key, index) => [viewer.id + 1 + index, key]),
    );
    await worker.env.DB.prepare("update profile set pics_public = '[5]' where id > ?1 and (id - ?1) % 1000 = 0")
      .bind(viewer.id)
      .run();
    await worker.runCron(HOURLY);
    const few: number[] = [];
    let requests = 0;
    const costs: number[][] = [];
    for (let next: string | null = ""; next !== null; requests += 1) {
      const response = await viewer.fetch(`/api/profile-briefs/nearest?hasPicture=true&size=4&${next}`);
      few.push(...((await response.json()) as NearbyBrief[]).map(({ profileId }) => profileId));
      costs.push([readCost(response, "rows-read"), readCost(response, "trips"), few.length]);
      expect(readCost(response, "rows-read"), JSON.stringify(costs)).toBeLessThanOrEqual(500);
      expect(readCost(response, "trips")).toBeLessThanOrEqual(requests === 0 ? 5 : 4);
      const cursor = response.headers.get("x-next-cursor");
      next = cursor && `cursor=${cursor}`;
    }
    expect(few.map((id) => id - viewer.id)).toEqual([1000, 2000, 3000, 4000, 5000, 6000]);
    expect(requests).toBeLessThanOrEqual(6000 / 170);
    const numbered: number[][] = [];
    for (const page of [0, 1, 2]) numbered.push(await listNearestIds(viewer, `?hasPicture=true&size=4&page=${page}`));
    expect(numbered).toEqual([few.slice(0, 4), few.slice(4), []]);
    const many: number[] = [];
    for (const page of [0, 1, 2]) many.push(...(await listNearestIds(viewer, `?ageMin=18&size=40&page=${page}`)));
    expect(many).toEqual(await listNearestIds(viewer, "?size=120"));
    const seen = new Set<number>();
    for (const page of [0, 1, 2, 3, 4]) {
      const response = await viewer.fetch(`/api/profile-briefs/by-sector/33:-113?size=1500&page=${page}`);
      expect(response.status).toBe(200);
      for (const { profileId } of (await response.json()) as NearbyBrief[]) seen.add(profileId);
    }
    expect(seen.size).toBe(6000);
    expect((await viewer.fetch("/api/profile-briefs/by-sector/33:-113?size=1500&page=10")).status).toBe(400);
  });

  it("reads few rows next to a crowd, also in an isolate that knows nothing yet", async () => {
    // A hundred members along a coast, and two hundred within a few streets.
    const viewer = await createMemberAt(worker, { lat: 37.75, lon: -122.4 });
    const coast = Array.from({ length: 100 }, (_, index) => keyOfPoint({ lat: 37.3 + index / 110, lon: -122.45 }));
    const streets = Array.from({ length: 200 }, (_, index) =>
      keyOfPoint({ lat: 37.76 + (index % 14) / 2000, lon: -122.43 + Math.floor(index / 14) / 2000 }),
    );
    await placeMembers(
      worker,
      [...coast, ...streets].map((key, index) => [viewer.id + 1 + index, key]),
    );
    await worker.runCron(HOURLY);
    const rows: number[] = [];
    for (let step = 0; step < 12; step += 1) {
      await reportPosition(viewer, { lat: 37.5 + step / 30, lon: -122.4 - (step % 3) / 50 });
      const response = await viewer.fetch("/api/profile-briefs/nearest?page=0&size=30");
      expect((await response.json()) as NearbyBrief[]).toHaveLength(30);
      rows.push(readCost(response, "rows-read"));
      expect(readCost(response, "trips")).toBeLessThanOrEqual(step === 0 ? 4 : 2);
    }
    // Each reading of a whole crowd would add two hundred.
    expect(Math.max(...rows), rows.join()).toBeLessThanOrEqual(120);
    expect(rows.toSorted((a, b) => a - b)[rows.length / 2], rows.join()).toBeLessThanOrEqual(90);
  });

  it("measures from a random position if the viewer has none, and works at a pole and the date line", async () => {
    const viewer = await createMember(worker);
    const pole = await createMemberAt(worker, { lat: 89.999, lon: 12 });
    const west = await createMemberAt(worker, { lat: 0, lon: -179.99 });
    const east = await createMemberAt(worker, { lat: 0, lon: 179.99 });
    expect(await listNearestIds(viewer)).toHaveLength(3);
    expect(await listNearestIds(east)).toEqual([west.id, pole.id]);
    expect(await listNearestIds(pole)).toHaveLength(2);
  });
});

describe("bounds and sectors", () => {
  it("return the members inside, also across the date line", async () => {
    const viewer = await createMemberAt(worker, PHOENIX);
    const near = await createMemberAt(worker, { lat: 33.7, lon: -112.5 });
    const west = await createMemberAt(worker, { lat: -17.5, lon: -179.5 });
    const east = await createMemberAt(worker, { lat: -17.5, lon: 179.5 });
    const get = async (path: string) =>
      (await viewer.get<NearbyBrief[]>(`/api/profile-briefs/${path}`)).map((brief) => brief.profileId).sort();
    expect(await get("by-bounds?latMin=33.5&latMax=33.8&lonMin=-113&lonMax=-112")).toEqual([near.id]);
    expect(await get("by-bounds?latMin=33.71&latMax=33.8&lonMin=-113&lonMax=-112")).toEqual([]);
    expect(await get("by-bounds?latMin=-20&latMax=-10&lonMin=170&lonMax=-170")).toEqual([west.id, east.id].sort());
    expect(await get("by-bounds?latMin=-90&latMax=90&lonMin=-180&lonMax=180")).toHaveLength(3);
    expect((await viewer.fetch("/api/profile-briefs/by-bounds?latMin=10&latMax=-10&lonMin=0&lonMax=1")).status).toBe(
      400,
    );
    expect(await get("by-sector/33:-113")).toEqual([near.id]);
    expect(await get("by-sector/33.9:-112.1?page=0&size=1500")).toEqual([near.id]);
    expect(await get("by-sector/-18:179")).toEqual([east.id]);
    expect(await get("by-sector/-18:-180")).toEqual([west.id]);
    expect(await get("by-sector/-18:180")).toEqual([west.id]);
    expect((await viewer.fetch("/api/profile-briefs/by-sector/91:0")).status).toBe(400);
    expect((await viewer.fetch("/api/profile-briefs/by-bounds?latMin=1")).status).toBe(400);
  });

  it("page through a sector without repeating or losing anybody", async () => {
    const viewer = await createMemberAt(worker, PHOENIX);
    const ids: number[] = [];
    for (let step = 0; step < 9; step += 1)
      ids.push((await createMemberAt(worker, { lat: 33.1 + step * 0.09, lon: -112.2 })).id);
    for (const path of ["by-sector/33:-113", "by-bounds?latMin=33&latMax=34&lonMin=-113&lonMax=-112"]) {
      const found: number[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const query = `${path.includes("?") ? "&" : "?"}size=4${cursor && `&cursor=${cursor}`}`;
        const response = await viewer.fetch(`/api/profile-briefs/${path}${query}`);
        found.push(...((await response.json()) as NearbyBrief[]).map((brief) => brief.profileId));
        cursor = response.headers.get("x-next-cursor");
      }
      expect(found.sort()).toEqual(ids.sort());
      const second = await viewer.get<NearbyBrief[]>(
        `/api/profile-briefs/${path}${path.includes("?") ? "&" : "?"}size=4&page=2`,
      );
      expect(second).toHaveLength(1);
    }
  });
});

describe("visibility", () => {
  it("applies to every search from the next request on: hidden, blocked, suspended, unshared, expired", async () => {
    const viewer = await createMemberAt(worker, PHOENIX);
    for (let count = 0; count < 3; count += 1) await createMemberAt(worker, { lat: 33.6, lon: -112.3 });
    const subject = await createMemberAt(worker, { lat: 33.6, lon: -112.3 }, { sharedOn: ALL_BRANDS_MASK });
    const sees = async () => {
      const lists = await Promise.all(
        [
          "profile-briefs/nearest",
          "profile-briefs/by-sector/33:-113",
          "profile-briefs/by-bounds?latMin=33&latMax=34&lonMin=-113&lonMax=-112",
        ].map(async (path) =>
          (await viewer.get<NearbyBrief[]>(`/api/${path}`)).some((brief) => brief.profileId === subject.id),
        ),
      );
      const aggregates = await viewer.get<PositionAggregate[]>("/api/profile-positions/aggregates");
      return [...lists, aggregates.reduce((sum, { count }) => sum + count, 0)];
    };
    const seen = [true, true, true, 4];
    const unseen = [false, false, false, 3];
    expect(await sees()).toEqual(seen);

    expect((await reportPosition(subject, { lat: 33.6, lon: -112.3 }, { hide: true })).status).toBe(200);
    expect(await sees()).toEqual(unseen);
    await reportPosition(subject, { lat: 33.6, lon: -112.3 }, { hide: false });
    expect(await sees()).toEqual(seen);

    const { DB } = worker.env;
    for (const change of [
      "birthdate = null",
      "status = 'suspended'",
      "status = 'banned'",
      "shared_on = 2",
      "discreet_on = shared_on, shared_on = 0",
      "profile_name = ''",
    ]) {
      const [before] = await queryRows(
        worker,
        "select status, shared_on, profile_name, birthdate from profile where id = ?",
        subject.id,
      );
      await DB.prepare(`update profile set ${change} where id = ?`).bind(subject.id).run();
      expect(await sees()).toEqual(unseen);
      await DB.prepare(
        "update profile set status = ?, shared_on = ?, discreet_on = 0, profile_name = ?, birthdate = ? where id = ?",
      )
        .bind(before?.status, before?.shared_on, before?.profile_name, before?.birthdate, subject.id)
        .run();
      expect(await sees()).toEqual(seen);
    }

    for (const [me, other] of [
      [viewer, subject],
      [subject, viewer],
    ] as const) {
      await DB.batch([
        DB.prepare(
          "insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) values (?, ?, 1, 0, 0)",
        ).bind(me.id, other.id),
        DB.prepare(
          "insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) values (?, ?, 0, 1, 0)",
        ).bind(other.id, me.id),
      ]);
      expect(await sees()).toEqual(unseen);
      expect(await listNearestIds(subject)).not.toContain(viewer.id);
      await DB.prepare("delete from block").run();
    }
    const expired = { tsEffectiveUntil: Date.now() };
    await reportPosition(subject, { lat: 33.6, lon: -112.3 }, expired);
    expect(await sees()).toEqual(unseen);
  });

  it("shows each brand its own members", async () => {
    const shared = await createMemberAt(worker, PHOENIX, { sharedOn: ALL_BRANDS_MASK });
    const local = await createMemberAt(worker, PHOENIX);
    const sister = await createMemberAt(worker, PHOENIX, { brand: "harbor" });
    expect(await listNearestIds(shared)).toEqual([local.id]);
    expect(await listNearestIds(sister)).toEqual([shared.id]);
    expect((await listNearestIds(await shared.onBrand("harbor"))).sort()).toEqual([sister.id]);
  });
});
