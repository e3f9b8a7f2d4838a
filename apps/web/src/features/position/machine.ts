import {
  GPS_FIX_STALE_MS,
  POSITION_REFRESH_MS,
  POSITION_SAVE_DEBOUNCE_MS,
  POSITION_THROTTLE_MS,
} from "@lambda/contract/limits";
import type { ReportedPosition } from "@lambda/contract/positions";
import { type Anchor, chooseAnchoredCell, matchRemembered, takeFix } from "@lambda/geo/anchors";
import type { Point } from "@lambda/geo/distance";
import { PRECISION_DEFAULT, type Precision } from "@lambda/geo/grid";
import { cellAt } from "@lambda/geo/lattice";
import type { GeoUse } from "../../device/device-keys.ts";
import type { FoundEvent, Outcome, ReportingEvent, ReportingState, Step } from "./machine-types.ts";
import { knownOf, reportOf, wireUse } from "./report.ts";

/**
 * How a device reports its member's position, as a function of state, event and time: no clock, no
 * timer, no network in here. Raw positions live in this state and on this device; a report holds the centre of a cell.
 */

/** A page that stays open keeps a resting position alive; the server writes less often than this anyway. */
const REST_REFRESH_MS = 60 * 60 * 1000;
const RETRY_MIN_MS = 5000;
const RETRY_MAX_MS = 5 * 60 * 1000;

export function initialState(kept: {
  readonly use: GeoUse;
  readonly override: Point | null;
  readonly precision: Precision;
  readonly hidden: boolean;
  readonly anchors: readonly Anchor[];
}): ReportingState {
  return {
    ...kept,
    ...{
      fix: null,
      examinedAt: null,
      gpsError: null,
      shownError: null,
      cell: null,
      acceptedAt: null,
      known: null,
      stay: null,
    },
    ...{ places: null, ready: false, leading: false, hideWanted: null, paused: false, saveDueAt: null, saving: false },
    ...{ savedAt: null, failures: 0 },
  };
}

/** Where members see their own marker: as exactly as the device knows. */
export function ownPoint(state: ReportingState): Point | null {
  const known = state.known?.point ?? null;
  if (!state.leading) return known ?? state.override;
  if (state.use === "device") return state.fix ?? known ?? state.override;
  if (state.use === "override") return state.override ?? known;
  return state.known?.published ?? null;
}

/** The mode that the buttons show. */
export function shownUse(state: ReportingState): GeoUse {
  if (state.leading || !state.known) return state.use;
  // A GPS of another device cannot be followed from here: to this one it is a place.
  return state.known.use === "RANDOM" ? "random" : "override";
}

export function mayDrag(state: ReportingState): boolean {
  return shownUse(state) === "override";
}

export function wantsGps(state: ReportingState): boolean {
  return state.use === "device" && state.leading && !state.paused;
}

/** When the machine wants a tick; null: not by itself. */
export function wakeAt(state: ReportingState): number | null {
  const { saveDueAt, fix, gpsError, examinedAt, savedAt, leading, paused, saving } = state;
  if (paused) return null;
  const times = [
    saving || !maySave(state) ? null : saveDueAt,
    fix && gpsError ? fix.at + GPS_FIX_STALE_MS + 1 : null,
    fix && examinedAt !== null && fix.at > examinedAt ? examinedAt + POSITION_THROTTLE_MS : null,
    leading && savedAt !== null ? savedAt + REST_REFRESH_MS : null,
  ].filter((time) => time !== null);
  return times.length > 0 ? Math.min(...times) : null;
}

export function step(state: ReportingState, event: ReportingEvent, now: number): Step {
  const outcomes: Outcome[] = [];
  let next = react(state, event, now, outcomes);
  next = look(next, now);
  if (next.saveDueAt !== null && next.saveDueAt <= now && !next.saving && !next.paused && maySave(next)) {
    outcomes.push({ type: "save", report: reportOf(next) });
    next = { ...next, saving: true, saveDueAt: null };
  }
  return { state: next, outcomes };
}

/** No place is reported before this device knows the member's cells; hiding waits for nothing. */
function maySave({ places, hideWanted }: ReportingState): boolean {
  return places !== null || hideWanted !== null;
}

function react(state: ReportingState, event: ReportingEvent, now: number, outcomes: Outcome[]): ReportingState {
  switch (event.type) {
    case "found":
      return found(state, event, now);
    case "placesForgotten":
      return { ...state, places: event.places, anchors: [], stay: null };
    case "anchorsAre":
      return { ...state, anchors: event.anchors };
    case "walk":
      return accept({ ...choose(state), use: "override", override: ownPoint(state), fix: null }, now);
    case "gps":
      // Nothing is reported before the first fix. A step by step record of an exact spot is never what a member meant.
      return {
        ...choose(state),
        use: "device",
        fix: null,
        stay: null,
        examinedAt: null,
        precision: coarse(state.precision),
      };
    case "random":
      return accept({ ...choose(state), use: "random", fix: null, precision: coarse(state.precision) }, now);
    case "errorRead":
      return { ...state, shownError: null };
    case "tick": {
      const rested = state.leading && state.savedAt !== null && now >= state.savedAt + REST_REFRESH_MS;
      return rested && !state.saving ? { ...state, saveDueAt: now } : state;
    }
    case "drag": {
      if (!mayDrag(state)) return state;
      return consider({ ...choose(state), use: "override", override: event.point }, now);
    }
    case "fix":
      if (!wantsGps(state)) return state;
      return {
        ...state,
        fix: { ...event.point, at: Math.min(event.at, now), accuracyMeters: event.accuracyMeters },
        gpsError: null,
      };
    case "gpsFailed":
      return wantsGps(state) ? { ...state, gpsError: event.kind } : state;
    case "hide":
      return { ...state, hideWanted: event.hide, saveDueAt: now };
    case "hiddenIs":
      return state.hideWanted === null ? { ...state, hidden: event.hidden } : state;
    case "precision": {
      const { precision } = event;
      // Exact is for walk mode alone. Elsewhere nothing changes, since another choice could be a finer one.
      if (precision === "exact" && !mayDrag(state)) return state;
      if (precision === state.precision && state.leading) return state;
      const use = shownUse(state);
      const override = use === "override" ? ownPoint(state) : state.override;
      const chosen = { ...choose(state), use, override, precision };
      // Without an own point yet (GPS before the first fix) there is nothing to snap.
      return chosen.use === "device" && !chosen.fix ? chosen : accept(chosen, now);
    }
    case "paused":
      return { ...state, paused: event.paused };
    case "saved":
      return saved(state, event.position, now, outcomes);
    case "saveFailed": {
      const { failures, hideWanted } = state;
      if (hideWanted !== null && failures === 0)
        outcomes.push({ type: "say", what: hideWanted ? "notHiddenYet" : "notShownYet" });
      const wait = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** failures);
      return { ...state, saving: false, failures: failures + 1, saveDueAt: now + wait };
    }
  }
}

