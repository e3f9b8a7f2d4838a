import type { OwnPlaces, ReportedPosition } from "@lambda/contract/positions";
import type { Precision } from "@lambda/geo/grid";
import {
  boundsOfCell,
  cellAt,
  centreOfCell,
  type Lattice,
  latticeOf,
  rememberRest,
  type ShownCell,
} from "@lambda/geo/lattice";
import { initialState, step, wakeAt } from "./machine.ts";
import type { Outcome, Report, ReportingEvent, ReportingState } from "./machine-types.ts";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOME = { lat: 33.4484, lon: -112.074 };
export const FAR = { lat: 33.46, lon: -112.09 };
export const SESSION = 7;
export const LATTICE: Lattice = latticeOf(0.31, 0.62);
export const NO_PLACES: OwnPlaces = { lattice: LATTICE, remembered: [] };

/** A device for tests: the machine with a clock of its own, and a server that answers at once unless told otherwise. */
export class FakeDevice {
  now = 1_800_000_000_000;
  reports: Report[] = [];
  said: string[] = [];
  online = true;
  hidden = false;
  places = NO_PLACES;

  state: ReportingState;

  constructor(state: ReportingState) {
    this.state = state;
  }

  do(event: ReportingEvent): this {
    const { state, outcomes } = step(this.state, event, this.now);
    this.state = state;
    for (const outcome of outcomes) this.#carryOut(outcome);
    return this;
  }

  /** Lets time pass, waking the machine whenever it asked for it. */
  pass(ms: number): this {
    const until = this.now + ms;
    for (let wake = wakeAt(this.state); wake !== null && wake <= until; wake = wakeAt(this.state)) {
      this.now = Math.max(this.now, wake);
      this.do({ type: "tick" });
    }
    this.now = until;
    return this;
  }

  fix(point: { lat: number; lon: number }, accuracyMeters = 0): this {
    return this.do({ type: "fix", point, at: this.now, accuracyMeters });
  }

  get last(): Report | undefined {
    return this.reports.at(-1);
  }

  #carryOut(outcome: Outcome): void {
    if (outcome.type === "say") this.said.push(outcome.what);
    else {
      this.reports.push(outcome.report);
      if (!this.online) {
        this.do({ type: "saveFailed" });
        return;
      }
      this.hidden = outcome.report.hide ?? this.hidden;
      this.#remember(outcome.report);
      this.do({ type: "saved", position: { ...answer(outcome.report, this.hidden), places: this.places } });
    }
  }

  /** As the server does with the cell of the report before. */
  #remember({ use, gpsLat, gpsLon, precision }: Report): void {
    if (this.#shown) {
      const remembered = rememberRest(this.places.remembered, this.#shown, this.now);
      this.places = { lattice: LATTICE, remembered: [...remembered] };
    }
    if (use !== "DEVICE_GPS" || gpsLat === undefined || gpsLon === undefined) {
      this.#shown = undefined;
      return;
    }
    const cell = cellAt(LATTICE, { lat: gpsLat, lon: gpsLon }, precision);
    if (this.#shown?.cell !== cell) this.#shown = { cell, pendingCell: null, tsPublished: this.now };
  }
  #shown: ShownCell | undefined;
}

export function answer(report: Partial<Report>, hide = false, session = SESSION): ReportedPosition {
  return {
    stay: null,
    profileId: 1,
    session,
    overrideLat: report.overrideLat ?? null,
    overrideLon: report.overrideLon ?? null,
    gpsLat: report.gpsLat ?? null,
    gpsLon: report.gpsLon ?? null,
    use: report.use ?? "RANDOM",
    precision: report.precision ?? "street",
    hide,
    tsEffectiveUntil: new Date(1_900_000_000_000).toISOString(),
    lat: report.overrideLat ?? report.gpsLat ?? 33.5,
    lon: report.overrideLon ?? report.gpsLon ?? -112.1,
    pending: false,
    places: NO_PLACES,
  };
}

export function machine(kept: Partial<Parameters<typeof initialState>[0]> = {}): FakeDevice {
  return new FakeDevice(
    initialState({ use: "random", override: null, precision: "street", hidden: false, anchors: [], ...kept }),
  );
}

/** Logged in for the first time: the server has nothing. */
export const fresh = (kept?: Parameters<typeof machine>[0]) =>
  machine(kept)
    .do({ type: "found", position: null, places: NO_PLACES, session: SESSION })
    .pass(2 * SECOND);

export const walking = (at = HOME) => fresh({ use: "override", override: at });
export const onGps = () => fresh().do({ type: "gps" });
export const cellOf = ({ lat, lon }: typeof HOME, precision: Precision = "street") =>
  cellAt(LATTICE, { lat, lon }, precision);
export const centreOf = (point: typeof HOME, precision?: Precision) => centreOfCell(LATTICE, cellOf(point, precision));
/** A point beside a cell's eastern edge, in parts of the cell's width; negative is inside. */
export function beside(point: typeof HOME, part: number) {
  const { lonMax, lonMin } = boundsOfCell(LATTICE, cellOf(point));
  return { lat: point.lat, lon: lonMax + (lonMax - lonMin) * part };
}
