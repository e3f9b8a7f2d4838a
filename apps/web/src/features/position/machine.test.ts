import { cellBounds, cellCentre, snap } from "@lambda/contract/grid";
import { POSITION_EFFECTIVE_MS } from "@lambda/contract/limits";
import type { ProfilePosition } from "@lambda/contract/positions";
import { describe, expect, test } from "vitest";
import {
  initialState,
  mayDrag,
  type Outcome,
  ownPoint,
  type Report,
  type ReportingEvent,
  type ReportingState,
  shownUse,
  step,
  wakeAt,
  wantsGps,
} from "./machine.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOME = { lat: 33.4484, lng: -112.074 };
const FAR = { lat: 33.46, lng: -112.09 };
const SESSION = 7;

/** A machine with a clock of its own, and a server that answers at once unless told otherwise. */
class Bench {
  now = 1_800_000_000_000;
  reports: Report[] = [];
  said: string[] = [];
  online = true;
  hidden = false;

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

  fix(point: { lat: number; lng: number }): this {
    return this.do({ type: "fix", point, at: this.now });
  }

  get last(): Report | undefined {
    return this.reports.at(-1);
  }

  #carryOut(outcome: Outcome): void {
    if (outcome.type === "say") this.said.push(outcome.what);
    else {
      this.reports.push(outcome.report);
      this.hidden = this.online ? (outcome.report.hide ?? this.hidden) : this.hidden;
      this.do(this.online ? { type: "saved", position: answer(outcome.report, this.hidden) } : { type: "saveFailed" });
    }
  }
}

function answer(report: Partial<Report>, hide = false, session = SESSION): ProfilePosition {
  return {
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
  };
}

function machine(kept: Partial<Parameters<typeof initialState>[0]> = {}): Bench {
  return new Bench(initialState({ use: "random", override: null, precision: "street", hidden: false, ...kept }));
}

/** Logged in for the first time: the server has nothing. */
const fresh = (kept?: Parameters<typeof machine>[0]) =>
  machine(kept)
    .do({ type: "found", position: null, session: SESSION })
    .pass(2 * SECOND);

const walking = (at = HOME) => fresh({ use: "override", override: at });
const onGps = () => fresh().do({ type: "gps" });
const centreOf = (point: typeof HOME) => cellCentre(snap(point.lat, point.lng, "street"));
/** A point beside a cell's eastern edge, in parts of the cell's width; negative is inside. */
function beside(point: typeof HOME, part: number) {
  const { lonMax, lonMin } = cellBounds(snap(point.lat, point.lng, "street"));
  return { lat: point.lat, lng: lonMax + (lonMax - lonMin) * part };
}

