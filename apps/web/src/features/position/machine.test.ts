import { boundsOfCell, RESTING_CLAIM_METERS } from "@lambda/geo/lattice";
import { describe, expect, test } from "vitest";
import {
  answer,
  beside,
  cellOf,
  centreOf,
  FAR,
  fresh,
  HOME,
  LATTICE,
  MINUTE,
  machine,
  NO_PLACES,
  onGps,
  SECOND,
  SESSION,
  walking,
} from "./fake-device.ts";
import { ownPoint, step, wantsGps } from "./machine.ts";

const HOUR = 60 * MINUTE;

describe("what is reported", () => {
  test("by default a random position: no coordinate leaves the device", () => {
    const device = fresh();
    expect(device.reports).toEqual([{ use: "RANDOM", precision: "street" }]);
    expect(ownPoint(device.state)).toEqual({ lat: 33.5, lon: -112.1 });
  });

  test("walk mode starts where they are seen, and reports the centre of the cell they drag to", () => {
    const device = fresh()
      .do({ type: "walk" })
      .pass(2 * SECOND);
    expect(device.last?.use).toBe("OVERRIDE");
    device.do({ type: "drag", point: HOME }).pass(2 * SECOND);
    const { lat, lon } = centreOf(HOME);
    expect(device.last).toMatchObject({ use: "OVERRIDE", overrideLat: lat, overrideLon: lon });
    expect(device.last).not.toHaveProperty("gpsLat");
    expect(ownPoint(device.state)).toEqual(HOME);
  });

  test("GPS mode reports the centre of the cell of a fix, and nothing before the first one", () => {
    const device = onGps();
    const before = device.reports.length;
    device.pass(9 * SECOND);
    expect(device.reports).toHaveLength(before);
    device.fix(HOME).pass(2 * SECOND);
    const { lat, lon } = centreOf(HOME);
    expect(device.last).toMatchObject({ use: "DEVICE_GPS", gpsLat: lat, gpsLon: lon });
    expect(device.last).not.toHaveProperty("overrideLat");
  });

  test("two raw positions in one cell give the same report, byte for byte", () => {
    const { latMin, latMax, lonMin, lonMax } = boundsOfCell(LATTICE, cellOf(HOME));
    const inside = (part: number) => ({
      lat: latMin + (latMax - latMin) * part,
      lon: lonMin + (lonMax - lonMin) * part,
    });
    const reports = [HOME, inside(0.03), inside(0.97)].map((point) => {
      const device = onGps()
        .fix(point)
        .pass(2 * SECOND);
      return JSON.stringify(device.last);
    });
    expect(new Set(reports).size).toBe(1);
    expect(reports[0]).not.toContain("33.4484");
  });

  test.each(["district", "city"] as const)("precision %s snaps to its own cell", (precision) => {
    const device = walking()
      .do({ type: "precision", precision })
      .pass(2 * SECOND);
    const { lat, lon } = centreOf(HOME, precision);
    expect(device.last).toMatchObject({ precision, overrideLat: lat, overrideLon: lon });
  });

  test("exact is for a dragged marker only: GPS and random fall back to street", () => {
    const exact = () =>
      walking()
        .do({ type: "precision", precision: "exact" })
        .pass(2 * SECOND);
    expect(exact().last?.precision).toBe("exact");
    expect(
      exact()
        .do({ type: "gps" })
        .fix(HOME)
        .pass(2 * SECOND).last?.precision,
    ).toBe("street");
    expect(
      exact()
        .do({ type: "random" })
        .pass(2 * SECOND).last,
    ).toMatchObject({ use: "RANDOM", precision: "street" });
    expect(onGps().do({ type: "precision", precision: "exact" }).state.precision).toBe("street");
  });

  test("a report says nothing of the device's clock, which may be days behind or ahead", () => {
    const hours = [0, -20, -27, 48].map((behind) => {
      const device = walking();
      device.now += behind * 3_600_000;
      return Object.keys(device.last ?? {}).filter((key) => key.startsWith("ts"));
    });
    expect(hours).toEqual([[], [], [], []]);
  });
});

