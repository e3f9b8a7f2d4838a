/** Searches that plan with the cached density must still return what is stored now. */
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { getBrand } from "@lambda/brands";
import { type CurveKey, keyOfPoint, pointOfKey } from "@lambda/geo/curve";
import { distanceMeters } from "@lambda/geo/distance";
import { createSqliteD1 } from "@lambda/testing/d1";
import { seededRandom } from "@lambda/testing/random";
import { beforeEach, expect, it } from "vitest";
import { openDatabase } from "../../platform/db/database.ts";
import { LIKE_FILTERS, likedCondition, listMembersByLikes } from "../../profiles/likes/statements.ts";
import { cachedDensity, rebuildDensity } from "./density.ts";
import { listNearest, type NearestPage } from "./nearest.ts";
import { listNearestMatching } from "./nearest-matching.ts";
import { listShown } from "./statements/shown.ts";

const SCHEMA = readFileSync(fileURLToPath(new URL("../../../../../schema.sql", import.meta.url).href), "utf8");
const MEMBERS = 3000;
const SIZE = 30;
const PAGES = 3;
const NOW = 1_700_000_000_000;

let sqlite: DatabaseSync;
let keys: Map<number, CurveKey>;
let queryCount: number;
/** The statements since this was last emptied. */
let sent: string[];
let db: ReturnType<typeof openDatabase>;
let d1: D1Database;

const random = seededRandom(5);
/** Half of them in a town, half anywhere. */
const somewhere = (): CurveKey =>
  random.next() < 0.5
    ? keyOfPoint({ lat: 48.1 + random.gaussian() / 30, lon: 11.6 + random.gaussian() / 20 })
    : keyOfPoint({ lat: 40 + 20 * random.next(), lon: 30 * random.next() });

function put(id: number, key: CurveKey): void {
  sqlite.prepare("delete from presence where profile_id = ?").run(id);
  sqlite
    .prepare(
      `insert into presence (brand, key, profile_id, random_order, ts_effective_until, ts_seen, characteristics, profile_name, height,
        weight, pics_public) values (1, ?, ?, ?, ?, 0, 0, 'M', '', '', '[]')`,
    )
    .run(key, id, id, NOW * 2);
  keys.set(id, key);
}

function remove(id: number): void {
  sqlite.prepare("delete from presence where profile_id = ?").run(id);
  keys.delete(id);
}

beforeEach(async () => {
  sqlite = new DatabaseSync(":memory:");
  sqlite.exec(SCHEMA);
  sqlite.exec("pragma foreign_keys = off");
  keys = new Map();
  for (let id = 1; id <= MEMBERS; id += 1) put(id, somewhere());
  queryCount = 0;
  sent = [];
  d1 = createSqliteD1(sqlite, {
    intercept: ({ query }, execute) => {
      queryCount += 1;
      sent.push(query);
      return execute();
    },
  });
  db = openDatabase(d1);
  await rebuildDensity(d1);
});

function search(viewerId: number, cursor?: string): Promise<NearestPage> {
  queryCount = 0;
  return listNearest(
    db,
    { brandBit: 1, profileId: viewerId, now: NOW },
    { centerKey: keys.get(viewerId)!, size: SIZE, cursor },
  );
}

function searchByBruteForce(viewerId: number): number[] {
  const center = pointOfKey(keys.get(viewerId)!);
  return [...keys]
    .filter(([id]) => id !== viewerId)
    .map(([id, key]) => ({ id, meters: distanceMeters(center, pointOfKey(key)) }))
    .sort((a, b) => a.meters - b.meters || a.id - b.id)
    .map(({ id }) => id);
}

/** Compares the pages of some members with a search by brute force. Returns how many queries each page took. */
async function compare(count: number): Promise<number[]> {
  const queryCounts: number[] = [];
  for (const viewerId of [...keys.keys()].slice(0, count)) {
    const ids: number[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < PAGES; page += 1) {
      const results = await search(viewerId, cursor);
      queryCounts.push(queryCount);
      ids.push(...results.members.map(({ row }) => row.profile_id));
      // A later page may be short.
      if (page === 0) expect(ids).toHaveLength(SIZE);
      cursor = results.nextCursor;
    }
    expect(ids, `member ${viewerId}`).toEqual(searchByBruteForce(viewerId).slice(0, ids.length));
  }
  return queryCounts;
}

it("takes one query for a page once the density is cached", async () => {
  await search(1);
  expect(queryCount).toBeGreaterThan(1);
  const queryCounts = await compare(60);
  expect(queryCounts.filter((count) => count === 1).length / queryCounts.length).toBeGreaterThan(0.95);
});

