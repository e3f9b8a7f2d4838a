import { describe, expect, test } from "vitest";
import { mayDrag, ownPoint, shownUse, wantsGps } from "./machine.ts";
import {
  answer,
  centreOf,
  FAR,
  fresh,
  HOME,
  MINUTE,
  machine,
  NO_PLACES,
  onGps,
  SECOND,
  SESSION,
  walking,
} from "./machine-bench.ts";

describe("modes", () => {
  test("only a member in walk mode may drag their marker", () => {
    const bench = fresh();
    expect(mayDrag(bench.state)).toBe(false);
    bench.do({ type: "drag", point: FAR }).pass(2 * SECOND);
    expect(bench.last?.use).toBe("RANDOM");
    expect(mayDrag(bench.do({ type: "walk" }).state)).toBe(true);
    bench
      .do({ type: "gps" })
      .fix(HOME)
      .pass(2 * SECOND)
      .do({ type: "drag", point: FAR })
      .pass(2 * SECOND);
    expect(bench.last?.gpsLat).toBe(centreOf(HOME).lat);
  });

  test("from GPS to walk the marker stays where it is", () => {
    const bench = onGps()
      .fix(FAR)
      .pass(2 * SECOND)
      .do({ type: "walk" })
      .pass(2 * SECOND);
    expect(bench.last).toMatchObject({ use: "OVERRIDE", overrideLat: centreOf(FAR).lat });
    expect(ownPoint(bench.state)).toMatchObject(FAR);
  });

  test("the exact spot is for walk mode alone; refused, the square stays as coarse as it was", () => {
    const bench = onGps()
      .fix(HOME)
      .do({ type: "precision", precision: "city" })
      .pass(2 * SECOND);
    bench.do({ type: "precision", precision: "exact" }).pass(2 * SECOND);
    expect(bench.state.precision).toBe("city");
    expect(bench.do({ type: "walk" }).do({ type: "precision", precision: "exact" }).state.precision).toBe("exact");
  });

  test("GPS is watched in GPS mode alone", () => {
    expect(wantsGps(fresh().state)).toBe(false);
    expect(wantsGps(onGps().state)).toBe(true);
    expect(wantsGps(onGps().do({ type: "walk" }).state)).toBe(false);
  });
});

describe("GPS errors", () => {
  test.each(["denied", "unavailable", "timeout", "other"] as const)(
    "%s before any fix: back to override, with the message",
    (kind) => {
      const { state } = onGps().do({ type: "gpsFailed", kind });
      expect(state).toMatchObject({ use: "override", shownError: kind });
      expect(mayDrag(state)).toBe(true);
    },
  );

  test("nobody is moved by it: without a position of their own they stay random", () => {
    const bench = onGps()
      .do({ type: "gpsFailed", kind: "timeout" })
      .pass(2 * 60 * MINUTE);
    expect(bench.reports.every((report) => report.use === "RANDOM")).toBe(true);
  });

  test("while the last fix is fresh nothing is shown; it is when the fix is older than 2 minutes", () => {
    const bench = onGps()
      .fix(HOME)
      .pass(30 * SECOND)
      .do({ type: "gpsFailed", kind: "timeout" });
    expect(bench.state).toMatchObject({ use: "device", shownError: null });
    bench.pass(90 * SECOND);
    expect(bench.state.use).toBe("device");
    bench.pass(SECOND);
    expect(bench.state).toMatchObject({ use: "override", shownError: "timeout" });
    bench.pass(2 * SECOND);
    expect(bench.last).toMatchObject({ use: "OVERRIDE", overrideLat: centreOf(HOME).lat });
  });

  test("a new fix forgives", () => {
    const bench = onGps().fix(HOME).do({ type: "gpsFailed", kind: "unavailable" }).pass(MINUTE).fix(HOME);
    expect(bench.pass(110 * SECOND).state).toMatchObject({ use: "device", shownError: null });
  });

  test("a refusal counts at once", () => {
    const bench = onGps().fix(HOME).pass(SECOND).do({ type: "gpsFailed", kind: "denied" });
    expect(bench.state).toMatchObject({ use: "override", shownError: "denied" });
  });

  test("choosing a mode or reading it clears the message", () => {
    const failed = () => onGps().do({ type: "gpsFailed", kind: "denied" });
    expect(failed().do({ type: "errorRead" }).state.shownError).toBeNull();
    expect(failed().do({ type: "gps" }).state.shownError).toBeNull();
  });
});

