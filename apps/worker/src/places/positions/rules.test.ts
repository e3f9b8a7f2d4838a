import { readFile } from "node:fs/promises";
import { inspect } from "node:util";
import { ageOf, isAdultBirthdate } from "@lambda/contract/birthdate";
import { DAY_MS, POSITION_EFFECTIVE_MS, POSITION_PUBLISH_MIN_MS } from "@lambda/contract/limits";
import { ProfilePositionReport } from "@lambda/contract/positions";
import { pointOfKey } from "@lambda/geo/curve";
import { type Cell, snapToGrid } from "@lambda/geo/grid";
import { cellAt, latticeOf, metersOutsideCell } from "@lambda/geo/lattice";
import { ROOT } from "@lambda/testing/site";
import { describe, expect, it } from "vitest";
import { latticesOf } from "../../accounts/lattices.ts";
import { groupSquares } from "./aggregates.ts";
import { bornOnOrBefore } from "./briefs.ts";
import { publishedKey, randomPoint } from "./publish.ts";
import { nextState, type PositionState, reportedPrecision } from "./rules.ts";

const LATTICE = latticeOf(0.3, 0.7);
const NOW = 1_800_000_000_000;
const home = snapToGrid(33.45, -112.07, "street");
const work = snapToGrid(33.5, -112.07, "street");
const at = (cell: Cell, over: Partial<PositionState> = {}): PositionState => ({
  use: "DEVICE_GPS",
  precision: "street",
  cell,
  pendingCell: null,
  tsPublished: NOW,
  tsEffectiveUntil: NOW + POSITION_EFFECTIVE_MS,
  ...over,
});
const gps = { use: "DEVICE_GPS" as const, tsEffectiveUntil: null };
const drag = { use: "OVERRIDE" as const, tsEffectiveUntil: null };