describe("what is reported", () => {
  test("by default a random position: no coordinate leaves the device", () => {
    const bench = fresh();
    expect(bench.reports).toEqual([
      { use: "RANDOM", precision: "street", tsEffectiveUntil: bench.now - SECOND + POSITION_EFFECTIVE_MS },
    ]);
    expect(ownPoint(bench.state)).toEqual({ lat: 33.5, lng: -112.1 });
  });

  test("walk mode starts where he is seen, and reports the centre of the cell he drags to", () => {
    const bench = fresh()
      .do({ type: "walk" })
      .pass(2 * SECOND);
    expect(bench.last?.use).toBe("OVERRIDE");
    bench.do({ type: "drag", point: HOME }).pass(2 * SECOND);
    const { lat, lon } = centreOf(HOME);
    expect(bench.last).toMatchObject({ use: "OVERRIDE", overrideLat: lat, overrideLon: lon });
    expect(bench.last).not.toHaveProperty("gpsLat");
    expect(ownPoint(bench.state)).toEqual(HOME);
  });

  test("GPS mode reports the centre of the cell of a fix, and nothing before the first one", () => {
    const bench = onGps();
    const before = bench.reports.length;
    bench.pass(9 * SECOND);
    expect(bench.reports).toHaveLength(before);
    bench.fix(HOME).pass(2 * SECOND);
    const { lat, lon } = centreOf(HOME);
    expect(bench.last).toMatchObject({ use: "DEVICE_GPS", gpsLat: lat, gpsLon: lon });
    expect(bench.last).not.toHaveProperty("overrideLat");
  });

  test("two raw positions in one cell give the same report, byte for byte", () => {
    const { latMin, latMax, lonMin, lonMax } = cellBounds(snap(HOME.lat, HOME.lng, "street"));
    const inside = (part: number) => ({
      lat: latMin + (latMax - latMin) * part,
      lng: lonMin + (lonMax - lonMin) * part,
    });
    const reports = [HOME, inside(0.03), inside(0.97)].map((point) => {
      const bench = onGps()
        .fix(point)
        .pass(2 * SECOND);
      return JSON.stringify(bench.last);
    });
    expect(new Set(reports).size).toBe(1);
    expect(reports[0]).not.toContain("33.4484");
  });

  test.each(["district", "city"] as const)("precision %s snaps to its own cell", (precision) => {
    const bench = walking()
      .do({ type: "precision", precision })
      .pass(2 * SECOND);
    const { lat, lon } = cellCentre(snap(HOME.lat, HOME.lng, precision));
    expect(bench.last).toMatchObject({ precision, overrideLat: lat, overrideLon: lon });
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

  test("a report counts for 26 hours", () => {
    const bench = walking();
    expect((bench.last?.tsEffectiveUntil ?? 0) - (bench.now - SECOND)).toBe(93_600_000);
  });
});

describe("when it is reported", () => {
  test("a second after the last of several drags, once", () => {
    const bench = walking();
    const before = bench.reports.length;
    for (const lat of [33.5, 33.51, 33.52]) bench.do({ type: "drag", point: { lat, lng: -112 } }).pass(300);
    bench.pass(690);
    expect(bench.reports).toHaveLength(before);
    bench.pass(20);
    expect(bench.reports).toHaveLength(before + 1);
    expect(bench.last?.overrideLat).toBe(centreOf({ lat: 33.52, lng: -112 }).lat);
  });

  test("fixes are looked at every 5 s; the newest one wins", () => {
    const bench = onGps()
      .fix(HOME)
      .pass(2 * SECOND);
    const before = bench.reports.length;
    bench.fix(FAR).pass(SECOND).fix({ lat: 33.48, lng: -112.05 }).pass(1900);
    expect(bench.reports).toHaveLength(before);
    bench.pass(SECOND + 200);
    expect(bench.reports).toHaveLength(before + 1);
    expect(bench.last?.gpsLat).toBe(centreOf({ lat: 33.48, lng: -112.05 }).lat);
  });

  test("a change counts past a quarter of a cell outside, not before", () => {
    const bench = onGps()
      .fix(HOME)
      .pass(10 * SECOND);
    const before = bench.reports.length;
    bench.fix(beside(HOME, 0.2)).pass(10 * SECOND);
    expect(bench.reports).toHaveLength(before);
    expect(ownPoint(bench.state)).toMatchObject(beside(HOME, 0.2));
    bench.fix(beside(HOME, 0.3)).pass(10 * SECOND);
    expect(bench.reports).toHaveLength(before + 1);
  });

  test("or else after 300 s, still as the old cell", () => {
    const bench = onGps()
      .fix(HOME)
      .pass(10 * SECOND);
    const before = bench.reports.length;
    for (let second = 0; second < 280; second += 20) bench.fix(beside(HOME, 0.1)).pass(20 * SECOND);
    expect(bench.reports).toHaveLength(before);
    bench
      .pass(10 * SECOND)
      .fix(beside(HOME, 0.1))
      .pass(10 * SECOND);
    expect(bench.reports).toHaveLength(before + 1);
    expect(bench.last?.gpsLon).toBe(centreOf(HOME).lon);
  });

  test("a drag inside the cell moves his own marker and tells nobody", () => {
    const bench = walking();
    const before = bench.reports.length;
    bench.do({ type: "drag", point: beside(HOME, -0.1) }).pass(10 * SECOND);
    expect(bench.reports).toHaveLength(before);
    expect(ownPoint(bench.state)).toEqual(beside(HOME, -0.1));
  });

  test("a page that stays open keeps a resting position alive", () => {
    const bench = walking();
    const before = bench.reports.length;
    bench.pass(3 * 60 * MINUTE);
    expect(bench.reports.length - before).toBe(3);
    expect(bench.last).toMatchObject({ use: "OVERRIDE", overrideLat: centreOf(HOME).lat });
  });

  test("paused: no report and no GPS; what waited goes out afterwards", () => {
    const bench = onGps().fix(HOME).do({ type: "paused", paused: true });
    const before = bench.reports.length;
    expect(wantsGps(bench.state)).toBe(false);
    bench
      .pass(10 * MINUTE)
      .fix(FAR)
      .pass(MINUTE);
    expect(bench.reports).toHaveLength(before);
    bench.do({ type: "paused", paused: false });
    expect(bench.reports).toHaveLength(before + 1);
    expect(bench.last?.gpsLat).toBe(centreOf(HOME).lat);
    expect(wantsGps(bench.state)).toBe(true);
  });

  test("a failed save is tried again, later each time, and never twice at once", () => {
    const bench = walking();
    bench.online = false;
    const before = bench.reports.length;
    bench.do({ type: "drag", point: FAR }).pass(MINUTE);
    // After 1 s, then 5, 10 and 20 s later.
    expect(bench.reports.length - before).toBe(4);
    bench.online = true;
    bench.pass(MINUTE);
    expect(bench.reports.length - before).toBe(5);
    bench.pass(10 * MINUTE);
    expect(bench.reports.length - before).toBe(5);
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

describe("modes", () => {
  test("only a member in walk mode may drag his marker", () => {
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

  test("nobody is moved by it: without a position of his own he stays random", () => {
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

  test("does not move a member who waits for his GPS", () => {
    const bench = walking().do({ type: "gps" }).do({ type: "hide", hide: true });
    expect(bench.last).toMatchObject({ use: "OVERRIDE", overrideLat: centreOf(HOME).lat, hide: true });
  });
});

describe("several devices", () => {
  const elsewhere = (session: number) =>
    answer({ use: "OVERRIDE", overrideLat: centreOf(FAR).lat, overrideLon: centreOf(FAR).lon }, false, session);

  test("what another device reported last is shown and not overwritten", () => {
    const bench = machine({ use: "device" }).do({ type: "found", position: elsewhere(99), session: SESSION });
    bench.pass(3 * 60 * MINUTE);
    expect(bench.reports).toEqual([]);
    expect(wantsGps(bench.state)).toBe(false);
    expect(shownUse(bench.state)).toBe("override");
    expect(ownPoint(bench.state)).toEqual({ lat: centreOf(FAR).lat, lng: centreOf(FAR).lon });
  });

  test("until he acts on this one", () => {
    const bench = machine().do({ type: "found", position: elsewhere(99), session: SESSION });
    bench.do({ type: "drag", point: HOME }).pass(2 * SECOND);
    expect(bench.last).toMatchObject({ use: "OVERRIDE", overrideLat: centreOf(HOME).lat });
  });

  test("the device that reported last goes on by itself, from its own exact point", () => {
    const point = { lat: FAR.lat + 0.0005, lng: FAR.lng };
    const bench = machine({ use: "override", override: point });
    bench.do({ type: "found", position: elsewhere(SESSION), session: SESSION }).pass(2 * SECOND);
    expect(bench.reports).toHaveLength(1);
    expect(ownPoint(bench.state)).toEqual(point);
  });

  test("hiding from this one does not move him", () => {
    const bench = machine().do({ type: "found", position: elsewhere(99), session: SESSION });
    bench.do({ type: "hide", hide: true });
    expect(bench.last).toMatchObject({ use: "OVERRIDE", overrideLat: centreOf(FAR).lat, hide: true });
  });
});
