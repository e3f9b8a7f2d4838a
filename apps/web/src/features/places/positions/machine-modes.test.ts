import { describe, expect, test } from "vitest";
import {
  centerOf,
  createDevice,
  DEVICE_NUMBER,
  FAR,
  gpsDevice,
  HOME,
  loggedInDevice,
  MINUTE,
  NO_PLACES,
  reportedPosition,
  SECOND,
  walkingDevice,
} from "./fake-device.ts";
import { canDrag, displayedSource, needsGps, ownPoint } from "./machine.ts";

describe("reporting modes", () => {
  test("lets members drag their marker in walk mode only", () => {
    const device = loggedInDevice();
    expect(canDrag(device.state)).toBe(false);
    device.send({ type: "drag", point: FAR }).advance(2 * SECOND);
    expect(device.lastReport?.use).toBe("RANDOM");
    expect(canDrag(device.send({ type: "override" }).state)).toBe(true);
    device
      .send({ type: "device" })
      .fix(HOME)
      .advance(2 * SECOND)
      .send({ type: "drag", point: FAR })
      .advance(2 * SECOND);
    expect(device.lastReport?.gpsLat).toBe(centerOf(HOME).lat);
  });

  test("keeps the marker in place when switching from GPS to walk mode", () => {
    const device = gpsDevice()
      .fix(FAR)
      .advance(2 * SECOND)
      .send({ type: "override" })
      .advance(2 * SECOND);
    expect(device.lastReport).toMatchObject({ use: "OVERRIDE", overrideLat: centerOf(FAR).lat });
    expect(ownPoint(device.state)).toMatchObject(FAR);
  });

  test("offers exact precision in walk mode only and keeps the current precision when it is refused", () => {
    const device = gpsDevice()
      .fix(HOME)
      .send({ type: "precision", precision: "city" })
      .advance(2 * SECOND);
    device.send({ type: "precision", precision: "exact" }).advance(2 * SECOND);
    expect(device.state.precision).toBe("city");
    expect(device.send({ type: "override" }).send({ type: "precision", precision: "exact" }).state.precision).toBe(
      "exact",
    );
  });

  test("watches the GPS in GPS mode only", () => {
    expect(needsGps(loggedInDevice().state)).toBe(false);
    expect(needsGps(gpsDevice().state)).toBe(true);
    expect(needsGps(gpsDevice().send({ type: "override" }).state)).toBe(false);
  });
});

describe("GPS errors", () => {
  test.each(["denied", "unavailable", "timeout", "other"] as const)(
    "%s before any fix switches back to walk mode and shows the error",
    (kind) => {
      const { state } = gpsDevice().send({ type: "gpsFailed", kind });
      expect(state).toMatchObject({ use: "override", shownError: kind });
      expect(canDrag(state)).toBe(true);
    },
  );

  test("keep a random position random when the member has no position of their own", () => {
    const device = gpsDevice()
      .send({ type: "gpsFailed", kind: "timeout" })
      .advance(2 * 60 * MINUTE);
    expect(device.reports.every((report) => report.use === "RANDOM")).toBe(true);
  });

  test("are not shown until the last fix is older than 2 minutes", () => {
    const device = gpsDevice()
      .fix(HOME)
      .advance(30 * SECOND)
      .send({ type: "gpsFailed", kind: "timeout" });
    expect(device.state).toMatchObject({ use: "device", shownError: null });
    device.advance(90 * SECOND);
    expect(device.state.use).toBe("device");
    device.advance(SECOND);
    expect(device.state).toMatchObject({ use: "override", shownError: "timeout" });
    device.advance(2 * SECOND);
    expect(device.lastReport).toMatchObject({ use: "OVERRIDE", overrideLat: centerOf(HOME).lat });
  });

  test("are cleared by a new fix", () => {
    const device = gpsDevice().fix(HOME).send({ type: "gpsFailed", kind: "unavailable" }).advance(MINUTE).fix(HOME);
    expect(device.advance(110 * SECOND).state).toMatchObject({ use: "device", shownError: null });
  });

  test("end GPS mode at once when permission is denied", () => {
    const device = gpsDevice().fix(HOME).advance(SECOND).send({ type: "gpsFailed", kind: "denied" });
    expect(device.state).toMatchObject({ use: "override", shownError: "denied" });
  });

  test("are cleared by choosing a mode or dismissing the message", () => {
    const failed = () => gpsDevice().send({ type: "gpsFailed", kind: "denied" });
    expect(failed().send({ type: "errorDismissed" }).state.shownError).toBeNull();
    expect(failed().send({ type: "device" }).state.shownError).toBeNull();
  });
});

