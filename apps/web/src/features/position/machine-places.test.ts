import { chooseCell, RESTING_CLAIM_METERS } from "@lambda/geo/lattice";
import { expect, test } from "vitest";
import {
  beside,
  cellOf,
  centreOf,
  type FakeDevice,
  HOME,
  LATTICE,
  MINUTE,
  machine,
  onGps,
  SECOND,
  SESSION,
} from "./fake-device.ts";
import { ownPoint } from "./machine.ts";

const HOUR = 60 * MINUTE;
/** A street cell is 556 m wide. */
const CLAIM = RESTING_CLAIM_METERS / 556;
/** In the cell beside HOME's, near its border. */
const DOOR = beside(HOME, 0.05);
const OVER_THERE = beside(HOME, 0.5);

/** Rests somewhere with a fix every minute. */
function rest(device: FakeDevice, at: typeof HOME, minutes = 60): FakeDevice {
  for (let minute = 0; minute < minutes; minute += 1) device.fix(at, 20).pass(MINUTE);
  return device;
}

const shownAt = (device: FakeDevice) => [
  device.last?.gpsLat ?? device.last?.overrideLat,
  device.last?.gpsLon ?? device.last?.overrideLon,
];
const centre = (at: typeof HOME) => [centreOf(at).lat, centreOf(at).lon];

/** A device that opens the page ten hours later, with what another device made the server remember. */
function reopened(device: FakeDevice, anchors: FakeDevice["state"]["anchors"]): FakeDevice {
  const remembered = [{ cell: cellOf(HOME), days: 14, lastDay: 20_833 }, ...device.places.remembered];
  const again = machine({ use: "device", anchors: JSON.parse(JSON.stringify(anchors)) });
  again.now = device.now + 10 * HOUR;
  again.places = { lattice: LATTICE, remembered };
  return again.do({ type: "found", position: null, places: again.places, session: SESSION });
}

test("a place keeps its cell on this device, though another place claims it", () => {
  const device = rest(onGps(), DOOR);
  expect(shownAt(device)).toEqual(centre(DOOR));
  const { anchors } = device.state;
  for (const part of [0.05, -0.05, CLAIM - 0.05]) {
    const at = (device: FakeDevice) => shownAt(device.fix(beside(HOME, part), 20).pass(10 * SECOND));
    expect(at(reopened(device, anchors))).toEqual(centre(DOOR));
    expect(at(reopened(device, []))).toEqual(centre(HOME));
  }
});

test("places are made by resting alone: not by a drag, not at random, and not on the way", () => {
  const device = onGps()
    .do({ type: "walk" })
    .do({ type: "drag", point: DOOR })
    .pass(2 * HOUR);
  expect(device.state.anchors).toEqual([]);
  device.do({ type: "random" }).pass(2 * HOUR);
  expect(device.state.anchors).toEqual([]);
  device.do({ type: "gps" });
  rest(device, DOOR, 10);
  expect(device.state.anchors).toEqual([]);
  rest(device, DOOR, 10);
  expect(device.state.anchors).toHaveLength(1);
});

test("a GPS that fails at home leaves the marker in the same cell", () => {
  const device = rest(onGps(), DOOR);
  const first = shownAt(device);
  device.fix(beside(HOME, -0.05), 20).pass(10 * SECOND);
  device.do({ type: "gpsFailed", kind: "denied" }).pass(10 * SECOND);
  expect(device.last?.use).toBe("OVERRIDE");
  expect(shownAt(device)).toEqual(first);
  expect(ownPoint(device.state)).toMatchObject(beside(HOME, -0.05));
});

test("a report holds the centre of the cell and nothing of the place", () => {
  const device = rest(onGps(), DOOR);
  const { lat, lon } = device.state.anchors[0]!;
  for (const report of device.reports) {
    expect(JSON.stringify(report)).not.toContain(lat.toFixed(5));
    expect(JSON.stringify(report)).not.toContain(lon.toFixed(5));
  }
  const { cell } = device.state.anchors[0]!.cells[0]!;
  const point = { lat: device.last!.gpsLat!, lon: device.last!.gpsLon! };
  expect(chooseCell(LATTICE, device.places.remembered, point, "street")).toBe(cell);
});

test("places go when they are forgotten, here or on another device", () => {
  const device = rest(onGps(), DOOR, 90);
  expect(device.state.anchors).toMatchObject([{ cells: [{ remembered: true }] }]);
  const emptied = { lattice: LATTICE, remembered: [] };
  const elsewhere = machine({ use: "device", anchors: device.state.anchors });
  elsewhere.do({ type: "found", position: null, places: emptied, session: SESSION });
  expect(elsewhere.state.anchors).toEqual([]);
  device.do({ type: "placesForgotten", places: emptied });
  expect(device.state).toMatchObject({ anchors: [], stay: null, places: emptied });
});

test("what another tab learned of places counts here", () => {
  const { anchors } = rest(onGps(), OVER_THERE).state;
  expect(onGps().do({ type: "anchorsAre", anchors }).state.anchors).toBe(anchors);
});
