/**
 * A town of members behind the worker's real position procedures, on SQLite in memory, so that attackers get the product's actual
 * responses. Control builds differ only in the point they publish, and must fail the attacks.
 */
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { ALL_BRANDS_MASK, type Brand, getBrand } from "@lambda/brands";
import { MINUTE_MS } from "@lambda/contract/limits";
import type { NearbyBrief } from "@lambda/contract/positions";
import { type AnchorState, applyFix, chooseAnchoredCell, NO_ANCHORS, syncAnchors } from "@lambda/geo/anchors";
import { keyOfPoint, pointOfKey } from "@lambda/geo/curve";
import { METERS_PER_DEGREE, type Point } from "@lambda/geo/distance";
import { gridCellCenter, type Precision, snapToGrid } from "@lambda/geo/grid";
import { cellAt, cellCenter, type RestingCell } from "@lambda/geo/lattice";
import { createSqliteD1 } from "@lambda/testing/d1";
import { memberInserter } from "@lambda/testing/members";
import { type Random, seededRandom } from "@lambda/testing/random";
import { openDatabase } from "@lambda/worker/database";
import { rebuildDensity } from "@lambda/worker/density";
import { type Lattices, latticesOf, newLattices } from "@lambda/worker/lattices";
import { mailboxOf } from "@lambda/worker/mailbox";
import { positionsRouter } from "@lambda/worker/nearby-router";
import { decryptRestingCells } from "@lambda/worker/place-memory";
import { publishedKey } from "@lambda/worker/publish";
import type { PositionRow } from "@lambda/worker/tables";
import { createCallerFactory, type MemberContext } from "@lambda/worker/trpc";
import type { LatticeOwner, PlacesRow } from "@lambda/worker/viewer";

const SCHEMA = fileURLToPath(import.meta.resolve("../../../../schema.sql"));
const KEYS = { SITE_KEY: "a key of the benchmark" };
/** Positions of residents do not expire during the attacks. */
const POSITION_LIFE_MS = 100 * 365 * 86_400_000;
/** Size of the cache of prepared statements; searches with different limits have different SQL. */
const STATEMENTS_MAX = 400;

export interface PublishingBuild {
  readonly name: string;
  /** Defaults to the product's own pipeline. */
  readonly publish?: (raw: Point) => Point;
}

export const PRODUCT: PublishingBuild = { name: "product" };
export const CONTROLS: readonly PublishingBuild[] = [
  { name: "control: raw positions", publish: (raw) => raw },
  {
    name: "control: 111 m grid",
    publish: ({ lat, lon }) => ({ lat: Math.round(lat * 1000) / 1000, lon: Math.round(lon * 1000) / 1000 }),
  },
];

/** Defined by the bundler in production builds. */
Object.assign(globalThis, { __DEVELOPMENT__: false });

const createCaller = createCallerFactory(positionsRouter);
export type Caller = ReturnType<typeof createCaller>;

function openEmpty(): DatabaseSync {
  const sqlite = new DatabaseSync(":memory:");
  sqlite.exec("PRAGMA foreign_keys = ON");
  sqlite.exec(readFileSync(SCHEMA, "utf8"));
  return sqlite;
}