it("returns exact results, whatever has changed since", async () => {
  await compare(5);
  const removed = [...keys.keys()].filter((id) => id > 200 && random.next() < 0.4);
  for (const id of removed) remove(id);
  for (const id of [...keys.keys()]) if (random.next() < 0.3) put(id, somewhere());
  // A crowd where nobody was before.
  for (let id = 5000; id < 5600; id += 1)
    put(id, keyOfPoint({ lat: 55 + random.gaussian() / 200, lon: 3 + random.gaussian() / 200 }));
  await compare(80);
});

it("takes one query again for a member who blocked the nearest 300, once a search found how far to look", async () => {
  const viewerId = 1;
  const near = searchByBruteForce(viewerId);
  const block = sqlite.prepare(
    "insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) values (?, ?, ?, ?, 1)",
  );
  for (const id of near.slice(0, 300)) {
    block.run(viewerId, id, 1, 0);
    block.run(id, viewerId, 0, 1);
  }
  const idsOf = ({ members }: NearestPage) => members.map(({ row }) => row.profile_id);
  const counts: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    const first = await search(viewerId);
    counts.push(queryCount);
    expect(idsOf(first)).toEqual(near.slice(300, 300 + SIZE));
    expect(idsOf(await search(viewerId, first.nextCursor))).toEqual(near.slice(300 + SIZE, 300 + 2 * SIZE));
  }
  expect(counts[0]).toBeGreaterThan(2);
  expect(counts[1]).toBe(1);
  sqlite.exec("delete from block");
  expect(idsOf(await search(viewerId))).toEqual(near.slice(0, SIZE));
});

it("sends the same statements for another member at another time, which SQLite need not compile again", async () => {
  const filters = { unjudged: true, tonight: true, checked: true, newHere: true, notTalkedTo: true };
  const statements = async (profileId: number, now: number) => {
    await search(1);
    sent = [];
    const ring = { centerKey: keys.get(1)!, size: SIZE, filters };
    await listNearestMatching(db, { brandBit: 1, profileId, now }, ring);
    await listShown(
      db,
      { brand: getBrand("ember"), viewer: { profileId }, now },
      { ...filters, newHere: false },
      likedCondition(LIKE_FILTERS),
    );
    await listMembersByLikes(db, { brandBit: 1, profileId, now }, LIKE_FILTERS, filters);
    return [...sent];
  };
  const first = await statements(1, NOW);
  expect(first.length).toBeGreaterThan(2);
  expect(await statements(2, NOW + 1)).toEqual(first);
});

it("with a filter returns exact results too, and looks as far with invisible members as without", async () => {
  sqlite.exec("update presence set pics_public = '[5]' where profile_id % 40 = 0");
  const viewerId = 1;
  const pages = async () => {
    const found: number[][] = [];
    for (let cursor: string | undefined, page = 0; page < 6; page += 1) {
      const search = { centerKey: keys.get(viewerId)!, size: SIZE, cursor, filters: { hasPicture: true } };
      const result = await listNearestMatching(db, { brandBit: 1, profileId: viewerId, now: NOW }, search);
      found.push(result.members.map(({ row }) => row.profile_id));
      cursor = result.nextCursor;
    }
    return found;
  };
  const found = await pages();
  const matches = searchByBruteForce(viewerId).filter((id) => id % 40 === 0);
  expect(found.flat()).toEqual(matches.slice(0, found.flat().length));
  expect(found.flat().length).toBeGreaterThan(15);
  // Members who expired are still counted by the density.
  const near = pointOfKey(keys.get(viewerId)!);
  for (let id = 9000; id < 9100; id += 1)
    put(id, keyOfPoint({ lat: near.lat + random.gaussian() / 50, lon: near.lon + random.gaussian() / 50 }));
  await rebuildDensity(d1);
  sqlite.exec("update presence set ts_effective_until = 0 where profile_id >= 9000");
  expect(await pages()).toEqual(found);
});

it("reveals invisible members in no cursor", async () => {
  const viewerId = 1;
  const near = pointOfKey(keys.get(viewerId)!);
  const cursors = async () => {
    await search(viewerId);
    expect(
      cachedDensity({ brandBit: 1, now: NOW }, [{ lo: keys.get(viewerId)!, hi: keys.get(viewerId)! + 1 }]),
    ).toBeDefined();
    const first = await search(viewerId);
    expect(queryCount).toBe(1);
    const second = await search(viewerId, first.nextCursor);
    expect(queryCount).toBe(1);
    return [first.nextCursor, second.nextCursor];
  };
  const without = await cursors();
  // Few enough that the page stays full.
  const others = Array.from({ length: 5 }, (_, index) => 9000 + index);
  for (const id of others)
    put(id, keyOfPoint({ lat: near.lat + random.gaussian() / 500, lon: near.lon + random.gaussian() / 500 }));
  await rebuildDensity(d1);
  await search(viewerId);
  for (const id of others) remove(id);
  expect(await cursors()).toEqual(without);
});
