import { chooseCell, RESTING_CLAIM_METERS } from "@lambda/geo/lattice";
import { expect, test } from "vitest";
import {
  cellOf,
  centerOf,
  createDevice,
  DEVICE_NUMBER,
  type FakeDevice,
  gpsDevice,
  HOME,
  LATTICE,
  MINUTE,
  nearEasternEdge,
  SECOND,
} from "./fake-device.ts";
import { ownPoint } from "./machine.ts";

const HOUR = 60 * MINUTE;
/** A street cell is 556 m wide. */
const CLAIM = RESTING_CLAIM_METERS / 556;
/** In the cell next to HOME's, near the border. */
const DOOR = nearEasternEdge(HOME, 0.05);
const OVER_THERE = nearEasternEdge(HOME, 0.5);

/** Rests at a point with a fix every minute. */
function rest(device: FakeDevice, at: typeof HOME, minutes = 60): FakeDevice {
  for (let minute = 0; minute < minutes; minute += 1) device.fix(at, 20).advance(MINUTE);
  return device;
}

const shownAt = (device: FakeDevice) => [
  device.lastReport?.gpsLat ?? device.lastReport?.overrideLat,
  device.lastReport?.gpsLon ?? device.lastReport?.overrideLon,
];
const center = (at: typeof HOME) => [centerOf(at).lat, centerOf(at).lon];

/** A device that opens the page ten hours later, when the server also remembers a cell from another device. */
function reopened(device: FakeDevice, anchors: FakeDevice["state"]["anchors"]): FakeDevice {
  const remembered = [{ cell: cellOf(HOME), days: 14, lastDay: 20_833 }, ...device.places.remembered];
  const again = createDevice({ use: "device", anchors: JSON.parse(JSON.stringify(anchors)) });
  again.now = device.now + 10 * HOUR;
  again.places = { lattice: LATTICE, remembered };
  return again.send({ type: "loaded", position: null, places: again.places, deviceNumber: DEVICE_NUMBER });
}

test("a place keeps its cell on this device even if another place claims it", () => {
  const device = rest(gpsDevice(), DOOR);
  expect(shownAt(device)).toEqual(center(DOOR));
  const { anchors } = device.state;
  for (const part of [0.05, -0.05, CLAIM - 0.05]) {
    const at = (device: FakeDevice) => shownAt(device.fix(nearEasternEdge(HOME, part), 20).advance(10 * SECOND));
    expect(at(reopened(device, anchors))).toEqual(center(DOOR));
    expect(at(reopened(device, []))).toEqual(center(HOME));
  }
});

test("only resting on GPS creates a place: not dragging, not a random position, not moving", () => {
  const device = gpsDevice()
    .send({ type: "override" })
    .send({ type: "drag", point: DOOR })
    .advance(2 * HOUR);
  expect(device.state.anchors).toEqual([]);
  device.send({ type: "random" }).advance(2 * HOUR);
  expect(device.state.anchors).toEqual([]);
  device.send({ type: "device" });
  rest(device, DOOR, 10);
  expect(device.state.anchors).toEqual([]);
  rest(device, DOOR, 10);
  expect(device.state.anchors).toHaveLength(1);
});

test("a GPS that fails at home leaves the marker in the same cell", () => {
  const device = rest(gpsDevice(), DOOR);
  const first = shownAt(device);
  device.fix(nearEasternEdge(HOME, -0.05), 20).advance(10 * SECOND);
  device.send({ type: "gpsFailed", kind: "denied" }).advance(10 * SECOND);
  expect(device.lastReport?.use).toBe("OVERRIDE");
  expect(shownAt(device)).toEqual(first);
  expect(ownPoint(device.state)).toMatchObject(nearEasternEdge(HOME, -0.05));
});

test("a report holds the cell's center and nothing about the place", () => {
  const device = rest(gpsDevice(), DOOR);
  const { lat, lon } = device.state.anchors[0]!;
  for (const report of device.reports) {
    expect(JSON.stringify(report)).not.toContain(lat.toFixed(5));
    expect(JSON.stringify(report)).not.toContain(lon.toFixed(5));
  }
  const { cell } = device.state.anchors[0]!.cells[0]!;
  const point = { lat: device.lastReport!.gpsLat!, lon: device.lastReport!.gpsLon! };
  expect(chooseCell(LATTICE, device.places.remembered, point, "street")).toBe(cell);
});

test("forgetting places clears them here, whichever device did it", () => {
  const device = rest(gpsDevice(), DOOR, 90);
  expect(device.state.anchors).toMatchObject([{ cells: [{ remembered: true }] }]);
  const emptied = { lattice: LATTICE, remembered: [] };
  const elsewhere = createDevice({ use: "device", anchors: device.state.anchors });
  elsewhere.send({ type: "loaded", position: null, places: emptied, deviceNumber: DEVICE_NUMBER });
  expect(elsewhere.state.anchors).toEqual([]);
  device.send({ type: "placesForgotten", places: emptied });
  expect(device.state).toMatchObject({ anchors: [], stay: null, places: emptied });
});

test("places that another tab learned are used here", () => {
  const { anchors } = rest(gpsDevice(), OVER_THERE).state;
  expect(gpsDevice().send({ type: "anchorsChanged", anchors }).state.anchors).toBe(anchors);
});
