import { getBrand } from "@lambda/brands";
import {
  MINUTE_MS,
  POSITION_EFFECTIVE_MS,
  POSITION_PUBLISH_MIN_MS,
  POSITION_WRITES_PER_MINUTE_MAX,
} from "@lambda/contract/limits";
import { type PositionReportResponse, ProfilePositionReport } from "@lambda/contract/positions";
import type { Point } from "@lambda/geo/distance";
import { cellPrecision, toCell } from "@lambda/geo/grid";
import { cellAt, cellCenter, metersOutsideCell } from "@lambda/geo/lattice";
import { createD1 } from "@lambda/testing/d1";
import { createMember, withQuotas } from "@lambda/testing/member";
import { limiterOf } from "@lambda/testing/rate-limits";
import { createMemberAt, listNearestIds, PHOENIX, queryRows, reportPosition } from "@lambda/testing/scenes/positions";
import type { Statement } from "@lambda/testing/sql";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { openDatabase } from "../../platform/db/database.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { EVERY_MINUTE } from "../../schedule.ts";
import { getPlacesRow } from "./places.ts";
import { findPosition, publishPending } from "./queries.ts";
import { applyPositionReport } from "./report.ts";

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

describe("a position report", () => {
  it("stores the cell and publishes a point inside it, but no coordinate that was sent", async () => {
    const member = await createMember(worker);
    const raw = { lat: 33.448_412_3, lon: -112.073_987_6 };
    const response = await reportPosition(member, raw);
    expect(response.status).toBe(200);
    const { places, stay, ...body } = (await response.json()) as PositionReportResponse;
    expect(stay).toBeNull();
    const cell = cellAt(places.lattice, raw, "street");
    const center = cellCenter(places.lattice, cell);
    expect(body).toMatchObject({
      profileId: member.id,
      session: 7,
      use: "OVERRIDE",
      precision: "street",
      hide: false,
      pending: false,
      overrideLat: center.lat,
      overrideLon: center.lon,
      gpsLat: null,
      gpsLon: null,
    });
    expect(metersOutsideCell(places.lattice, cell, body)).toBeLessThan(1);
    const [stored] = await queryRows(worker, "select * from position");
    expect(stored).toMatchObject({ profile_id: member.id, cell, pending_cell: null });
    expect(await member.get(`/api/profile-position/${member.id}`)).toEqual(body);
    expect(await member.get(`/api/profile-position/${member.id}/places`)).toEqual(places);
    expect(places.remembered).toEqual([]);
  });

  it("is rejected for another member, without coordinates, and out of range", async () => {
    const [member, other] = [await createMember(worker), await createMember(worker)];
    expect((await member.send("PUT", `/api/profile-position/${other.id}`, { use: "RANDOM" })).status).toBe(403);
    expect((await member.fetch(`/api/profile-position/${other.id}`)).status).toBe(403);
    expect(await member.get(`/api/profile-position/${member.id}`)).toBeNull();
    for (const body of [
      { use: "OVERRIDE" },
      { use: "DEVICE_GPS", overrideLat: 1, overrideLon: 1 },
      { use: "OVERRIDE", overrideLat: 91.5, overrideLon: 0 },
      { use: "OVERRIDE", overrideLat: 1, overrideLon: "x" },
      { use: "NOWHERE", overrideLat: 1, overrideLon: 1 },
      { use: "OVERRIDE", overrideLat: 1, overrideLon: 1, precision: "metre" },
    ]) {
      const response = await member.send("PUT", `/api/profile-position/${member.id}`, body);
      expect(response.status).toBe(400);
      expect(await response.text()).not.toContain("91.5");
    }
    expect(await queryRows(worker, "select * from position")).toEqual([]);
  });

  it("places a member who chose no position near the brand's first city, always at the same point", async () => {
    const member = await createMember(worker, { brand: "harbor" });
    const first = (await (
      await member.send("PUT", `/api/profile-position/${member.id}`, { use: "RANDOM" })
    ).json()) as Point;
    const { lat, lon } = getBrand("harbor").firstCity;
    expect(Math.abs(first.lat - lat)).toBeLessThan(0.06);
    expect(Math.abs(first.lon - lon)).toBeLessThan(0.06);
    const again = await member.send("PUT", `/api/profile-position/${member.id}`, { use: "RANDOM" });
    expect(await again.json()).toEqual(first);
  });

  it("publishes a walk after 15 minutes in the new cell, and a drag at once", async () => {
    const member = await createMember(worker);
    const start = Date.now();
    const moved = start + 60_000;
    const gps = { use: "DEVICE_GPS" };
    const far = { lat: PHOENIX.lat + 0.5, lon: PHOENIX.lon };
    const first = (await (await reportPosition(member, PHOENIX, gps, start)).json()) as PositionReportResponse;
    const waiting = (await (await reportPosition(member, far, gps, moved)).json()) as PositionReportResponse;
    expect(waiting).toMatchObject({ lat: first.lat, lon: first.lon, pending: true });

    await worker.runCron(EVERY_MINUTE, moved + POSITION_PUBLISH_MIN_MS - 1);
    expect(await queryRows(worker, "select pending_cell is null as done from position")).toEqual([{ done: 0 }]);
    await worker.runCron(EVERY_MINUTE, moved + POSITION_PUBLISH_MIN_MS);
    const [row] = await queryRows(worker, "select cell, pending_cell, ts_published from position");
    expect(row).toEqual({
      cell: cellAt(first.places.lattice, far, "street"),
      pending_cell: null,
      ts_published: moved + POSITION_PUBLISH_MIN_MS,
    });
    const presence = await queryRows(
      worker,
      "select p.key = s.key as same from presence p join position s using (profile_id)",
    );
    expect(presence).toEqual([{ same: 1 }]);

    const dragged = (await (
      await reportPosition(member, PHOENIX, {}, start + POSITION_PUBLISH_MIN_MS + 1)
    ).json()) as PositionReportResponse;
    expect(dragged).toMatchObject({ lat: first.lat, lon: first.lon, pending: false });
  });

  it("that the member did not ask for moves nobody whom another device placed, but hides them", async () => {
    const member = await createMember(worker);
    const [home, away] = [PHOENIX, { lat: PHOENIX.lat + 0.5, lon: PHOENIX.lon }];
    const stored = () => queryRows(worker, "select session, cell, use from position");
    const send = async (at: Point, fields: Record<string, unknown>) =>
      (await (await reportPosition(member, at, fields)).json()) as PositionReportResponse;
    await send(home, { use: "DEVICE_GPS", session: 1 });
    // The member chooses a fixed place on a computer, while the phone stays open.
    await send(away, { session: 2, precision: "city" });
    const [chosen] = await stored();
    const answer = await send(home, { use: "DEVICE_GPS", session: 1, precision: "street", ifLast: true, hide: true });
    expect(answer).toMatchObject({ session: 2, use: "OVERRIDE", precision: "city", hide: true });
    expect(await stored()).toEqual([chosen]);
    // The computer goes on, also if nothing moved, and the phone once the member acts there.
    expect(await send(away, { session: 2, precision: "city", ifLast: true })).toMatchObject({ session: 2 });
    expect(await send(away, { session: 1, precision: "city" })).toMatchObject({ session: 1 });
    expect(await send(home, { use: "DEVICE_GPS", session: 1, ifLast: true })).toMatchObject({ use: "DEVICE_GPS" });
  });

  it("that keeps the position hides a member without moving him, on the same device too", async () => {
    const member = await createMember(worker);
    const fields = () => queryRows(worker, "select use, cell, key, session, ts_effective_until from position");
    await reportPosition(member, PHOENIX, { session: 1 });
    const before = await fields();
    const report = { use: "RANDOM", precision: "street", ifLast: true, keepsPosition: true, session: 1 };
    expect(await (await reportPosition(member, PHOENIX, { ...report, hide: true })).json()).toMatchObject({
      use: "OVERRIDE",
      hide: true,
    });
    expect(await fields()).toEqual(before);
    expect(await queryRows(worker, "select hidden from profile where id = ?", member.id)).toEqual([{ hidden: 1 }]);
  });

  it("beyond the quota of positions hides, which its answer says, and shows nobody", async () => {
    const member = withQuotas(await createMember(worker));
    await reportPosition(member, PHOENIX, { hide: true });
    const spent = { amount: POSITION_WRITES_PER_MINUTE_MAX, max: Number.MAX_SAFE_INTEGER, windowMs: MINUTE_MS };
    await limiterOf(worker, `positions:${member.id}`).spend([{ name: "positionsPerMinute", ...spent }]);
    const away = { lat: PHOENIX.lat + 0.5, lon: PHOENIX.lon };
    const hides = () => queryRows(worker, "select hidden from profile where id = ?", member.id);
    expect((await reportPosition(member, away, { hide: false })).status).toBe(429);
    expect(await hides()).toEqual([{ hidden: 1 }]);
    await worker.run({ query: "update profile set hidden = 0 where id = ?", values: [member.id] });
    expect((await reportPosition(member, away, {})).status).toBe(429);
    const answer = await reportPosition(member, away, { hide: true });
    expect([answer.status, await answer.json()]).toMatchObject([200, { hide: true }]);
    expect(await hides()).toEqual([{ hidden: 1 }]);
  });

  it("that the member did not ask for places a member whose position has expired", async () => {
    const member = await createMember(worker);
    const now = Date.now();
    await reportPosition(member, PHOENIX, { session: 1, tsEffectiveUntil: now + 60_000 }, now);
    const answer = await reportPosition(member, PHOENIX, { session: 2, ifLast: true }, now + 60_001);
    expect(await answer.json()).toMatchObject({ session: 2 });
  });

  it("that arrives while an earlier one is being published is kept, and no move is announced", async () => {
    const member = await createMember(worker);
    const start = Date.now();
    const gps = { use: "DEVICE_GPS" };
    await reportPosition(member, PHOENIX, gps, start);
    await reportPosition(member, { lat: PHOENIX.lat + 0.5, lon: PHOENIX.lon }, gps, start + 1);
    const interrupted = createD1(async (statements) => {
      if (statements[0]?.query.startsWith("update"))
        await reportPosition(member, { lat: PHOENIX.lat + 1, lon: PHOENIX.lon }, gps, start + 2);
      return (await worker.run(...(statements as Statement[]))).map((results) => ({ results }));
    });
    const moves: number[] = [];
    const due = start + 1 + POSITION_PUBLISH_MIN_MS;
    await publishPending(openDatabase(interrupted), worker.env, due, async (moved) =>
      moves.push(...moved.map(([id]) => id)),
    );
    expect(moves).toEqual([]);
    expect(await queryRows(worker, "select pending_cell is null as done from position")).toEqual([{ done: 0 }]);
    await publishPending(openDatabase(worker.env.DB), worker.env, due + 1, async (moved) =>
      moves.push(...moved.map(([id]) => id)),
    );
    expect(moves).toEqual([member.id]);
  });

  it("expires after 26 hours at most: invisible at once, then deleted by the cron job", async () => {
    const viewer = await createMemberAt(worker, PHOENIX);
    const start = Date.now();
    const other = await createMember(worker);
    await reportPosition(other, PHOENIX, { tsEffectiveUntil: start + 1e9 }, start);
    const [row] = await queryRows(
      worker,
      "select ts_effective_until - ? as life from position where profile_id = ?",
      start,
      other.id,
    );
    expect(row).toEqual({ life: POSITION_EFFECTIVE_MS });
    await reportPosition(other, PHOENIX, { tsEffectiveUntil: new Date(start + 60_000).toISOString() }, start);
    expect(await listNearestIds(viewer)).toEqual([other.id]);

    const later = { headers: { "x-development-now": String(start + 60_001) } };
    expect(await (await viewer.fetch("/api/profile-briefs/nearest", later)).json()).toEqual([]);
    expect(await (await viewer.fetch("/api/profile-briefs/by-sector/33:-113", later)).json()).toEqual([]);
    expect(await (await other.fetch(`/api/profile-position/${other.id}`, later)).json()).toBeNull();
    await worker.runCron(EVERY_MINUTE, start + 60_001);
    expect(await queryRows(worker, "select profile_id from position")).toEqual([{ profile_id: viewer.id }]);
    expect(await queryRows(worker, "select profile_id from presence")).toEqual([{ profile_id: viewer.id }]);
  });

  it("never mixes two concurrent reports: the cell is as coarse as the precision says", async () => {
    const member = await createMember(worker);
    const gps = { use: "DEVICE_GPS" };
    await reportPosition(member, PHOENIX, { ...gps, precision: "street" });
    for (let round = 1; round <= 15; round += 1) {
      const precision = round % 2 === 0 ? "street" : "city";
      const away = { lat: PHOENIX.lat + round / 100, lon: PHOENIX.lon };
      const responses = await Promise.all([
        reportPosition(member, away, gps),
        reportPosition(member, PHOENIX, { ...gps, precision }),
      ]);
      for (const response of responses) expect(response.status).toBe(200);
      const [row] = await queryRows(worker, "select precision, cell, pending_cell from position");
      expect(row?.precision).toBe(precision);
      expect(cellPrecision(toCell(Number(row?.pending_cell ?? row?.cell)))).toBe(precision);
      expect(cellPrecision(toCell(Number(row?.cell)))).toBe(precision);
    }
  });

  it("hides a member although other devices overtake all its attempts", async () => {
    const member = await createMemberAt(worker, PHOENIX);
    const { DB } = worker.env;
    const db = openDatabase(DB);
    const [position, places] = await Promise.all([findPosition(db, member.id), getPlacesRow(db, member.id)]);
    const overtaken = createD1(async (statements) => {
      if (statements.some(({ query }) => query.includes("json('guard')"))) throw new Error("malformed JSON");
      return (await worker.run(...(statements as Statement[]))).map((results) => ({ results }));
    });
    vi.stubGlobal("__DEVELOPMENT__", true);
    const context = {
      ...{ env: worker.env, db, d1: overtaken, now: Date.now(), brand: getBrand("ember"), quotas: false },
      ...{ request: new Request("https://x.test"), changes: {}, waitUntil: () => undefined },
      viewer: { profileId: member.id, position, places, hides: false },
    } as unknown as MemberContext;
    const report = ProfilePositionReport.parse({ profileId: member.id, use: "RANDOM", hide: true });
    expect(await applyPositionReport(context, report)).toMatchObject({ use: "OVERRIDE", hide: true });
    vi.unstubAllGlobals();
    expect(await queryRows(worker, "select hidden from profile where id = ?", member.id)).toEqual([{ hidden: 1 }]);
  });

  it("keeps the precision that the member chose", async () => {
    const member = await createMember(worker);
    await reportPosition(member, PHOENIX, { precision: "city" });
    const body = (await (await reportPosition(member, PHOENIX)).json()) as PositionReportResponse;
    const { lattice } = body.places;
    expect(body.precision).toBe("city");
    expect(body.overrideLat).toBe(cellCenter(lattice, cellAt(lattice, PHOENIX, "city")).lat);
    const exact = (await (
      await reportPosition(member, PHOENIX, { precision: "exact" })
    ).json()) as PositionReportResponse;
    expect(metersOutsideCell(lattice, cellAt(lattice, PHOENIX, "exact"), exact)).toBeLessThan(1);
  });
});
