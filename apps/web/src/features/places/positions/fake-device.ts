import type { OwnPlaces, PositionReportResponse } from "@lambda/contract/positions";
import type { Precision } from "@lambda/geo/grid";
import {
  cellAt,
  cellBounds,
  cellCenter,
  type Lattice,
  latticeOf,
  rememberRestingCell,
  type ShownCell,
} from "@lambda/geo/lattice";
import { initialState, nextTickAt, transition } from "./machine.ts";
import type { Effect, Report, ReportingEvent, ReportingState } from "./machine-types.ts";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOME = { lat: 33.4484, lon: -112.074 };
export const FAR = { lat: 33.46, lon: -112.09 };
export const DEVICE_NUMBER = 7;
export const LATTICE: Lattice = latticeOf(0.31, 0.62);
export const NO_PLACES: OwnPlaces = { lattice: LATTICE, remembered: [] };

/** The reporting machine for tests, with its own clock and a server that responds at once while `online`. */
export class FakeDevice {
  now = 1_800_000_000_000;
  reports: Report[] = [];
  notices: string[] = [];
  online = true;
  hidden = false;
  places = NO_PLACES;

  state: ReportingState;

  constructor(state: ReportingState) {
    this.state = state;
  }

  send(event: ReportingEvent): this {
    const { state, effects } = transition(this.state, event, this.now);
    this.state = state;
    for (const effect of effects) this.#run(effect);
    return this;
  }

  /** Lets time pass and sends the ticks that the machine asks for. */
  advance(ms: number): this {
    const until = this.now + ms;
    for (let tick = nextTickAt(this.state); tick !== null && tick <= until; tick = nextTickAt(this.state)) {
      this.now = Math.max(this.now, tick);
      this.send({ type: "tick" });
    }
    this.now = until;
    return this;
  }

  fix(point: { lat: number; lon: number }, accuracyMeters = 0): this {
    return this.send({ type: "fix", point, at: this.now, accuracyMeters });
  }

  get lastReport(): Report | undefined {
    return this.reports.at(-1);
  }

  #run(effect: Effect): void {
    if (effect.type === "notify") this.notices.push(effect.notice);
    else {
      this.reports.push(effect.report);
      if (!this.online) {
        this.send({ type: "saveFailed" });
        return;
      }
      this.hidden = effect.report.hide ?? this.hidden;
      this.#remember(effect.report);
      const position = { ...reportedPosition(effect.report, this.hidden), places: this.places };
      this.send({ type: "saved", position, isOther: false });
    }
  }

  /** Remembers the cell of the previous report, as the server does. */
  #remember({ use, gpsLat, gpsLon, precision }: Report): void {
    if (this.#shown) {
      const remembered = rememberRestingCell(this.places.remembered, this.#shown, this.now);
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

export function reportedPosition(
  report: Partial<Report>,
  hide = false,
  session = DEVICE_NUMBER,
): PositionReportResponse {
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

export function createDevice(stored: Partial<Parameters<typeof initialState>[0]> = {}): FakeDevice {
  return new FakeDevice(
    initialState({
      use: "random",
      override: null,
      precision: "street",
      hidden: false,
      anchors: [],
      ...stored,
    }),
  );
}

/** After the first login: the server has no position yet. */
export const loggedInDevice = (stored?: Parameters<typeof createDevice>[0]) =>
  createDevice(stored)
    .send({ type: "loaded", position: null, places: NO_PLACES, deviceNumber: DEVICE_NUMBER })
    .advance(2 * SECOND);

export const walkingDevice = (at = HOME) => loggedInDevice({ use: "override", override: at });
export const gpsDevice = () => loggedInDevice().send({ type: "device" });
export const cellOf = ({ lat, lon }: typeof HOME, precision: Precision = "street") =>
  cellAt(LATTICE, { lat, lon }, precision);
export const centerOf = (point: typeof HOME, precision?: Precision) => cellCenter(LATTICE, cellOf(point, precision));
/** A point east of a cell's eastern edge, in cell widths; negative is inside the cell. */
export function nearEasternEdge(point: typeof HOME, widths: number) {
  const { lonMax, lonMin } = cellBounds(LATTICE, cellOf(point));
  return { lat: point.lat, lon: lonMax + (lonMax - lonMin) * widths };
}
