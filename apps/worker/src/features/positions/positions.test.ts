import { characteristicsToBits } from "@lambda/contract/characteristics";
import { cellBounds, cellCentre, distanceMetres, snap } from "@lambda/contract/grid";
import { POSITION_EFFECTIVE_MS, POSITION_PUBLISH_MIN_MS } from "@lambda/contract/limits";
import type { NearbyBrief, PositionAggregate, ProfilePosition } from "@lambda/contract/positions";
import { ALL_BRANDS, as, type MemberOverrides, type TestMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";
import { EVERY_MINUTE, NIGHTLY } from "../../schedule.ts";

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

const PHOENIX = { lat: 33.4484, lon: -112.074 };

interface At {
  readonly lat: number;
  readonly lon: number;
}

function report(member: TestMember, at: At, more: Record<string, unknown> = {}, now?: number): Promise<Response> {
  return member.fetch(`/api/profile-position/${member.id}`, {
    method: "PUT",
    headers: {
      "content-type": "application/json",
      ...(now !== undefined && { "x-development-now": String(now) }),
    },
    body: JSON.stringify({
      ...{ session: 7, overrideLat: at.lat, overrideLon: at.lon, gpsLat: at.lat, gpsLon: at.lon },
      ...{ use: "OVERRIDE", ...more },
    }),
  });
}

async function standing(at: At, overrides: MemberOverrides = {}): Promise<TestMember> {
  const member = await as(worker, overrides);
  expect((await report(member, at)).status).toBe(200);
  return member;
}

const idsNear = async (viewer: TestMember, query = "") =>
  (await viewer.get<NearbyBrief[]>(`/api/profile-briefs/nearest${query}`)).map((brief) => brief.profileId);

async function rows(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
  return (
    await worker.env.DB.prepare(sql)
      .bind(...values)
      .all<Record<string, unknown>>()
  ).results;
}

const cost = (response: Response, what: "trips" | "rows-read" | "rows-written") =>
  Number(response.headers.get(`x-d1-${what}`));

describe("a position report", () => {
  it("stores the cell and publishes a point inside it, and no coordinate that was sent", async () => {
    const member = await as(worker);
    const raw = { lat: 33.448_412_3, lon: -112.073_987_6 };
    const answer = await report(member, raw);
    expect(answer.status).toBe(200);
    const body = (await answer.json()) as ProfilePosition;
    const cell = snap(raw.lat, raw.lon, "street");
    const centre = cellCentre(cell);
    expect(body).toMatchObject({
      ...{ profileId: member.id, session: 7, use: "OVERRIDE", precision: "street", hide: false, pending: false },
      ...{ overrideLat: centre.lat, overrideLon: centre.lon, gpsLat: null, gpsLon: null },
    });
    const { latMin, latMax, lonMin, lonMax } = cellBounds(cell);
    expect(body.lat > latMin && body.lat < latMax && body.lon > lonMin && body.lon < lonMax).toBe(true);
    const [stored] = await rows("select * from position");
    expect(stored).toMatchObject({ profile_id: member.id, cell, pending_cell: null });
    expect(await member.get(`/api/profile-position/${member.id}`)).toEqual(body);
  });

  it("writes at most six rows, and none when the cell did not change", async () => {
    for (const [sharedOn, most] of [
      [1, 3],
      [ALL_BRANDS, 5],
    ] as const) {
      const member = await standing(PHOENIX, { sharedOn });
      const same = await report(member, { lat: PHOENIX.lat + 0.0001, lon: PHOENIX.lon });
      expect([cost(same, "trips"), cost(same, "rows-written")]).toEqual([1, 0]);
      const moved = await report(member, { lat: PHOENIX.lat + 0.02, lon: PHOENIX.lon });
      expect(cost(moved, "trips")).toBe(2);
      expect(cost(moved, "rows-written")).toBeGreaterThan(0);
      expect(cost(moved, "rows-written")).toBeLessThanOrEqual(most);
      const degree = await report(member, { lat: PHOENIX.lat + 1.02, lon: PHOENIX.lon });
      expect(cost(degree, "rows-written")).toBe(most);
      const region = await report(member, { lat: PHOENIX.lat + 1.02, lon: PHOENIX.lon + 40 });
      expect(cost(region, "rows-written")).toBe(most);
    }
  });

  it("is refused for somebody else, without coordinates, and out of range", async () => {
    const [member, other] = [await as(worker), await as(worker)];
    expect((await member.send("PUT", `/api/profile-position/${other.id}`, { use: "RANDOM" })).status).toBe(403);
    expect((await member.fetch(`/api/profile-position/${other.id}`)).status).toBe(403);
    expect((await member.fetch(`/api/profile-position/${member.id}`)).status).toBe(404);
    for (const body of [
      { use: "OVERRIDE" },
      { use: "DEVICE_GPS", overrideLat: 1, overrideLon: 1 },
      { use: "OVERRIDE", overrideLat: 91.5, overrideLon: 0 },
      { use: "OVERRIDE", overrideLat: 1, overrideLon: "x" },
      { use: "NOWHERE", overrideLat: 1, overrideLon: 1 },
      { use: "OVERRIDE", overrideLat: 1, overrideLon: 1, precision: "metre" },
    ]) {
      const answer = await member.send("PUT", `/api/profile-position/${member.id}`, body);
      expect(answer.status).toBe(400);
      expect(await answer.text()).not.toContain("91.5");
    }
    expect(await rows("select * from position")).toEqual([]);
  });

  it("places a member who chose none near the brand's first city, the same each time", async () => {
    const member = await as(worker, { brand: "harbor" });
    const first = (await (
      await member.send("PUT", `/api/profile-position/${member.id}`, { use: "RANDOM" })
    ).json()) as At;
    expect(Math.abs(first.lat - 41.3874)).toBeLessThan(0.06);
    expect(Math.abs(first.lon - 2.1686)).toBeLessThan(0.06);
    const again = await member.send("PUT", `/api/profile-position/${member.id}`, { use: "RANDOM" });
    expect(await again.json()).toEqual(first);
  });

  it("publishes a walk after 15 minutes by the schedule, and a drag at once", async () => {
    const member = await as(worker);
    const start = Date.now();
    const gps = { use: "DEVICE_GPS" };
    const far = { lat: PHOENIX.lat + 0.5, lon: PHOENIX.lon };
    const first = (await (await report(member, PHOENIX, gps, start)).json()) as ProfilePosition;
    const waiting = (await (await report(member, far, gps, start + 60_000)).json()) as ProfilePosition;
    expect(waiting).toMatchObject({ lat: first.lat, lon: first.lon, pending: true });

    await worker.schedule(EVERY_MINUTE, start + POSITION_PUBLISH_MIN_MS - 1);
    expect(await rows("select pending_cell is null as done from position")).toEqual([{ done: 0 }]);
    await worker.schedule(EVERY_MINUTE, start + POSITION_PUBLISH_MIN_MS);
    const [row] = await rows("select cell, pending_cell, ts_published from position");
    expect(row).toEqual({
      ...{ cell: snap(far.lat, far.lon, "street"), pending_cell: null },
      ts_published: start + POSITION_PUBLISH_MIN_MS,
    });
    const presence = await rows("select p.key = s.key as same from presence p join position s using (profile_id)");
    expect(presence).toEqual([{ same: 1 }]);

    const dragged = (await (
      await report(member, PHOENIX, {}, start + POSITION_PUBLISH_MIN_MS + 1)
    ).json()) as ProfilePosition;
    expect(dragged).toMatchObject({ lat: first.lat, lon: first.lon, pending: false });
  });

  it("dies after 26 hours at the most: unseen at once, deleted by the schedule", async () => {
    const viewer = await standing(PHOENIX);
    const start = Date.now();
    const other = await as(worker);
    await report(other, PHOENIX, { tsEffectiveUntil: start + 1e9 }, start);
    const [row] = await rows(
      "select ts_effective_until - ? as life from position where profile_id = ?",
      start,
      other.id,
    );
    expect(row).toEqual({ life: POSITION_EFFECTIVE_MS });
    await report(other, PHOENIX, { tsEffectiveUntil: new Date(start + 60_000).toISOString() }, start);
    expect(await idsNear(viewer)).toEqual([other.id]);

    const later = { headers: { "x-development-now": String(start + 60_001) } };
    expect(await (await viewer.fetch("/api/profile-briefs/nearest", later)).json()).toEqual([]);
    expect(await (await viewer.fetch("/api/profile-briefs/by-sector/33:-113", later)).json()).toEqual([]);
    expect((await other.fetch(`/api/profile-position/${other.id}`, later)).status).toBe(404);
    await worker.schedule(EVERY_MINUTE, start + 60_001);
    expect(await rows("select profile_id from position")).toEqual([{ profile_id: viewer.id }]);
    expect(await rows("select profile_id from presence")).toEqual([{ profile_id: viewer.id }]);
  });

  it("keeps the precision he chose", async () => {
    const member = await as(worker);
    await report(member, PHOENIX, { precision: "city" });
    const body = (await (await report(member, PHOENIX)).json()) as ProfilePosition;
    expect(body.precision).toBe("city");
    expect(body.overrideLat).toBe(cellCentre(snap(PHOENIX.lat, PHOENIX.lon, "city")).lat);
    const exact = (await (await report(member, PHOENIX, { precision: "exact" })).json()) as ProfilePosition;
    expect(distanceMetres(PHOENIX, exact)).toBeLessThan(12);
  });
});

describe("nearest", () => {
  it("orders by published distance of both, in pages by cursor and by number", async () => {
    const viewer = await standing(PHOENIX);
    const others: TestMember[] = [];
    for (let step = 1; step <= 12; step += 1) {
      others.push(await standing({ lat: PHOENIX.lat + step * 0.03, lon: PHOENIX.lon + step * 0.01 }));
    }
    const briefs = await viewer.get<NearbyBrief[]>("/api/profile-briefs/nearest");
    expect(briefs.map((brief) => brief.profileId)).toEqual(others.map(({ id }) => id));
    const own = await viewer.get<ProfilePosition>(`/api/profile-position/${viewer.id}`);
    for (const { lat, lon, distanceMeters } of briefs) {
      expect(distanceMeters).toBe(Math.round(distanceMetres(own, { lat: lat ?? 0, lon: lon ?? 0 })));
    }
    const first = await viewer.fetch("/api/profile-briefs/nearest?size=5");
    expect(cost(first, "trips")).toBeLessThanOrEqual(3);
    const pages = [((await first.json()) as NearbyBrief[]).map((brief) => brief.profileId)];
    for (let cursor = first.headers.get("x-next-cursor"); cursor; ) {
      const next = await viewer.fetch(`/api/profile-briefs/nearest?size=5&cursor=${cursor}`);
      pages.push(((await next.json()) as NearbyBrief[]).map((brief) => brief.profileId));
      cursor = next.headers.get("x-next-cursor");
    }
    expect(pages.flat()).toEqual(others.map(({ id }) => id));
    expect(await idsNear(viewer, "?size=5&page=1")).toEqual(others.slice(5, 10).map(({ id }) => id));
    expect(await idsNear(viewer, "?size=5&page=2")).toEqual(others.slice(10).map(({ id }) => id));
    expect(await idsNear(viewer, "?size=5&page=7")).toEqual([]);
    expect((await viewer.fetch("/api/profile-briefs/nearest?page=9000&size=30")).status).toBe(400);
    expect((await viewer.fetch("/api/profile-briefs/nearest?cursor=abc")).status).toBe(400);
  });

  it("filters by characteristics, age, picture, presence and distance", async () => {
    const viewer = await standing(PHOENIX);
    const bear = await standing(PHOENIX, {
      characteristics: characteristicsToBits(["bear", "coffee"]),
      birthdate: "1980-01-01",
    });
    const young = await standing(PHOENIX, {
      characteristics: characteristicsToBits(["coffee"]),
      birthdate: "2005-01-01",
    });
    const far = await standing({ lat: 35, lon: -112 }, { birthdate: null, created: Date.now() - 86_400_000 });
    await worker.env.DB.prepare("update profile set pics_public = '[5]' where id = ?").bind(young.id).run();
    expect(await idsNear(viewer, "?characteristics=coffee,BEAR")).toEqual([bear.id]);
    expect((await idsNear(viewer, "?characteristics=coffee")).sort()).toEqual([bear.id, young.id].sort());
    expect(await idsNear(viewer, "?ageMin=30&ageMax=60")).toEqual([bear.id]);
    expect(await idsNear(viewer, "?ageMax=30")).toEqual([young.id]);
    expect(await idsNear(viewer, "?hasPicture=true")).toEqual([young.id]);
    expect((await idsNear(viewer, "?onlineNow=true")).sort()).toEqual([bear.id, young.id].sort());
    expect((await idsNear(viewer, "?maxDistanceMeters=5000")).sort()).toEqual([bear.id, young.id].sort());
    expect(await idsNear(viewer, "?maxDistanceMeters=5000&ageMin=90")).toEqual([]);
    expect(await idsNear(viewer)).toHaveLength(3);
    expect(await idsNear(viewer)).toContain(far.id);
    expect((await viewer.fetch("/api/profile-briefs/nearest?characteristics=nonsense")).status).toBe(400);
  });

  it("measures from a random position while the viewer has none, and works at the ends of the earth", async () => {
    const viewer = await as(worker);
    const pole = await standing({ lat: 89.999, lon: 12 });
    const west = await standing({ lat: 0, lon: -179.99 });
    const east = await standing({ lat: 0, lon: 179.99 });
    expect(await idsNear(viewer)).toHaveLength(3);
    expect(await idsNear(east)).toEqual([west.id, pole.id]);
    expect(await idsNear(pole)).toHaveLength(2);
  });
});

describe("bounds and sectors", () => {
  it("answer whoever is inside, across the date line too", async () => {
    const viewer = await standing(PHOENIX);
    const near = await standing({ lat: 33.7, lon: -112.5 });
    const west = await standing({ lat: -17.5, lon: -179.5 });
    const east = await standing({ lat: -17.5, lon: 179.5 });
    const get = async (path: string) =>
      (await viewer.get<NearbyBrief[]>(`/api/profile-briefs/${path}`)).map((brief) => brief.profileId).sort();
    expect(await get("by-bounds?latMin=33.5&latMax=33.8&lonMin=-113&lonMax=-112")).toEqual([near.id]);
    expect(await get("by-bounds?latMin=33.71&latMax=33.8&lonMin=-113&lonMax=-112")).toEqual([]);
    expect(await get("by-bounds?latMin=-20&latMax=-10&lonMin=170&lonMax=-170")).toEqual([west.id, east.id].sort());
    expect(await get("by-bounds?latMin=-90&latMax=90&lonMin=-180&lonMax=180")).toHaveLength(3);
    expect(await get("by-bounds?latMin=10&latMax=-10&lonMin=0&lonMax=1")).toEqual([]);
    expect(await get("by-sector/33:-113")).toEqual([near.id]);
    expect(await get("by-sector/33.9:-112.1?page=0&size=1500")).toEqual([near.id]);
    expect(await get("by-sector/-18:179")).toEqual([east.id]);
    expect(await get("by-sector/-18:-180")).toEqual([west.id]);
    expect(await get("by-sector/-18:180")).toEqual([west.id]);
    expect((await viewer.fetch("/api/profile-briefs/by-sector/91:0")).status).toBe(400);
    expect((await viewer.fetch("/api/profile-briefs/by-bounds?latMin=1")).status).toBe(400);
  });

  it("page through a sector without doubling or losing anybody", async () => {
    const viewer = await standing(PHOENIX);
    const ids: number[] = [];
    for (let step = 0; step < 9; step += 1) ids.push((await standing({ lat: 33.1 + step * 0.09, lon: -112.2 })).id);
    for (const path of ["by-sector/33:-113", "by-bounds?latMin=33&latMax=34&lonMin=-113&lonMax=-112"]) {
      const found: number[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const query = `${path.includes("?") ? "&" : "?"}size=4${cursor && `&cursor=${cursor}`}`;
        const answer = await viewer.fetch(`/api/profile-briefs/${path}${query}`);
        expect(cost(answer, "trips")).toBe(2);
        found.push(...((await answer.json()) as NearbyBrief[]).map((brief) => brief.profileId));
        cursor = answer.headers.get("x-next-cursor");
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
  it("holds on every search from the next request on: hidden, blocked, suspended, unshared, expired", async () => {
    const viewer = await standing(PHOENIX);
    for (let count = 0; count < 3; count += 1) await standing({ lat: 33.6, lon: -112.3 });
    const subject = await standing({ lat: 33.6, lon: -112.3 }, { sharedOn: ALL_BRANDS });
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

    expect((await report(subject, { lat: 33.6, lon: -112.3 }, { hide: true })).status).toBe(200);
    expect(await sees()).toEqual(unseen);
    await report(subject, { lat: 33.6, lon: -112.3 }, { hide: false });
    expect(await sees()).toEqual(seen);

    const { DB } = worker.env;
    for (const change of ["status = 'suspended'", "status = 'banned'", "shared_on = 2", "profile_name = ''"]) {
      const [before] = await rows("select status, shared_on, profile_name from profile where id = ?", subject.id);
      await DB.prepare(`update profile set ${change} where id = ?`).bind(subject.id).run();
      expect(await sees()).toEqual(unseen);
      await DB.prepare("update profile set status = ?, shared_on = ?, profile_name = ? where id = ?")
        .bind(before?.status, before?.shared_on, before?.profile_name, subject.id)
        .run();
      expect(await sees()).toEqual(seen);
    }

    for (const [me, other] of [
      [viewer, subject],
      [subject, viewer],
    ] as const) {
      await DB.batch([
        DB.prepare("insert into block values (?, ?, 1, 0, 0)").bind(me.id, other.id),
        DB.prepare("insert into block values (?, ?, 0, 1, 0)").bind(other.id, me.id),
      ]);
      expect(await sees()).toEqual(unseen);
      expect(await idsNear(subject)).not.toContain(viewer.id);
      await DB.prepare("delete from block").run();
    }
    const expired = { tsEffectiveUntil: Date.now() };
    await report(subject, { lat: 33.6, lon: -112.3 }, expired);
    expect(await sees()).toEqual(unseen);
  });

  it("shows each brand its own members", async () => {
    const shared = await standing(PHOENIX, { sharedOn: ALL_BRANDS });
    const local = await standing(PHOENIX);
    const sister = await standing(PHOENIX, { brand: "harbor" });
    expect(await idsNear(shared)).toEqual([local.id]);
    expect(await idsNear(sister)).toEqual([shared.id]);
    expect((await idsNear(await shared.on("harbor"))).sort()).toEqual([sister.id]);
  });
});

describe("the presence index", () => {
  it("equals what profiles and positions say, after any sequence of changes", async () => {
    const { DB } = worker.env;
    const members: TestMember[] = [];
    for (let count = 0; count < 8; count += 1) members.push(await as(worker, { sharedOn: 1 + (count % 7) }));
    let state = 5;
    const pick = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    const changes = [
      "update profile set hidden = 1 - hidden where id = ?",
      "update profile set shared_on = (shared_on % 7) + 1 where id = ?",
      "update profile set status = iif(status = 'active', 'suspended', 'active') where id = ?",
      "update profile set profile_name = iif(profile_name = '', 'Back', '') where id = ?",
      "update profile set profile_name = profile_name || 'x', weight = '80', height = '180' where id = ?",
      "update profile set characteristics = characteristics + 1, birthdate = '1999-12-31' where id = ?",
      "update profile set pics_public = '[1]', ts_seen = ts_seen + 900000 where id = ?",
      "delete from position where profile_id = ?",
      "delete from account where id = ?",
    ];
    for (let step = 0; step < 120 && members.length > 2; step += 1) {
      const member = members[pick(members.length)]!;
      const what = pick(step > 80 ? 18 : 17);
      const statement = changes[what < 8 ? what : what === 17 ? 8 : -1];
      if (statement) await DB.prepare(statement).bind(member.id).run();
      else await report(member, { lat: pick(160) - 80, lon: pick(360) - 180 + pick(100) / 100 });
      if (what === 17) members.splice(members.indexOf(member), 1);
      if (step % 12 > 0) continue;
      const difference = `select bit.value, s.key, p.id, p.tie_key, s.ts_effective_until, p.ts_seen, p.characteristics,
          cast(julianday(p.birthdate) - 2440587.5 as integer), s.session, p.profile_name, p.height, p.weight, p.pics_public
        from position s join profile p on p.id = s.profile_id, json_each('[1,2,4]') bit
        where p.status = 'active' and p.hidden = 0 and p.profile_name <> '' and p.shared_on & bit.value`;
      expect(await rows(`select * from (${difference}) except select * from presence`)).toEqual([]);
      expect(await rows(`select * from presence except select * from (${difference})`)).toEqual([]);
      if (step % 24 === 0) await worker.schedule(NIGHTLY, Date.now());
      const counted = `select bit.value as brand, j.key >> 6 as sector, sum(j.value) as n
        from presence_count c, json_each(c.sectors) j, json_each('[1,2,4]') bit where j.key & bit.value group by 1, 2 having n <> 0`;
      const real = "select brand, key >> 34 as sector, count(*) as n from presence group by brand, key >> 34";
      expect(await rows(`select * from (${counted}) except select * from (${real})`)).toEqual([]);
      expect(await rows(`select * from (${real}) except select * from (${counted})`)).toEqual([]);
    }
  });
});