describe("hiding", () => {
  test("is sent at once and announced when the server confirms it", () => {
    const device = walkingDevice().send({ type: "hide", hide: true });
    expect(device.lastReport).toMatchObject({ hide: true, overrideLat: centerOf(HOME).lat });
    expect(device.notices).toEqual(["hiding"]);
    expect(device.state).toMatchObject({ hidden: true, pendingHide: null });
    device.send({ type: "hide", hide: false });
    expect(device.notices).toEqual(["hiding", "visible"]);
  });

  test("is not repeated by later reports", () => {
    const device = walkingDevice()
      .send({ type: "hide", hide: true })
      .send({ type: "drag", point: FAR })
      .advance(2 * SECOND);
    expect(device.lastReport).not.toHaveProperty("hide");
    expect(device.state.hidden).toBe(true);
  });

  test("is not announced while offline and is retried until it succeeds", () => {
    const device = walkingDevice();
    device.online = false;
    device.send({ type: "hide", hide: true });
    expect(device.notices).toEqual(["notHiddenYet"]);
    expect(device.state.hidden).toBe(false);
    device.online = true;
    device.advance(10 * SECOND);
    expect(device.notices).toEqual(["notHiddenYet", "hiding"]);
  });

  test("is sent before anything has loaded, moving nobody, and at once when it is asked for again", () => {
    const device = createDevice();
    device.online = false;
    device.send({ type: "hide", hide: true });
    device.online = true;
    device.send({ type: "hide", hide: true });
    expect(device.reports.map(({ hide, keepsPosition }) => [hide, keepsPosition])).toEqual([
      [true, true],
      [true, true],
    ]);
    expect(device.notices).toEqual(["notHiddenYet", "hiding"]);
  });

  test("is reported as failed each time the member asks for it, even if earlier reports failed", () => {
    const device = walkingDevice();
    device.online = false;
    device.send({ type: "drag", point: FAR }).advance(2 * SECOND);
    expect(device.state.failures).toBeGreaterThan(0);
    expect(device.notices).toEqual([]);
    device.send({ type: "hide", hide: true });
    expect(device.notices).toEqual(["notHiddenYet"]);
    device.advance(MINUTE);
    expect(device.notices).toEqual(["notHiddenYet"]);
    device.send({ type: "hide", hide: false });
    expect(device.notices).toEqual(["notHiddenYet", "notShownYet"]);
  });

  test("does not move a member who is waiting for a GPS fix", () => {
    const device = walkingDevice().send({ type: "device" }).send({ type: "hide", hide: true });
    expect(device.lastReport).toMatchObject({ use: "OVERRIDE", overrideLat: centerOf(HOME).lat, hide: true });
  });
});

