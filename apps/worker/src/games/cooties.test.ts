import { BRANDS } from "@lambda/brands";
import { COOTIES_IMMUNE_MS } from "@lambda/contract/limits";
import { type CurveKey, keyOfPoint, pointOfKey } from "@lambda/geo/curve";
import type { Point } from "@lambda/geo/distance";
import { createMember, type TestMember } from "@lambda/testing/member";
import {
  createMemberAt,
  PHOENIX,
  placeMembers,
  queryRows,
  readCost,
  reportPosition,
} from "@lambda/testing/scenes/positions";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";
import { EVERY_MINUTE, HOURLY } from "../schedule.ts";
import { isWithinReach, squareOfKey, squaresAround } from "./nearby-players.ts";

/** The first id of players inserted by SQL. */
const FIRST_CROWD_ID = 1000;
/** Rows read for a carrier: session and own row 5, 20 leaders at two, 15 squares at two, ten players at four. */
const ROWS_MAX = 110;

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

/** Inserts players at these places and has the schedule set their squares. */
async function addPlayers(places: readonly Point[], from: number): Promise<number[]> {
  const ids = places.map((_, index) => from + index);
  await placeMembers(
    worker,
    places.map((place, index) => [from + index, keyOfPoint(place)]),
  );
  await worker.env.DB.prepare(
    "insert into cooties_player (profile_id, brand, ts_joined) select value, 1, 1 from json_each(?1)",
  )
    .bind(JSON.stringify(ids))
    .run();
  await worker.runCron(HOURLY);
  return ids;
}

const play = async (member: TestMember) => {
  const response = await member.send("PUT", "/api/games/cooties", { playing: true });
  expect(response.status, await response.clone().text()).toBe(200);
};
const tag = (member: TestMember, profileId: number) => member.send("POST", "/api/games/cooties/tag", { profileId });

interface NearbyPlayers {
  readonly near: number[];
  readonly rowsRead: number;
}

async function readNearby(member: TestMember): Promise<NearbyPlayers> {
  const response = await member.fetch("/api/games/cooties");
  const { near } = (await response.json()) as { near: { profileId: number }[] };
  return {
    near: near.map(({ profileId }) => profileId),
    rowsRead: readCost(response, "rows-read"),
  };
}

/** A member at this place who has the cooties. */
async function carrierAt(place: Point): Promise<TestMember> {
  const member = await createMemberAt(worker, place);
  await play(member);
  await worker.env.DB.prepare("update cooties_player set carrier = 1 where profile_id = ?").bind(member.id).run();
  return member;
}

const sorted = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);
const ring = (count: number, center: Point, degrees: number): Point[] =>
  Array.from({ length: count }, (_, index) => ({
    lat: center.lat + degrees * Math.sin(index),
    lon: center.lon + degrees * Math.cos(index),
  }));

describe("a tag", () => {
  it("moves the cooties from the tagging carrier, and only within reach of their position", async () => {
    const near = { lat: PHOENIX.lat + 0.05, lon: PHOENIX.lon };
    const bystander = await carrierAt({ lat: PHOENIX.lat + 3, lon: PHOENIX.lon });
    const [carrier, other, leaving] = [
      await carrierAt(PHOENIX),
      await createMemberAt(worker, near),
      await createMember(worker),
    ];
    for (const one of [other, leaving]) await play(one);
    expect((await tag(bystander, other.id)).status).toBe(404);
    await queryRows(worker, "delete from position where profile_id = ?", carrier.id);
    expect((await tag(carrier, other.id)).status).toBe(404);
    await reportPosition(carrier, PHOENIX);
    expect((await tag(carrier, other.id)).status).toBe(200);
    await leaving.send("PUT", "/api/games/cooties", { playing: false });
    const players = await queryRows(
      worker,
      "select profile_id, carrier, tags, caught from cooties_player order by profile_id",
    );
    expect(players).toEqual([
      { profile_id: bystander.id, carrier: 1, tags: 0, caught: 0 },
      { profile_id: carrier.id, carrier: 0, tags: 1, caught: 0 },
      { profile_id: other.id, carrier: 1, tags: 0, caught: 1 },
    ]);
  });
});