describe("a report", () => {
  it("is published at once when it is the first", () => {
    expect(nextState(undefined, gps, home, "street", NOW)).toEqual(at(home));
  });

  it("changes nothing in the same cell", () => {
    expect(nextState(at(home), gps, home, "street", NOW + 59 * 60_000)).toBeUndefined();
  });

  it("extends the lifetime once that gains an hour, and never beyond 26 h", () => {
    const later = NOW + 61 * 60_000;
    expect(nextState(at(home), gps, home, "street", later)?.tsEffectiveUntil).toBe(later + POSITION_EFFECTIVE_MS);
    const greedy = { ...gps, tsEffectiveUntil: NOW + 100 * DAY_MS };
    expect(nextState(undefined, greedy, home, "street", NOW)?.tsEffectiveUntil).toBe(NOW + POSITION_EFFECTIVE_MS);
    const brief = { ...gps, tsEffectiveUntil: NOW + 60_000 };
    expect(nextState(at(home), brief, home, "street", NOW)?.tsEffectiveUntil).toBe(NOW + 60_000);
    // Phones whose clock is 27 hours behind, and two days ahead.
    for (const clock of [-27, -48, 48]) {
      const wrong = { ...gps, tsEffectiveUntil: NOW + clock * 3_600_000 + POSITION_EFFECTIVE_MS };
      expect(nextState(undefined, wrong, home, "street", NOW)?.tsEffectiveUntil).toBe(NOW + POSITION_EFFECTIVE_MS);
    }
    const ending = at(home, { tsEffectiveUntil: NOW + 50 * 60_000 });
    expect(nextState(ending, { ...gps, tsEffectiveUntil: NOW }, home, "street", NOW)?.tsEffectiveUntil).toBe(NOW);
    expect(nextState(ending, { ...gps, tsEffectiveUntil: NOW + 60 * 60_000 }, home, "street", NOW)).toBeUndefined();
  });

  it("waits 15 minutes after a walk, but not after a drag", () => {
    const soon = NOW + POSITION_PUBLISH_MIN_MS - 1;
    expect(nextState(at(home), gps, work, "street", soon)).toEqual(at(home, { pendingCell: work, tsPublished: soon }));
    expect(nextState(at(home), gps, work, "street", soon + 1)).toEqual(at(work, { tsPublished: soon + 1 }));
    expect(nextState(at(home), drag, work, "street", soon)).toMatchObject({ cell: work, tsPublished: soon });
  });

  it("appears at once where GPS finds a member who was random, as a first report does, and later waits like any other", () => {
    const random = at(work, { use: "RANDOM" });
    const soon = NOW + 60_000;
    const shown = nextState(random, gps, home, "street", soon);
    // What others see next depends on the fix alone, not on the random position or its time.
    for (const cell of [work, home, snapToGrid(33.455, -112.07, "street")])
      expect(nextState({ ...random, cell }, gps, home, "street", soon)).toEqual({
        ...nextState(undefined, gps, home, "street", soon),
        tsPublished: cell === home ? NOW : soon,
        tsEffectiveUntil: shown?.tsEffectiveUntil,
      });
    expect(nextState(shown, gps, work, "street", soon + 1)).toMatchObject({ cell: home, pendingCell: work });
  });

  it("is published when the table of transitions says", async () => {
    const readme = await readFile(`${ROOT}packages/geo/README.md`, "utf8");
    const rows = [...readme.matchAll(/^\| ([a-zA-Z_]+) \| ([a-zA-Z_]+) \| ([a-z ]+) \| ([a-z ]+) \| ([a-z ]+) \|$/gm)];
    expect(rows).toHaveLength(9);
    const next = snapToGrid(33.455, -112.07, "street");
    for (const [row, from, to, ...said] of rows) {
      const uses = to === "any" ? (["RANDOM", "OVERRIDE", "DEVICE_GPS"] as const) : [to as PositionState["use"]];
      for (const use of uses) {
        const seen = [
          [work, NOW + POSITION_PUBLISH_MIN_MS - 1] as const,
          [next, NOW + POSITION_PUBLISH_MIN_MS] as const,
          [work, NOW + POSITION_PUBLISH_MIN_MS] as const,
        ].map(([cell, now]) => {
          const before = from === "nothing" ? undefined : at(home, { use: from as PositionState["use"] });
          const state = nextState(before, { use, tsEffectiveUntil: null }, cell, "street", now);
          return state?.cell === cell ? "at once" : "wait";
        });
        expect(seen, row).toEqual(said);
      }
    }
  });

  it("publishes no cell of a walk before the member stays in one for 15 minutes, however long they rested before", () => {
    const step = (index: number) => snapToGrid(33.45 + index * 0.005, -112.07 + index * 0.006, "street");
    let state = at(home);
    for (let index = 1; index <= 5; index += 1) {
      const now = NOW + DAY_MS / 2 + index * 8 * 60_000;
      state = nextState(state, gps, step(index), "street", now) ?? state;
      expect(state).toMatchObject({ cell: home, pendingCell: step(index), tsPublished: now });
    }
    const arrived = state.tsPublished;
    expect(nextState(state, gps, step(5), "street", arrived + POSITION_PUBLISH_MIN_MS - 1)).toBeUndefined();
    const shown = nextState(state, gps, step(5), "street", arrived + POSITION_PUBLISH_MIN_MS);
    expect(shown).toMatchObject({ cell: step(5), pendingCell: null, tsPublished: arrived + POSITION_PUBLISH_MIN_MS });
  });

  it("drops a pending cell when the member comes back", () => {
    const waiting = at(home, { pendingCell: work });
    expect(nextState(waiting, gps, work, "street", NOW + 1000)).toBeUndefined();
    expect(nextState(waiting, gps, home, "street", NOW + 1000)).toEqual(at(home));
  });

  it("applies another precision at once", () => {
    const city = snapToGrid(33.45, -112.07, "city");
    expect(nextState(at(home), gps, city, "city", NOW + 1000)).toMatchObject({ cell: city, precision: "city" });
  });

  it("is never finer than the precision chosen before, unless it says so", () => {
    expect(reportedPrecision(null, null)).toBe("street");
    expect(reportedPrecision(null, "city")).toBe("city");
    expect(reportedPrecision(null, "exact")).toBe("street");
    expect(reportedPrecision("street", "city")).toBe("street");
  });

  it("loses its coordinates during parsing", () => {
    const parsed = ProfilePositionReport.parse({
      profileId: 1,
      use: "DEVICE_GPS",
      gpsLat: 33.456_789_1,
      gpsLon: -112.071_234_5,
      overrideLat: 1.234_567,
      overrideLon: 2.345_678,
      gpsTimestamp: 123,
    });
    const raw = { lat: 33.456_789_1, lon: -112.071_234_5 };
    expect(parsed.point?.cell(LATTICE, [], "street", null)).toBe(cellAt(LATTICE, raw, "street"));
    const { point } = parsed;
    const exposed = [
      JSON.stringify(parsed),
      JSON.stringify(structuredClone(parsed)),
      inspect(parsed, { depth: null, showHidden: true }),
      inspect(structuredClone(point), { showHidden: true }),
      `${String(point)} ${JSON.stringify({ ...point })} ${Reflect.ownKeys(point!).map(String)}`,
      JSON.stringify(Object.entries(Object.getOwnPropertyDescriptors(point))),
    ].join(" ");
    expect(exposed).not.toMatch(/33\.4|112\.0|1\.23|2\.34/);
    const refused = ProfilePositionReport.safeParse({
      profileId: 1,
      use: "OVERRIDE",
      overrideLat: 91.234_567,
      overrideLon: 0,
    });
    expect(refused.success).toBe(false);
    expect(JSON.stringify(refused.error)).not.toContain("91.2");
    expect(ProfilePositionReport.safeParse({ profileId: 1, use: "OVERRIDE", gpsLat: 1, gpsLon: 1 }).success).toBe(
      false,
    );
  });
});