export class SimulatedTown {
  readonly center: Point = { lat: 33.45, lon: -112.07 };
  /** Members' real locations, for scoring only. */
  readonly raw = new Map<number, Point>();
  now = Date.UTC(2026, 10, 20, 12);
  requests = 0;
  readonly random: Random;
  readonly #sqlite = openEmpty();
  /** Called for every statement, if set. */
  onStatement: ((sql: string) => void) | undefined;
  readonly d1 = createSqliteD1(this.#sqlite, {
    intercept: ({ query }, execute) => {
      this.onStatement?.(query);
      return execute();
    },
    statementsMax: STATEMENTS_MAX,
  });
  readonly #db = openDatabase(this.d1);
  readonly #build: PublishingBuild;
  readonly #insertMember = memberInserter(this.#sqlite);
  readonly #selectRow = this.#sqlite.prepare("SELECT * FROM position WHERE profile_id = ?");
  readonly #selectHidden = this.#sqlite.prepare("SELECT hidden FROM profile WHERE id = ?");
  readonly #selectPlaces = this.#sqlite.prepare(
    "SELECT a.id, a.email, a.lattice_seed, a.lattices, m.sealed FROM account a LEFT JOIN place_memory m ON m.profile_id = a.id WHERE a.id = ?",
  );

  private constructor(build: PublishingBuild, seed: number) {
    this.#build = build;
    this.random = seededRandom(seed);
  }

  static async open(build: PublishingBuild, members: number, seed = 3): Promise<SimulatedTown> {
    const town = new SimulatedTown(build, seed);
    const spread = 12_000 / METERS_PER_DEGREE;
    town.#sqlite.exec("BEGIN");
    for (let id = 1; id <= members; id += 1) {
      await town.#insert(id);
      const east = (town.random.gaussian() * spread) / Math.cos((town.center.lat * Math.PI) / 180);
      const raw = { lat: town.center.lat + town.random.gaussian() * spread, lon: town.center.lon + east };
      town.raw.set(id, raw);
      const lattices = town.latticesOf(id);
      const cell = cellAt(lattices.own, raw, "street");
      const { publish } = build;
      const key = publish ? keyOfPoint(publish(raw)) : publishedKey(lattices, cell);
      town.#sqlite
        .prepare("INSERT INTO position VALUES (?, 'DEVICE_GPS', 'street', ?, NULL, ?, 0, ?, ?)")
        .run(id, cell, key, town.now, town.now + POSITION_LIFE_MS);
    }
    town.#sqlite.exec("COMMIT");
    await rebuildDensity(town.d1);
    return town;
  }

  /** Inserts a member with lattices as the worker draws them at registration; two of one mailbox are from before it had one account. */
  async #insert(id: number, email = `member${id}@example.test`): Promise<void> {
    const mailbox = mailboxOf(email);
    const other = this.#sqlite
      .prepare("SELECT id, email, lattice_seed, lattices FROM account WHERE mailbox = ? ORDER BY id LIMIT 1")
      .get(mailbox);
    const lattices = newLattices(KEYS, other as unknown as LatticeOwner | undefined);
    this.#insertMember({
      id,
      email,
      sharedOn: ALL_BRANDS_MASK,
      randomOrder: this.random.int(2 ** 32),
      seen: this.now,
      created: 0,
    });
    this.#sqlite.prepare("UPDATE account SET mailbox = ?, lattices = ? WHERE id = ?").run(mailbox, lattices, id);
  }

  #places(id: number): PlacesRow {
    return this.#selectPlaces.get(id) as unknown as PlacesRow;
  }

  /** A member's lattices, for scoring and for the member's own client only. */
  latticesOf(id: number): Lattices {
    return latticesOf(KEYS, this.#places(id));
  }

  /** Where a member's marker would be, without a report. */
  markerAt(id: number, raw: Point): Point {
    const lattices = this.latticesOf(id);
    return pointOfKey(publishedKey(lattices, cellAt(lattices.own, raw, "street")));
  }

  remembered(id: number): RestingCell[] {
    return decryptRestingCells(KEYS, id, this.#places(id).sealed);
  }

  /** Creates another account, such as an attacker's, and returns its id. */
  async addAccount(email?: string): Promise<number> {
    const id = 1_000_000 + this.#added;
    this.#added += 1;
    await this.#insert(id, email);
    return id;
  }
  #added = 0;

  /** Gives an account the lattices of another, both own and shown, as it once was for two accounts of one mailbox. */
  copyLattices(from: number, to: number): void {
    this.#sqlite
      .prepare("UPDATE account SET lattices = (SELECT lattices FROM account WHERE id = ?) WHERE id = ?")
      .run(from, to);
  }

  #row(id: number): PositionRow | null {
    return (this.#selectRow.get(id) as unknown as PositionRow | undefined) ?? null;
  }

  /** A caller of the procedures with the session of an account. */
  as(id: number, brand: Brand = getBrand("ember")): Caller {
    const hidden = this.#selectHidden.get(id)?.hidden === 1;
    const viewer = {
      profileId: id,
      status: "active",
      hidden,
      hides: hidden,
      position: this.#row(id),
      places: this.#places(id),
    };
    const { now } = this;
    // There are no sockets in this simulation.
    const AREA = { getByName: () => ({ dismiss: () => Promise.resolve() }) };
    const SQUARE = { getByName: () => ({ change: () => Promise.resolve() }) };
    const env = { ...KEYS, AREA, SQUARE };
    const waitUntil = () => undefined;
    const counts = { changes: { calls: 0, reachingLate: 0, aboutOthers: 0, briefs: 0 }, undo: [] };
    const database = { env, d1: this.d1, near: this.d1, db: this.#db };
    // Set by the network edge in production.
    const request = { cf: { country: "US" } };
    return createCaller({ ...database, ...counts, request, brand, viewer, now, waitUntil } as unknown as MemberContext);
  }

  /** Reports a position as a member. By default it is set by hand, so it is published immediately. Returns what others then see. */
  async report(
    id: number,
    raw: Point,
    use: "OVERRIDE" | "DEVICE_GPS" = "OVERRIDE",
    more: { precision?: Precision; hide?: boolean } = {},
  ): Promise<Point> {
    const sent =
      use === "OVERRIDE" ? { overrideLat: raw.lat, overrideLon: raw.lon } : { gpsLat: raw.lat, gpsLon: raw.lon };
    await this.as(id).report({ profileId: id, use, ...sent, ...more });
    if (this.#build.publish) {
      const key = keyOfPoint(this.#build.publish(raw));
      this.#sqlite.prepare("UPDATE position SET key = ? WHERE profile_id = ?").run(key, id);
    }
    return pointOfKey(this.#row(id)!.key);
  }

  /** Processes a GPS fix on a member's device: the product reports the center of the chosen cell, control builds the fix itself. */
  async reportFix(
    id: number,
    fix: Point,
    more: { hide?: boolean; precision?: Precision; accuracyMeters?: number } = {},
    use: "OVERRIDE" | "DEVICE_GPS" = "DEVICE_GPS",
  ): Promise<void> {
    const { accuracyMeters = 0, ...rest } = more;
    if (this.#build.publish) return void (await this.report(id, fix, use, rest));
    const [{ own: lattice }, remembered] = [this.latticesOf(id), this.remembered(id)];
    const known = this.#devices.get(id) ?? NO_ANCHORS;
    const [cells, at, precision] = [{ lattice, remembered }, { ...fix, accuracyMeters }, more.precision ?? "street"];
    const row = this.#row(id);
    const last = row ? (row.pending_cell ?? row.cell) : null;
    const { cell, ...kept } =
      use === "DEVICE_GPS"
        ? applyFix(cells, known, at, precision, last, this.now)
        : { cell: chooseAnchoredCell(cells, known.anchors, at, precision), ...known };
    await this.report(id, cellCenter(lattice, cell), use, rest);
    this.#devices.set(id, { ...kept, anchors: syncAnchors(kept.anchors, this.remembered(id)) });
  }
  readonly #devices = new Map<number, AnchorState>();

  /** Moves a member back to their real location after an attack. */
  async resetPosition(id: number): Promise<void> {
    await this.report(id, this.raw.get(id)!, "OVERRIDE", { precision: "street", hide: false });
  }

  block(one: number, other: number): void {
    this.#sqlite
      .prepare(
        `INSERT INTO block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created)
          VALUES (?1, ?2, 1, 0, 0), (?2, ?1, 0, 1, 0)`,
      )
      .run(one, other);
  }

  unblock(one: number, other: number): void {
    this.#sqlite
      .prepare("DELETE FROM block WHERE (profile_id, other_id) IN (VALUES (?1, ?2), (?2, ?1))")
      .run(one, other);
  }

  /** Advances the clock, and renews positions that would expire soon. */
  advanceMinutes(minutes: number): void {
    this.now += minutes * MINUTE_MS;
    this.#sqlite
      .prepare("UPDATE position SET ts_effective_until = ? WHERE ts_effective_until < ?")
      .run(this.now + POSITION_LIFE_MS, this.now + 1e7);
  }

  close(): void {
    this.#sqlite.close();
  }
}

/** Moves a point by meters east and north, using a flat approximation that suffices within a town. */
export function offset(from: Point, east: number, north: number): Point {
  return {
    lat: from.lat + north / METERS_PER_DEGREE,
    lon: from.lon + east / (METERS_PER_DEGREE * Math.cos((from.lat * Math.PI) / 180)),
  };
}

export function between(from: Point, to: Point): { east: number; north: number } {
  return {
    east: (to.lon - from.lon) * METERS_PER_DEGREE * Math.cos((from.lat * Math.PI) / 180),
    north: (to.lat - from.lat) * METERS_PER_DEGREE,
  };
}

export const gridCenterOf = ({ lat, lon }: Point): Point => gridCellCenter(snapToGrid(lat, lon, "street"));
export type Brief = NearbyBrief;