describe("when it is reported", () => {
  test("a second after the last of several drags, once", () => {
    const device = walking();
    const before = device.reports.length;
    for (const lat of [33.5, 33.51, 33.52]) device.do({ type: "drag", point: { lat, lon: -112 } }).pass(300);
    device.pass(690);
    expect(device.reports).toHaveLength(before);
    device.pass(20);
    expect(device.reports).toHaveLength(before + 1);
    expect(device.last?.overrideLat).toBe(centreOf({ lat: 33.52, lon: -112 }).lat);
  });

  test("fixes are looked at every 5 s; the newest one wins", () => {
    const device = onGps()
      .fix(HOME)
      .pass(2 * SECOND);
    const before = device.reports.length;
    device.fix(FAR).pass(SECOND).fix({ lat: 33.48, lon: -112.05 }).pass(1900);
    expect(device.reports).toHaveLength(before);
    device.pass(SECOND + 200);
    expect(device.reports).toHaveLength(before + 1);
    expect(device.last?.gpsLat).toBe(centreOf({ lat: 33.48, lon: -112.05 }).lat);
  });

  test("a drag to another cell counts, however far it is", () => {
    const device = walking();
    const before = device.reports.length;
    device.do({ type: "drag", point: beside(HOME, -0.01) }).pass(2 * SECOND);
    expect(device.reports).toHaveLength(before);
    expect(ownPoint(device.state)).toMatchObject(beside(HOME, -0.01));
    device.do({ type: "drag", point: beside(HOME, 0.01) }).pass(2 * SECOND);
    expect(device.reports).toHaveLength(before + 1);
  });

  test("a place keeps the cell that it was first seen in, as far as a GPS wavers and as far as it is unsure", () => {
    const device = onGps()
      .fix(HOME)
      .pass(HOUR + MINUTE);
    const { lat, lon } = centreOf(HOME);
    const atHome = { gpsLat: lat, gpsLon: lon };
    // A street cell is 556 m wide.
    const claim = RESTING_CLAIM_METERS / 556;
    device.fix(beside(HOME, claim - 0.02), 5).pass(10 * SECOND);
    expect(device.last).toMatchObject(atHome);
    device.fix(beside(HOME, 0.9), 600).pass(10 * SECOND);
    expect(device.last).toMatchObject(atHome);
    expect(ownPoint(device.state)).toMatchObject(beside(HOME, 0.9));
    device.fix(beside(HOME, claim + 0.02), 5).pass(10 * SECOND);
    expect(device.last).not.toMatchObject(atHome);
  });

  test("whichever way they come home, and however often they start anew, the cell is the same", () => {
    const { places } = onGps()
      .fix(HOME)
      .pass(HOUR + MINUTE);
    expect(places.remembered).toHaveLength(1);
    for (const way of [beside(HOME, 0.8), FAR, beside(HOME, -1.6)]) {
      const again = machine({ use: "device" }).do({ type: "found", position: null, places, session: SESSION });
      again.places = places;
      again
        .fix(way)
        .pass(10 * MINUTE)
        .fix(beside(HOME, -0.02))
        .pass(10 * SECOND)
        .fix(beside(HOME, 0.15))
        .pass(10 * SECOND);
      expect([again.last?.gpsLat, again.last?.gpsLon]).toEqual([centreOf(HOME).lat, centreOf(HOME).lon]);
    }
  });

  test("nothing of a place goes out before the device knows their cells, but hiding does", () => {
    const device = machine({ use: "override", override: HOME })
      .do({ type: "walk" })
      .pass(5 * MINUTE);
    expect(device.reports).toEqual([]);
    device.do({ type: "hide", hide: true });
    expect(device.reports).toMatchObject([{ use: "RANDOM", hide: true }]);
    const late = machine({ use: "override", override: HOME })
      .do({ type: "walk" })
      .pass(MINUTE)
      .do({ type: "found", position: null, places: NO_PLACES, session: SESSION })
      .pass(2 * SECOND);
    expect(late.reports).toMatchObject([{ use: "OVERRIDE", overrideLat: centreOf(HOME).lat }]);
  });

  test("or else after 300 s, still as the old cell", () => {
    const device = onGps()
      .fix(HOME)
      .pass(10 * SECOND);
    const before = device.reports.length;
    for (let second = 0; second < 280; second += 20) device.fix(beside(HOME, 0.1)).pass(20 * SECOND);
    expect(device.reports).toHaveLength(before);
    device
      .pass(10 * SECOND)
      .fix(beside(HOME, 0.1))
      .pass(10 * SECOND);
    expect(device.reports).toHaveLength(before + 1);
    expect(device.last?.gpsLon).toBe(centreOf(HOME).lon);
  });

  test("a drag inside the cell moves their own marker and tells nobody", () => {
    const device = walking();
    const before = device.reports.length;
    device.do({ type: "drag", point: beside(HOME, -0.1) }).pass(10 * SECOND);
    expect(device.reports).toHaveLength(before);
    expect(ownPoint(device.state)).toEqual(beside(HOME, -0.1));
  });

  test("a page that stays open keeps a resting position alive", () => {
    const device = walking();
    const before = device.reports.length;
    device.pass(3 * 60 * MINUTE);
    expect(device.reports.length - before).toBe(3);
    expect(device.last).toMatchObject({ use: "OVERRIDE", overrideLat: centreOf(HOME).lat });
  });

  test("paused: no report and no GPS; what waited goes out afterwards", () => {
    const device = onGps().fix(HOME).do({ type: "paused", paused: true });
    const before = device.reports.length;
    expect(wantsGps(device.state)).toBe(false);
    device
      .pass(10 * MINUTE)
      .fix(FAR)
      .pass(MINUTE);
    expect(device.reports).toHaveLength(before);
    device.do({ type: "paused", paused: false });
    expect(device.reports).toHaveLength(before + 1);
    expect(device.last?.gpsLat).toBe(centreOf(HOME).lat);
    expect(wantsGps(device.state)).toBe(true);
  });

  test("a failed save is tried again, later each time, and never twice at once", () => {
    const device = walking();
    device.online = false;
    const before = device.reports.length;
    device.do({ type: "drag", point: FAR }).pass(MINUTE);
    // After 1 s, then 5, 10 and 20 s later.
    expect(device.reports.length - before).toBe(4);
    device.online = true;
    device.pass(MINUTE);
    expect(device.reports.length - before).toBe(5);
    device.pass(10 * MINUTE);
    expect(device.reports.length - before).toBe(5);
  });

  test("a change during a save waits for its answer", () => {
    const state = walking().state;
    const dragged = step(state, { type: "drag", point: FAR }, 1e12).state;
    const saving = step(dragged, { type: "tick" }, 1e12 + 1000);
    expect(saving.outcomes).toHaveLength(1);
    const again = step(saving.state, { type: "drag", point: HOME }, 1e12 + 1100);
    expect(step(again.state, { type: "tick" }, 1e12 + 3000).outcomes).toHaveLength(0);
    const answered = step(again.state, { type: "saved", position: answer({}) }, 1e12 + 4000);
    expect(answered.outcomes).toMatchObject([{ type: "save", report: { overrideLat: centreOf(HOME).lat } }]);
  });
});