describe("the published position", () => {
  it("is inside the cell", () => {
    for (let member = 1; member < 300; member += 1) {
      const owner = { id: member, email: `${member}@example.test`, lattice_seed: null, lattices: null };
      const lattices = latticesOf({ SITE_KEY: "secret" }, owner);
      for (const precision of ["exact", "street", "city"] as const) {
        const cell = cellAt(lattices.own, { lat: 33.45 + member / 100, lon: 179.99 + member / 1000 }, precision);
        // A curve key is off by up to 0.3 m.
        expect(metersOutsideCell(lattices.own, cell, pointOfKey(publishedKey(lattices, cell)))).toBeLessThan(1);
      }
    }
  });

  it("is near the brand's first city for a member who chose none, and always the same", () => {
    const brand = { id: "ember", firstCity: { lat: 33.4484, lon: -112.074 } };
    const env = { SITE_KEY: "secret" };
    const all = Array.from({ length: 200 }, (_, member) => randomPoint(env, member, brand));
    expect(new Set(all.map(({ lat, lon }) => snapToGrid(lat, lon, "street"))).size).toBeGreaterThan(120);
    expect(randomPoint(env, 5, brand)).toEqual(all[5]);
  });
});

describe("aggregates", () => {
  const square = (column: number, row: number, count: number) => ({ column, row, side: 1, count });
  const total = (list: readonly { count: number }[]) => list.reduce((sum, { count }) => sum + count, 0);

  it("stay separate up to ten squares, and are grouped beyond", () => {
    const ten = Array.from({ length: 10 }, (_, index) => square(100 + index, 50, 5));
    expect(groupSquares(ten, 10)).toHaveLength(10);
    const eleven = [...ten, square(110, 50, 5)];
    const grouped = groupSquares(eleven, 10);
    expect(grouped.length).toBeLessThanOrEqual(10);
    expect(total(grouped)).toBe(55);
    expect(grouped.every(({ side }) => side === 2)).toBe(true);
  });

  it("never show fewer than three members", () => {
    const grouped = groupSquares([square(100, 50, 7), square(101, 50, 1), square(103, 51, 2), square(300, 20, 2)], 10);
    expect(grouped.every(({ count }) => count >= 3)).toBe(true);
    expect(grouped).toContainEqual(square(100, 50, 7));
    expect(grouped).toContainEqual({ column: 100, row: 48, side: 4, count: 3 });
    expect(total(grouped)).toBe(10);
    expect(groupSquares([square(1, 1, 2)], 10)).toEqual([]);
  });
});

describe("age limits", () => {
  it("make nobody an adult before their birthday where they are, and everybody within a day", () => {
    // Midnight of the birthday in Auckland, in Honolulu, and where days begin last.
    const isAdult = ["2026-11-26T11:00Z", "2026-11-27T10:00Z", "2026-11-27T11:59Z", "2026-11-27T12:00Z"].map((now) =>
      isAdultBirthdate("2008-11-27", Date.parse(now)),
    );
    expect(isAdult).toEqual([false, false, false, true]);
  });

  it("agree with the displayed age on every day of four years", () => {
    for (let now = Date.UTC(2023, 0, 1); now < Date.UTC(2027, 0, 1); now += DAY_MS) {
      const last = bornOnOrBefore(18, now);
      const date = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);
      expect(ageOf(date(last), now)).toBe(18);
      expect(ageOf(date(last + 1), now)).toBe(17);
    }
  });
});
