import { cellBounds, RESTING_CLAIM_METERS } from "@lambda/geo/lattice";
import { describe, expect, test } from "vitest";
import {
  cellOf,
  centerOf,
  createDevice,
  DEVICE_NUMBER,
  FAR,
  gpsDevice,
  HOME,
  LATTICE,
  loggedInDevice,
  MINUTE,
  NO_PLACES,
  nearEasternEdge,
  reportedPosition,
  SECOND,
  walkingDevice,
} from "./fake-device.ts";
import { needsGps, ownPoint, transition } from "./machine.ts";

const HOUR = 60 * MINUTE;

describe("report contents", () => {
  test("are a random position by default, so that no coordinate leaves the device", () => {
    const device = loggedInDevice();
    expect(device.reports).toEqual([{ use: "RANDOM", precision: "street", ifLast: true }]);
    expect(ownPoint(device.state)).toEqual({ lat: 33.5, lon: -112.1 });
  });

  test("hold no random position while the member is asked where to be shown, but hiding is not held up", () => {
    const device = createDevice().send({ type: "choosing", choosing: true });
    device.send({ type: "loaded", position: null, places: NO_PLACES, deviceNumber: DEVICE_NUMBER }).advance(HOUR);
    expect(device.reports).toEqual([]);
    device.send({ type: "hide", hide: true });
    expect(device.reports).toMatchObject([{ use: "RANDOM", hide: true }]);
    device.send({ type: "device" }).advance(MINUTE);
    expect(device.reports).toHaveLength(1);
    device.fix(HOME).advance(2 * SECOND);
    expect(device.lastReport?.use).toBe("DEVICE_GPS");
    // Who leaves without a choice is shown at random, as before.
    const skipping = createDevice().send({ type: "choosing", choosing: true });
    skipping.send({ type: "loaded", position: null, places: NO_PLACES, deviceNumber: DEVICE_NUMBER }).advance(HOUR);
    skipping.send({ type: "choosing", choosing: false });
    expect(skipping.lastReport?.use).toBe("RANDOM");
  });

  test("start at the published point in walk mode and hold the center of the cell that the marker is dragged to", () => {
    const device = loggedInDevice()
      .send({ type: "override" })
      .advance(2 * SECOND);
    expect(device.lastReport?.use).toBe("OVERRIDE");
    device.send({ type: "drag", point: HOME }).advance(2 * SECOND);
    const { lat, lon } = centerOf(HOME);
    expect(device.lastReport).toMatchObject({ use: "OVERRIDE", overrideLat: lat, overrideLon: lon });
    expect(device.lastReport).not.toHaveProperty("gpsLat");
    expect(ownPoint(device.state)).toEqual(HOME);
  });

  test("hold the center of the fix's cell in GPS mode; nothing is reported before the first fix", () => {
    const device = gpsDevice();
    const before = device.reports.length;
    device.advance(9 * SECOND);
    expect(device.reports).toHaveLength(before);
    device.fix(HOME).advance(2 * SECOND);
    const { lat, lon } = centerOf(HOME);
    expect(device.lastReport).toMatchObject({ use: "DEVICE_GPS", gpsLat: lat, gpsLon: lon });
    expect(device.lastReport).not.toHaveProperty("overrideLat");
  });

  test("are byte for byte the same for two raw positions in one cell", () => {
    const { latMin, latMax, lonMin, lonMax } = cellBounds(LATTICE, cellOf(HOME));
    const inside = (part: number) => ({
      lat: latMin + (latMax - latMin) * part,
      lon: lonMin + (lonMax - lonMin) * part,
    });
    const reports = [HOME, inside(0.03), inside(0.97)].map((point) => {
      const device = gpsDevice()
        .fix(point)
        .advance(2 * SECOND);
      return JSON.stringify(device.lastReport);
    });
    expect(new Set(reports).size).toBe(1);
    expect(reports[0]).not.toContain("33.4484");
  });

  test.each(["district", "city"] as const)("snap to the cell of precision %s", (precision) => {
    const device = walkingDevice()
      .send({ type: "precision", precision })
      .advance(2 * SECOND);
    const { lat, lon } = centerOf(HOME, precision);
    expect(device.lastReport).toMatchObject({ precision, overrideLat: lat, overrideLon: lon });
  });

  test("are exact for a dragged marker only: GPS and random fall back to street", () => {
    const exact = () =>
      walkingDevice()
        .send({ type: "precision", precision: "exact" })
        .advance(2 * SECOND);
    expect(exact().lastReport?.precision).toBe("exact");
    expect(
      exact()
        .send({ type: "device" })
        .fix(HOME)
        .advance(2 * SECOND).lastReport?.precision,
    ).toBe("street");
    expect(
      exact()
        .send({ type: "random" })
        .advance(2 * SECOND).lastReport,
    ).toMatchObject({ use: "RANDOM", precision: "street" });
    expect(gpsDevice().send({ type: "precision", precision: "exact" }).state.precision).toBe("street");
  });

  test("hold no time of the device's clock, which may be days behind or ahead", () => {
    const hours = [0, -20, -27, 48].map((behind) => {
      const device = walkingDevice();
      device.now += behind * 3_600_000;
      return Object.keys(device.lastReport ?? {}).filter((key) => key.startsWith("ts"));
    });
    expect(hours).toEqual([[], [], [], []]);
  });
});