describe("the players near a carrier", () => {
  it("are found among any number of distant players with few rows read", async () => {
    const carrier = await carrierAt(PHOENIX);
    await addPlayers(ring(400, { lat: 48, lon: 11 }, 2), FIRST_CROWD_ID);
    const near = await addPlayers(ring(3, PHOENIX, 0.6), 5_000_000);
    const result = await readNearby(carrier);
    expect(sorted(result.near)).toEqual(near);
    expect(result.rowsRead).toBeLessThanOrEqual(ROWS_MAX);
    expect((await tag(carrier, near[1]!)).status).toBe(200);
  });

  it("are found next to a crowd just out of reach, which does not cost more", async () => {
    const carrier = await carrierAt(PHOENIX);
    const city = { lat: PHOENIX.lat, lon: PHOENIX.lon + 0.95 };
    const shared = squaresAround(keyOfPoint(PHOENIX));
    expect(shared).toContain(squareOfKey(keyOfPoint(city)));
    const [last] = await addPlayers(ring(400, city, 0.02), FIRST_CROWD_ID);
    // Wherever the draw starts, a player of the crowd follows.
    await queryRows(worker, "update cooties_player set random_order = 4503599627370495 where profile_id = ?", last!);
    const near = await addPlayers(ring(3, PHOENIX, 0.4), 5_000_000);
    for (let draws = 0; draws < 20; draws += 1) {
      const result = await readNearby(carrier);
      expect(sorted(result.near)).toEqual(near);
      expect(result.rowsRead).toBeLessThanOrEqual(ROWS_MAX);
    }
  });

  it("differ with each draw in a crowd", async () => {
    const carrier = await carrierAt(PHOENIX);
    const crowd = await addPlayers(ring(400, PHOENIX, 0.3), FIRST_CROWD_ID);
    const drawn = new Set<number>();
    for (let draws = 0; draws < 12; draws += 1) {
      const result = await readNearby(carrier);
      expect(result.near.length).toBe(10);
      expect(new Set(result.near).size).toBe(result.near.length);
      expect(result.rowsRead).toBeLessThanOrEqual(ROWS_MAX);
      for (const id of result.near) drawn.add(id);
    }
    expect(crowd).toEqual(expect.arrayContaining([...drawn]));
    expect(drawn.size).toBeGreaterThan(60);
  });

  it("are all shown while they are few, wherever the draw starts", async () => {
    const carrier = await carrierAt(PHOENIX);
    const near = await addPlayers([...ring(4, PHOENIX, 0.01), ...ring(6, PHOENIX, 0.5)], FIRST_CROWD_ID);
    for (let draws = 0; draws < 12; draws += 1) expect(sorted((await readNearby(carrier)).near)).toEqual(near);
  });

  it("are found across the date line and in the far north", async () => {
    for (const [place, other, from] of [
      [{ lat: -16.8, lon: 179.95 }, { lat: -16.9, lon: -179.9 }, 2000],
      [{ lat: 64.2, lon: -179.6 }, { lat: 64.3, lon: 179.5 }, 3000],
      [{ lat: 80, lon: 20 }, { lat: 80.1, lon: 23 }, 4000],
    ] as const) {
      const near = await addPlayers([other], from);
      expect((await readNearby(await carrierAt(place))).near).toEqual(near);
    }
  });

  it("exclude players who moved away, hid, were just caught or have no position", async () => {
    const carrier = await carrierAt(PHOENIX);
    const players = await Promise.all(ring(4, PHOENIX, 0.1).map((place) => createMemberAt(worker, place)));
    for (const player of players) await play(player);
    const [away, hidden, caught, gone] = players as [TestMember, TestMember, TestMember, TestMember];
    expect(sorted((await readNearby(carrier)).near)).toEqual(sorted(players.map(({ id }) => id)));
    const before = await queryRows(worker, "select square from cooties_player where profile_id = ?", away.id);
    const moved = await reportPosition(away, { lat: PHOENIX.lat + 3, lon: PHOENIX.lon });
    expect(moved.status).toBe(200);
    expect(await queryRows(worker, "select square from cooties_player where profile_id = ?", away.id)).toEqual(before);
    await reportPosition(hidden, PHOENIX, { hide: true });
    await queryRows(worker, "update cooties_player set ts_caught = ? where profile_id = ?", Date.now(), caught.id);
    await queryRows(worker, "delete from position where profile_id = ?", gone.id);
    expect((await readNearby(carrier)).near).toEqual([]);
    for (const { id } of players) expect((await tag(carrier, id)).status).toBe(404);
    await queryRows(worker, "update cooties_player set ts_caught = ts_caught - ?", COOTIES_IMMUNE_MS);
    expect((await readNearby(carrier)).near).toEqual([caught.id]);
  });

  it("include players who arrived, once they open the game or after the hourly job", async () => {
    const carrier = await carrierAt(PHOENIX);
    const far = { lat: PHOENIX.lat + 20, lon: PHOENIX.lon };
    const [one, two] = [await createMemberAt(worker, far), await createMemberAt(worker, far)];
    for (const player of [one, two]) await play(player);
    for (const player of [one, two]) await reportPosition(player, PHOENIX);
    expect((await readNearby(carrier)).near).toEqual([]);
    await readNearby(one);
    expect((await readNearby(carrier)).near).toEqual([one.id]);
    await worker.runCron(HOURLY);
    expect(sorted((await readNearby(carrier)).near)).toEqual(sorted([one.id, two.id]));
  });
});

