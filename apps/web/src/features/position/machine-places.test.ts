import { chooseCell, RESTING_CLAIM_METERS } from "@lambda/geo/lattice";
import { expect, test } from "vitest";
import { ownPoint } from "./machine.ts";
import {
  type Bench,
  beside,
  cellOf,
  centreOf,
  HOME,
  LATTICE,
  MINUTE,
  machine,
  onGps,
  SECOND,
  SESSION,
} from "./machine-bench.ts";

const HOUR = 60 * MINUTE;
/** A street cell is 556 m wide. */
const CLAIM = RESTING_CLAIM_METERS / 556;
/** In the cell beside HOME's, near its border. */
const DOOR = beside(HOME, 0.05);
const OVER_THERE = beside(HOME, 0.5);

/** Rests somewhere with a fix every minute. */
function rest(bench: Bench, at: typeof HOME, minutes = 60): Bench {
  for (let minute = 0; minute < minutes; minute += 1) bench.fix(at, 20).pass(MINUTE);
  return bench;
}

const shownAt = (bench: Bench) => [
  bench.last?.gpsLat ?? bench.last?.overrideLat,
  bench.last?.gpsLon ?? bench.last?.overrideLon,
];
const centre = (at: typeof HOME) => [centreOf(at).lat, centreOf(at).lon];

/** A device that opens the page ten hours later, with what another device made the server remember. */
function reopened(bench: Bench, anchors: Bench["state"]["anchors"]): Bench {
  const remembered = [{ cell: cellOf(HOME), days: 14, lastDay: 20_833 }, ...bench.places.remembered];
  const again = machine({ use: "device", anchors: JSON.parse(JSON.stringify(anchors)) });
  again.now = bench.now + 10 * HOUR;
  again.places = { lattice: LATTICE, remembered };
  return again.do({ type: "found", position: null, places: again.places, session: SESSION });
}

test("a place keeps its cell on this device, though another place claims it", () => {
  const bench = rest(onGps(), DOOR);
  expect(shownAt(bench)).toEqual(centre(DOOR));
  const { anchors } = bench.state;
  for (const part of [0.05, -0.05, CLAIM - 0.05]) {
    const at = (device: Bench) => shownAt(device.fix(beside(HOME, part), 20).pass(10 * SECOND));
    expect(at(reopened(bench, anchors))).toEqual(centre(DOOR));
    expect(at(reopened(bench, []))).toEqual(centre(HOME));
  }
});

test("places are made by resting alone: not by a drag, not at random, and not on the way", () => {
  const bench = onGps()
    .do({ type: "walk" })
    .do({ type: "drag", point: DOOR })
    .pass(2 * HOUR);
  expect(bench.state.anchors).toEqual([]);
  bench.do({ type: "random" }).pass(2 * HOUR);
  expect(bench.state.anchors).toEqual([]);
  bench.do({ type: "gps" });
  rest(bench, DOOR, 10);
  expect(bench.state.anchors).toEqual([]);
  rest(bench, DOOR, 10);
  expect(bench.state.anchors).toHaveLength(1);
});

test("a GPS that fails at home leaves the marker in the same cell", () => {
  const bench = rest(onGps(), DOOR);
  const first = shownAt(bench);
  bench.fix(beside(HOME, -0.05), 20).pass(10 * SECOND);
  bench.do({ type: "gpsFailed", kind: "denied" }).pass(10 * SECOND);
  expect(bench.last?.use).toBe("OVERRIDE");
  expect(shownAt(bench)).toEqual(first);
  expect(ownPoint(bench.state)).toMatchObject(beside(HOME, -0.05));
});

test("a report holds the centre of the cell and nothing of the place", () => {
  const bench = rest(onGps(), DOOR);
  const { lat, lon } = bench.state.anchors[0]!;
  for (const report of bench.reports) {
    expect(JSON.stringify(report)).not.toContain(lat.toFixed(5));
    expect(JSON.stringify(report)).not.toContain(lon.toFixed(5));
  }
  const { cell } = bench.state.anchors[0]!.cells[0]!;
  const point = { lat: bench.last!.gpsLat!, lon: bench.last!.gpsLon! };
  expect(chooseCell(LATTICE, bench.places.remembered, point, "street")).toBe(cell);
});

test("places go when they are forgotten, here or on another device", () => {
  const bench = rest(onGps(), DOOR, 90);
  expect(bench.state.anchors).toMatchObject([{ cells: [{ remembered: true }] }]);
  const emptied = { lattice: LATTICE, remembered: [] };
  const elsewhere = machine({ use: "device", anchors: bench.state.anchors });
  elsewhere.do({ type: "found", position: null, places: emptied, session: SESSION });
  expect(elsewhere.state.anchors).toEqual([]);
  bench.do({ type: "placesForgotten", places: emptied });
  expect(bench.state).toMatchObject({ anchors: [], stay: null, places: emptied });
});

test("what another tab learned of places counts here", () => {
  const { anchors } = rest(onGps(), OVER_THERE).state;
  expect(onGps().do({ type: "anchorsAre", anchors }).state.anchors).toBe(anchors);
});