describe("report timing", () => {
  test("reports several drags once, a second after the last", () => {
    const device = walkingDevice();
    const before = device.reports.length;
    for (const lat of [33.5, 33.51, 33.52]) device.send({ type: "drag", point: { lat, lon: -112 } }).advance(300);
    device.advance(690);
    expect(device.reports).toHaveLength(before);
    device.advance(20);
    expect(device.reports).toHaveLength(before + 1);
    expect(device.lastReport?.overrideLat).toBe(centerOf({ lat: 33.52, lon: -112 }).lat);
  });

  test("examines fixes every 5 s and reports the newest", () => {
    const device = gpsDevice()
      .fix(HOME)
      .advance(2 * SECOND);
    const before = device.reports.length;
    device.fix(FAR).advance(SECOND).fix({ lat: 33.48, lon: -112.05 }).advance(1900);
    expect(device.reports).toHaveLength(before);
    device.advance(SECOND + 200);
    expect(device.reports).toHaveLength(before + 1);
    expect(device.lastReport?.gpsLat).toBe(centerOf({ lat: 33.48, lon: -112.05 }).lat);
  });

  test("reports a drag to another cell, however short it is", () => {
    const device = walkingDevice();
    const before = device.reports.length;
    device.send({ type: "drag", point: nearEasternEdge(HOME, -0.01) }).advance(2 * SECOND);
    expect(device.reports).toHaveLength(before);
    expect(ownPoint(device.state)).toMatchObject(nearEasternEdge(HOME, -0.01));
    device.send({ type: "drag", point: nearEasternEdge(HOME, 0.01) }).advance(2 * SECOND);
    expect(device.reports).toHaveLength(before + 1);
  });

  test("keeps the first cell of a place while the GPS drifts within the place or within its own accuracy", () => {
    const device = gpsDevice()
      .fix(HOME)
      .advance(HOUR + MINUTE);
    const { lat, lon } = centerOf(HOME);
    const atHome = { gpsLat: lat, gpsLon: lon };
    // A street cell is 556 m wide.
    const claim = RESTING_CLAIM_METERS / 556;
    device.fix(nearEasternEdge(HOME, claim - 0.02), 5).advance(10 * SECOND);
    expect(device.lastReport).toMatchObject(atHome);
    device.fix(nearEasternEdge(HOME, 0.9), 600).advance(10 * SECOND);
    expect(device.lastReport).toMatchObject(atHome);
    expect(ownPoint(device.state)).toMatchObject(nearEasternEdge(HOME, 0.9));
    device.fix(nearEasternEdge(HOME, claim + 0.02), 5).advance(10 * SECOND);
    expect(device.lastReport).not.toMatchObject(atHome);
  });

  test("reports the same cell at home from every direction and after every restart", () => {
    const { places } = gpsDevice()
      .fix(HOME)
      .advance(HOUR + MINUTE);
    expect(places.remembered).toHaveLength(1);
    for (const approach of [nearEasternEdge(HOME, 0.8), FAR, nearEasternEdge(HOME, -1.6)]) {
      const again = createDevice({ use: "device" }).send({
        type: "loaded",
        position: null,
        places,
        deviceNumber: DEVICE_NUMBER,
      });
      again.places = places;
      again
        .fix(approach)
        .advance(10 * MINUTE)
        .fix(nearEasternEdge(HOME, -0.02))
        .advance(10 * SECOND)
        .fix(nearEasternEdge(HOME, 0.15))
        .advance(10 * SECOND);
      expect([again.lastReport?.gpsLat, again.lastReport?.gpsLon]).toEqual([centerOf(HOME).lat, centerOf(HOME).lon]);
    }
  });

  test("sends hiding, but no position, before the member's cells have loaded", () => {
    const device = createDevice({ use: "override", override: HOME })
      .send({ type: "override" })
      .advance(5 * MINUTE);
    expect(device.reports).toEqual([]);
    device.send({ type: "hide", hide: true });
    expect(device.reports).toMatchObject([{ use: "RANDOM", hide: true }]);
    const late = createDevice({ use: "override", override: HOME })
      .send({ type: "override" })
      .advance(MINUTE)
      .send({ type: "loaded", position: null, places: NO_PLACES, deviceNumber: DEVICE_NUMBER })
      .advance(2 * SECOND);
    expect(late.reports).toMatchObject([{ use: "OVERRIDE", overrideLat: centerOf(HOME).lat }]);
  });

  test("reports an unchanged cell again after 300 s", () => {
    const device = gpsDevice()
      .fix(HOME)
      .advance(10 * SECOND);
    const before = device.reports.length;
    for (let second = 0; second < 280; second += 20) device.fix(nearEasternEdge(HOME, 0.1)).advance(20 * SECOND);
    expect(device.reports).toHaveLength(before);
    device
      .advance(10 * SECOND)
      .fix(nearEasternEdge(HOME, 0.1))
      .advance(10 * SECOND);
    expect(device.reports).toHaveLength(before + 1);
    expect(device.lastReport?.gpsLon).toBe(centerOf(HOME).lon);
  });

  test("does not report a drag inside the cell, which moves the own marker only", () => {
    const device = walkingDevice();
    const before = device.reports.length;
    device.send({ type: "drag", point: nearEasternEdge(HOME, -0.1) }).advance(10 * SECOND);
    expect(device.reports).toHaveLength(before);
    expect(ownPoint(device.state)).toEqual(nearEasternEdge(HOME, -0.1));
  });

  test("refreshes a resting position while the page stays open", () => {
    const device = walkingDevice();
    const before = device.reports.length;
    device.advance(3 * 60 * MINUTE);
    expect(device.reports.length - before).toBe(3);
    expect(device.lastReport).toMatchObject({ use: "OVERRIDE", overrideLat: centerOf(HOME).lat });
  });

  test("stops reports and GPS while paused, then sends what was waiting", () => {
    const device = gpsDevice().fix(HOME).send({ type: "paused", paused: true });
    const before = device.reports.length;
    expect(needsGps(device.state)).toBe(false);
    device
      .advance(10 * MINUTE)
      .fix(FAR)
      .advance(MINUTE);
    expect(device.reports).toHaveLength(before);
    device.send({ type: "paused", paused: false });
    expect(device.reports).toHaveLength(before + 1);
    expect(device.lastReport?.gpsLat).toBe(centerOf(HOME).lat);
    expect(needsGps(device.state)).toBe(true);
  });

  test("retries a failed save at growing intervals, one at a time", () => {
    const device = walkingDevice();
    device.online = false;
    const before = device.reports.length;
    device.send({ type: "drag", point: FAR }).advance(MINUTE);
    // After 1 s, then 5, 10 and 20 s later.
    expect(device.reports.length - before).toBe(4);
    device.online = true;
    device.advance(MINUTE);
    expect(device.reports.length - before).toBe(5);
    device.advance(10 * MINUTE);
    expect(device.reports.length - before).toBe(5);
  });

  test("holds back a change during a save until the response arrives", () => {
    const state = walkingDevice().state;
    const dragged = transition(state, { type: "drag", point: FAR }, 1e12).state;
    const saving = transition(dragged, { type: "tick" }, 1e12 + 1000);
    expect(saving.effects).toHaveLength(1);
    const again = transition(saving.state, { type: "drag", point: HOME }, 1e12 + 1100);
    expect(transition(again.state, { type: "tick" }, 1e12 + 3000).effects).toHaveLength(0);
    const answered = transition(
      again.state,
      { type: "saved", position: reportedPosition({}), isOther: false },
      1e12 + 4000,
    );
    expect(answered.effects).toMatchObject([{ type: "save", report: { overrideLat: centerOf(HOME).lat } }]);
  });
});