describe("hiding", () => {
  test("goes out at once and is said when the server has it", () => {
    const bench = walking().do({ type: "hide", hide: true });
    expect(bench.last).toMatchObject({ hide: true, overrideLat: centreOf(HOME).lat });
    expect(bench.said).toEqual(["hiding"]);
    expect(bench.state).toMatchObject({ hidden: true, hideWanted: null });
    bench.do({ type: "hide", hide: false });
    expect(bench.said).toEqual(["hiding", "visible"]);
  });

  test("is sent by no other report", () => {
    const bench = walking()
      .do({ type: "hide", hide: true })
      .do({ type: "drag", point: FAR })
      .pass(2 * SECOND);
    expect(bench.last).not.toHaveProperty("hide");
    expect(bench.state.hidden).toBe(true);
  });

  test("without an answer it is not claimed, and tried until it holds", () => {
    const bench = walking();
    bench.online = false;
    bench.do({ type: "hide", hide: true });
    expect(bench.said).toEqual(["notHiddenYet"]);
    expect(bench.state.hidden).toBe(false);
    bench.online = true;
    bench.pass(10 * SECOND);
    expect(bench.said).toEqual(["notHiddenYet", "hiding"]);
  });

  test("does not move a member who waits for their GPS", () => {
    const bench = walking().do({ type: "gps" }).do({ type: "hide", hide: true });
    expect(bench.last).toMatchObject({ use: "OVERRIDE", overrideLat: centreOf(HOME).lat, hide: true });
  });
});

describe("several devices", () => {
  const elsewhere = (session: number) =>
    answer({ use: "OVERRIDE", overrideLat: centreOf(FAR).lat, overrideLon: centreOf(FAR).lon }, false, session);

  test("what another device reported last is shown and not overwritten", () => {
    const bench = machine({ use: "device" }).do({
      type: "found",
      position: elsewhere(99),
      places: NO_PLACES,
      session: SESSION,
    });
    bench.pass(3 * 60 * MINUTE);
    expect(bench.reports).toEqual([]);
    expect(wantsGps(bench.state)).toBe(false);
    expect(shownUse(bench.state)).toBe("override");
    expect(ownPoint(bench.state)).toEqual({ lat: centreOf(FAR).lat, lon: centreOf(FAR).lon });
  });

  test("until they act on this one", () => {
    const bench = machine().do({ type: "found", position: elsewhere(99), places: NO_PLACES, session: SESSION });
    bench.do({ type: "drag", point: HOME }).pass(2 * SECOND);
    expect(bench.last).toMatchObject({ use: "OVERRIDE", overrideLat: centreOf(HOME).lat });
  });

  test("the device that reported last goes on by itself, from its own exact point", () => {
    const point = { lat: FAR.lat + 0.0005, lon: FAR.lon };
    const bench = machine({ use: "override", override: point });
    bench.do({ type: "found", position: elsewhere(SESSION), places: NO_PLACES, session: SESSION }).pass(2 * SECOND);
    expect(bench.reports).toHaveLength(1);
    expect(ownPoint(bench.state)).toEqual(point);
  });

  test("hiding from this one does not move them", () => {
    const bench = machine().do({ type: "found", position: elsewhere(99), places: NO_PLACES, session: SESSION });
    bench.do({ type: "hide", hide: true });
    expect(bench.last).toMatchObject({ use: "OVERRIDE", overrideLat: centreOf(FAR).lat, hide: true });
  });
});