/** The member chose on this device, so it is the one that reports. */
function choose(state: ReportingState): ReportingState {
  return { ...state, leading: true, gpsError: null, shownError: null };
}

function coarse(precision: Precision): Precision {
  return precision === "exact" ? PRECISION_DEFAULT : precision;
}

/** The device that reported last goes on reporting; any other shows what there is until the member acts on it. */
function found(state: ReportingState, { position, places, session }: FoundEvent, now: number): ReportingState {
  const lead = (next: ReportingState) => (next.use === "device" && !next.fix ? next : accept(next, now));
  const anchors = matchRemembered(state.anchors, places.remembered);
  if (!position) return lead({ ...state, places, anchors, ready: true, leading: true });
  const known = knownOf(position);
  const { lat, lon } = known.point;
  const cell = known.use === "RANDOM" ? null : cellAt(places.lattice, { lat, lon }, known.precision);
  const next: ReportingState = { ...state, places, anchors, ready: true, known, cell, hidden: position.hide };
  // The member acted before the answer came.
  if (state.leading) return lead(next);
  const sameUse = position.use === wireUse(state.use);
  if (position.session !== session || !sameUse) return { ...next, precision: coarse(known.precision) };
  const leading: ReportingState = { ...next, leading: true };
  return leading.use === "device" ? leading : accept(leading, now);
}

function saved(state: ReportingState, position: ReportedPosition, now: number, outcomes: Outcome[]): ReportingState {
  const { hideWanted } = state;
  const confirmed = hideWanted !== null && position.hide === hideWanted;
  if (confirmed) outcomes.push({ type: "say", what: hideWanted ? "hiding" : "visible" });
  return {
    ...state,
    ...{
      known: knownOf(position),
      places: position.places,
      anchors: matchRemembered(state.anchors, position.places.remembered),
      ready: true,
      hidden: position.hide,
      saving: false,
      savedAt: now,
      failures: 0,
    },
    hideWanted: confirmed ? null : hideWanted,
  };
}

/** What time brings: a fix whose turn has come, an error that has outlived the last fix. */
function look(state: ReportingState, now: number): ReportingState {
  if (!wantsGps(state)) return state;
  const { fix, gpsError, examinedAt } = state;
  const stale = !fix || now - fix.at > GPS_FIX_STALE_MS;
  // A denied permission is final; the other errors may pass while there is a fresh fix.
  if (gpsError && (gpsError === "denied" || stale)) {
    const point = ownPoint(state);
    const walking: ReportingState = { ...state, use: "override", override: point, fix: null, shownError: gpsError };
    return point && state.known?.use !== "RANDOM" ? accept(walking, now) : walking;
  }
  if (!fix || (examinedAt !== null && fix.at <= examinedAt)) return state;
  if (examinedAt !== null && now - examinedAt < POSITION_THROTTLE_MS) return state;
  return consider({ ...state, examinedAt: now }, now);
}

/** Takes a position that left its cell, or any after five minutes. */
function consider(state: ReportingState, now: number): ReportingState {
  const next = locate(state, now);
  const rested = state.acceptedAt === null || now - state.acceptedAt >= POSITION_REFRESH_MS;
  return next.cell !== state.cell || rested ? due(next, now) : next;
}

function accept(state: ReportingState, now: number): ReportingState {
  return due(locate(state, now), now);
}

function due(state: ReportingState, now: number): ReportingState {
  return { ...state, acceptedAt: now, saveDueAt: now + POSITION_SAVE_DEBOUNCE_MS };
}

/** Finds the cell of where the device is or was dragged, and what the device keeps of its places. */
function locate(state: ReportingState, now: number): ReportingState {
  const { places, precision, use, fix, override, cell, anchors, stay } = state;
  const point = use === "device" ? fix : use === "override" ? override : null;
  if (!places || !point) return { ...state, cell: null };
  const at = { lat: point.lat, lon: point.lon };
  // A drag shows at once and makes no place; a device that moves by itself keeps its cell a little longer.
  if (use !== "device" || !fix)
    return { ...state, cell: chooseAnchoredCell(places, anchors, { ...at, accuracyMeters: 0 }, precision) };
  const { accuracyMeters } = fix;
  return { ...state, ...takeFix(places, { anchors, stay }, { ...at, accuracyMeters }, precision, cell, now) };
}