describe("several devices", () => {
  const elsewhere = (session: number) =>
    reportedPosition(
      { use: "OVERRIDE", overrideLat: centerOf(FAR).lat, overrideLon: centerOf(FAR).lon },
      false,
      session,
    );

  test("show the position that another device reported and do not overwrite it", () => {
    const device = createDevice({ use: "device" }).send({
      type: "loaded",
      position: elsewhere(99),
      places: NO_PLACES,
      deviceNumber: DEVICE_NUMBER,
    });
    device.advance(3 * 60 * MINUTE);
    expect(device.reports).toEqual([]);
    expect(needsGps(device.state)).toBe(false);
    expect(displayedSource(device.state)).toBe("override");
    expect(ownPoint(device.state)).toEqual({ lat: centerOf(FAR).lat, lon: centerOf(FAR).lon });
  });

  test("report again once the member acts on this one", () => {
    const device = createDevice().send({
      type: "loaded",
      position: elsewhere(99),
      places: NO_PLACES,
      deviceNumber: DEVICE_NUMBER,
    });
    device.send({ type: "drag", point: HOME }).advance(2 * SECOND);
    expect(device.lastReport).toMatchObject({ use: "OVERRIDE", overrideLat: centerOf(HOME).lat });
  });

  test("continue to report from the exact point if this one reported last", () => {
    const point = { lat: FAR.lat + 0.0005, lon: FAR.lon };
    const device = createDevice({ use: "override", override: point });
    device
      .send({ type: "loaded", position: elsewhere(DEVICE_NUMBER), places: NO_PLACES, deviceNumber: DEVICE_NUMBER })
      .advance(2 * SECOND);
    expect(device.reports).toHaveLength(1);
    expect(ownPoint(device.state)).toEqual(point);
  });

  test("take over while this one is open, until the member acts here again", () => {
    const device = gpsDevice()
      .fix(HOME)
      .advance(2 * SECOND);
    expect(device.lastReport?.ifLast).toBe(false);
    device.fix(FAR).advance(MINUTE);
    expect(device.lastReport).toMatchObject({ gpsLat: centerOf(FAR).lat, ifLast: true });
    // What the server answers after the other device's report.
    device.send({
      type: "saved",
      position: { ...elsewhere(99), precision: "city" },
      isOther: true,
    });
    expect([needsGps(device.state), device.state.precision]).toEqual([false, "city"]);
    const count = device.reports.length;
    device.fix(HOME).advance(3 * 60 * MINUTE);
    expect(device.reports.length).toBe(count);
    device
      .send({ type: "device" })
      .fix(HOME)
      .advance(2 * SECOND);
    expect(device.lastReport).toMatchObject({ gpsLat: centerOf(HOME, "city").lat });
    expect(device.lastReport?.ifLast).toBe(false);
  });

  test("do not undo what was chosen here while an earlier report was on its way, or failed", () => {
    const device = gpsDevice()
      .fix(HOME)
      .advance(2 * SECOND);
    device.online = false;
    device.send({ type: "override" }).advance(2 * SECOND);
    device.send({ type: "saved", position: elsewhere(99), isOther: true });
    device.online = true;
    device.advance(MINUTE);
    expect(device.lastReport).toMatchObject({ use: "OVERRIDE", overrideLat: centerOf(HOME).lat });
    expect(device.lastReport?.ifLast).toBe(false);
  });

  test("do not move the member when they hide on this one", () => {
    const device = createDevice().send({
      type: "loaded",
      position: elsewhere(99),
      places: NO_PLACES,
      deviceNumber: DEVICE_NUMBER,
    });
    device.send({ type: "hide", hide: true });
    expect(device.lastReport).toMatchObject({ use: "OVERRIDE", overrideLat: centerOf(FAR).lat, hide: true });
  });
});

describe("another tab's choice", () => {
  test("ends the GPS, and a report that waits here", () => {
    const device = gpsDevice().fix(HOME);
    device.send({ type: "adopted", choice: { use: "override", override: FAR, fix: null } });
    device.send({ type: "adopted", choice: { precision: "city" } });
    device.fix(HOME).advance(MINUTE);
    expect(device.reports.filter(({ use }) => use === "DEVICE_GPS")).toEqual([]);
    expect([needsGps(device.state), ownPoint(device.state)]).toEqual([false, FAR]);
    device.advance(60 * MINUTE);
    expect(device.lastReport).toMatchObject({
      use: "OVERRIDE",
      overrideLat: centerOf(FAR, "city").lat,
      precision: "city",
    });
  });

  test("does not keep a member from hiding, and makes no cell finer", () => {
    const device = gpsDevice()
      .fix(HOME)
      .advance(2 * SECOND);
    device.online = false;
    device.send({ type: "hide", hide: true }).send({ type: "adopted", choice: { precision: "city" } });
    device.online = true;
    device.advance(MINUTE);
    expect(device.lastReport).toMatchObject({ gpsLat: centerOf(HOME, "city").lat, hide: true, precision: "city" });
  });
});