describe("a player's square", () => {
  const squares = async () =>
    Object.fromEntries(
      (await queryRows(worker, "select profile_id, square from cooties_player")).map((row) => [
        row.profile_id,
        row.square,
      ]),
    );

  it("is among the squares around every player within reach, anywhere on the globe", () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    let near = 0;
    for (let trial = 0; trial < 20_000; trial += 1) {
      const lat = trial % 4 === 0 ? 89.99 - random() * 3 : random() * 179.8 - 89.9;
      const one = keyOfPoint({ lat, lon: trial % 3 === 0 ? 179.9 + random() / 10 : random() * 360 - 180 });
      const a = pointOfKey(one);
      const wide = Math.min(360, 2 / Math.cos(a.lat * (Math.PI / 180)));
      const lon = ((a.lon + (random() - 0.5) * wide + 540) % 360) - 180;
      const other = keyOfPoint({ lat: Math.max(-90, Math.min(90, a.lat + (random() - 0.5) * 1.6)), lon });
      if (!isWithinReach(one, other)) continue;
      near += 1;
      const around = squaresAround(one);
      expect(around, `${JSON.stringify(a)} ${JSON.stringify(pointOfKey(other))}`).toContain(squareOfKey(other));
      expect(new Set(around).size).toBe(around.length);
    }
    expect(near).toBeGreaterThan(5000);
    expect(squaresAround(keyOfPoint(PHOENIX)).length).toBeLessThan(25);
  });

  it("is updated hourly, and written only when it changed", async () => {
    // Created one after another, so that their ids ascend.
    const players: Awaited<ReturnType<typeof createMemberAt>>[] = [];
    for (const place of ring(4, PHOENIX, 0.1)) players.push(await createMemberAt(worker, place));
    const [still, moved, hidden, unlisted] = players;
    for (const player of [still!, moved!, hidden!, unlisted!]) await play(player);
    await addPlayers(ring(1100, PHOENIX, 0.2), 10_000);
    await worker.env.DB.exec(
      `create table written (profile_id integer, square integer);
       create trigger watch after update on cooties_player begin insert into written values (new.profile_id, new.square); end`.replaceAll(
        "\n",
        " ",
      ),
    );
    await worker.runCron(HOURLY);
    expect(await queryRows(worker, "select * from written")).toEqual([]);
    const there = { lat: PHOENIX.lat + 2, lon: PHOENIX.lon };
    await reportPosition(moved!, there);
    await reportPosition(hidden!, PHOENIX, { hide: true });
    await queryRows(worker, "update profile set shared_on = 2 where id = ?", unlisted!.id);
    const [{ key }] = (await queryRows(worker, "select key from position where profile_id = ?", moved!.id)) as [
      { key: CurveKey },
    ];
    await queryRows(worker, "update position set key = ? where profile_id = 11099", keyOfPoint(there));
    await worker.runCron(HOURLY);
    const written = await queryRows(worker, "select * from written");
    expect(new Map(written.map(({ profile_id, square }) => [profile_id, square]))).toEqual(
      new Map([
        [unlisted!.id, null],
        [hidden!.id, null],
        [moved!.id, squareOfKey(key)],
        [11_099, squareOfKey(keyOfPoint(there))],
      ]),
    );
    expect(written).toHaveLength(4);
    expect((await squares())[still!.id]).not.toBeNull();
  });

  it("is removed with the position and when leaving the game", async () => {
    const start = Date.now();
    const [player, leaving] = [await createMemberAt(worker, PHOENIX), await createMemberAt(worker, PHOENIX)];
    for (const one of [player, leaving]) await play(one);
    await leaving.send("PUT", "/api/games/cooties", { playing: false });
    const [{ key }] = (await queryRows(worker, "select key from position where profile_id = ?", player.id)) as [
      { key: CurveKey },
    ];
    expect(await squares()).toEqual({ [player.id]: squareOfKey(key) });
    await worker.runCron(EVERY_MINUTE, start + 30 * 3_600_000);
    expect(await queryRows(worker, "select * from position")).toEqual([]);
    expect(await squares()).toEqual({ [player.id]: null });
  });

  it("is updated for both players of a tag, and null without a position", async () => {
    const nowhere = await createMember(worker);
    await play(nowhere);
    expect(await squares()).toEqual({ [nowhere.id]: null });
    const carrier = await carrierAt(PHOENIX);
    const other = await createMemberAt(worker, { lat: PHOENIX.lat + 0.05, lon: PHOENIX.lon });
    await play(other);
    await queryRows(worker, "update cooties_player set square = null");
    expect((await tag(carrier, other.id)).status).toBe(200);
    const stored = await squares();
    expect([stored[carrier.id], stored[other.id], stored[nowhere.id]]).toEqual([
      expect.any(Number),
      expect.any(Number),
      null,
    ]);
  });

  it("is separate for each brand", async () => {
    const player = await createMemberAt(worker, PHOENIX, { sharedOn: 1 });
    for (const { bit } of BRANDS)
      await queryRows(
        worker,
        "insert into cooties_player (profile_id, brand, ts_joined) values (?, ?, 1)",
        player.id,
        bit,
      );
    await worker.runCron(HOURLY);
    const found = await queryRows(worker, "select brand from cooties_player where square is not null");
    expect(found).toEqual([{ brand: 1 }]);
  });
});
