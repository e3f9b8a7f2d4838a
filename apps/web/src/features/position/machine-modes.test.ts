import { describe, expect, test } from "vitest";
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
} from "./fake-device.ts";
import { mayDrag, ownPoint, shownUse, wantsGps } from "./machine.ts";

describe("modes", () => {
  test("only a member in walk mode may drag their marker", () => {
    const device = fresh();
    expect(mayDrag(device.state)).toBe(false);
    device.do({ type: "drag", point: FAR }).pass(2 * SECOND);
    expect(device.last?.use).toBe("RANDOM");
    expect(mayDrag(device.do({ type: "walk" }).state)).toBe(true);
    device
      .do({ type: "gps" })
      .fix(HOME)
      .pass(2 * SECOND)
      .do({ type: "drag", point: FAR })
      .pass(2 * SECOND);
    expect(device.last?.gpsLat).toBe(centreOf(HOME).lat);
  });

  test("from GPS to walk the marker stays where it is", () => {
    const device = onGps()
      .fix(FAR)
      .pass(2 * SECOND)
      .do({ type: "walk" })
      .pass(2 * SECOND);
    expect(device.last).toMatchObject({ use: "OVERRIDE", overrideLat: centreOf(FAR).lat });
    expect(ownPoint(device.state)).toMatchObject(FAR);
  });

  test("the exact spot is for walk mode alone; refused, the square stays as coarse as it was", () => {
    const device = onGps()
      .fix(HOME)
      .do({ type: "precision", precision: "city" })
      .pass(2 * SECOND);
    device.do({ type: "precision", precision: "exact" }).pass(2 * SECOND);
    expect(device.state.precision).toBe("city");
    expect(device.do({ type: "walk" }).do({ type: "precision", precision: "exact" }).state.precision).toBe("exact");
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
    const device = onGps()
      .do({ type: "gpsFailed", kind: "timeout" })
      .pass(2 * 60 * MINUTE);
    expect(device.reports.every((report) => report.use === "RANDOM")).toBe(true);
  });

  test("while the last fix is fresh nothing is shown; it is when the fix is older than 2 minutes", () => {
    const device = onGps()
      .fix(HOME)
      .pass(30 * SECOND)
      .do({ type: "gpsFailed", kind: "timeout" });
    expect(device.state).toMatchObject({ use: "device", shownError: null });
    device.pass(90 * SECOND);
    expect(device.state.use).toBe("device");
    device.pass(SECOND);
    expect(device.state).toMatchObject({ use: "override", shownError: "timeout" });
    device.pass(2 * SECOND);
    expect(device.last).toMatchObject({ use: "OVERRIDE", overrideLat: centreOf(HOME).lat });
  });

  test("a new fix forgives", () => {
    const device = onGps().fix(HOME).do({ type: "gpsFailed", kind: "unavailable" }).pass(MINUTE).fix(HOME);
    expect(device.pass(110 * SECOND).state).toMatchObject({ use: "device", shownError: null });
  });

  test("a refusal counts at once", () => {
    const device = onGps().fix(HOME).pass(SECOND).do({ type: "gpsFailed", kind: "denied" });
    expect(device.state).toMatchObject({ use: "override", shownError: "denied" });
  });

  test("choosing a mode or reading it clears the message", () => {
    const failed = () => onGps().do({ type: "gpsFailed", kind: "denied" });
    expect(failed().do({ type: "errorRead" }).state.shownError).toBeNull();
    expect(failed().do({ type: "gps" }).state.shownError).toBeNull();
  });
});

describe("hiding", () => {
  test("goes out at once and is said when the server has it", () => {
    const device = walking().do({ type: "hide", hide: true });
    expect(device.last).toMatchObject({ hide: true, overrideLat: centreOf(HOME).lat });
    expect(device.said).toEqual(["hiding"]);
    expect(device.state).toMatchObject({ hidden: true, hideWanted: null });
    device.do({ type: "hide", hide: false });
    expect(device.said).toEqual(["hiding", "visible"]);
  });

  test("is sent by no other report", () => {
    const device = walking()
      .do({ type: "hide", hide: true })
      .do({ type: "drag", point: FAR })
      .pass(2 * SECOND);
    expect(device.last).not.toHaveProperty("hide");
    expect(device.state.hidden).toBe(true);
  });

  test("without an answer it is not claimed, and tried until it holds", () => {
    const device = walking();
    device.online = false;
    device.do({ type: "hide", hide: true });
    expect(device.said).toEqual(["notHiddenYet"]);
    expect(device.state.hidden).toBe(false);
    device.online = true;
    device.pass(10 * SECOND);
    expect(device.said).toEqual(["notHiddenYet", "hiding"]);
  });

  test("does not move a member who waits for their GPS", () => {
    const device = walking().do({ type: "gps" }).do({ type: "hide", hide: true });
    expect(device.last).toMatchObject({ use: "OVERRIDE", overrideLat: centreOf(HOME).lat, hide: true });
  });
});

describe("several devices", () => {
  const elsewhere = (session: number) =>
    answer({ use: "OVERRIDE", overrideLat: centreOf(FAR).lat, overrideLon: centreOf(FAR).lon }, false, session);

  test("what another device reported last is shown and not overwritten", () => {
    const device = machine({ use: "device" }).do({
      type: "found",
      position: elsewhere(99),
      places: NO_PLACES,
      session: SESSION,
    });
    device.pass(3 * 60 * MINUTE);
    expect(device.reports).toEqual([]);
    expect(wantsGps(device.state)).toBe(false);
    expect(shownUse(device.state)).toBe("override");
    expect(ownPoint(device.state)).toEqual({ lat: centreOf(FAR).lat, lon: centreOf(FAR).lon });
  });

  test("until they act on this one", () => {
    const device = machine().do({ type: "found", position: elsewhere(99), places: NO_PLACES, session: SESSION });
    device.do({ type: "drag", point: HOME }).pass(2 * SECOND);
    expect(device.last).toMatchObject({ use: "OVERRIDE", overrideLat: centreOf(HOME).lat });
  });

  test("the device that reported last goes on by itself, from its own exact point", () => {
    const point = { lat: FAR.lat + 0.0005, lon: FAR.lon };
    const device = machine({ use: "override", override: point });
    device.do({ type: "found", position: elsewhere(SESSION), places: NO_PLACES, session: SESSION }).pass(2 * SECOND);
    expect(device.reports).toHaveLength(1);
    expect(ownPoint(device.state)).toEqual(point);
  });

  test("hiding from this one does not move them", () => {
    const device = machine().do({ type: "found", position: elsewhere(99), places: NO_PLACES, session: SESSION });
    device.do({ type: "hide", hide: true });
    expect(device.last).toMatchObject({ use: "OVERRIDE", overrideLat: centreOf(FAR).lat, hide: true });
  });
});
