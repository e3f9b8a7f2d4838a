import {
  GPS_FIX_STALE_MS,
  POSITION_REFRESH_MS,
  POSITION_SAVE_DEBOUNCE_MS,
  POSITION_THROTTLE_MS,
} from "@lambda/contract/limits";
import { type Anchor, applyFix, chooseAnchoredCell, syncAnchors } from "@lambda/geo/anchors";
import type { Point } from "@lambda/geo/distance";
import { PRECISION_DEFAULT, type Precision } from "@lambda/geo/grid";
import { cellAt } from "@lambda/geo/lattice";
import type { GeoSource } from "../../../device/device-keys.ts";
import type { Effect, LoadedEvent, ReportingEvent, ReportingState, SavedEvent, Transition } from "./machine-types.ts";
import { toReport, toServerPosition, toWireUse } from "./report.ts";

/**
 * Position reporting as a pure state machine: no clock, timer or network in here. Raw positions stay in this state and
 * on this device; a report holds only the center of a cell.
 */

/** An open page keeps a resting position from expiring; the server writes less often than this anyway. */
const REST_REFRESH_MS = 60 * 60 * 1000;
const RETRY_MIN_MS = 5000;
const RETRY_MAX_MS = 5 * 60 * 1000;

export function initialState(stored: {
  readonly use: GeoSource;
  readonly override: Point | null;
  readonly precision: Precision;
  readonly hidden: boolean;
  readonly anchors: readonly Anchor[];
}): ReportingState {
  return {
    ...stored,
    fix: null,
    examinedAt: null,
    gpsError: null,
    shownError: null,
    cell: null,
    acceptedAt: null,
    serverPosition: null,
    stay: null,
    places: null,
    isReady: false,
    isActiveDevice: false,
    hasActed: false,
    pendingHide: null,
    isPaused: false,
    isChoosing: false,
    saveDueAt: null,
    isSaving: false,
    savedAt: null,
    failures: 0,
  };
}

/** Where members see their own marker: as exactly as this device knows. */
export function ownPoint(state: ReportingState): Point | null {
  const reported = state.serverPosition?.point ?? null;
  if (!state.isActiveDevice) return reported ?? state.override;
  if (state.use === "device") return state.fix ?? reported ?? state.override;
  if (state.use === "override") return state.override ?? reported;
  return state.serverPosition?.published ?? null;
}

export function displayedSource(state: ReportingState): GeoSource {
  if (state.isActiveDevice || !state.serverPosition) return state.use;
  // This device cannot follow another device's GPS, so it shows the result as a fixed place.
  return state.serverPosition.use === "RANDOM" ? "random" : "override";
}

export const canDrag = (state: ReportingState): boolean => displayedSource(state) === "override";

export function needsGps(state: ReportingState): boolean {
  return state.use === "device" && state.isActiveDevice && !state.isPaused;
}

/** When the machine needs its next tick; null if only an event can change the state. */
export function nextTickAt(state: ReportingState): number | null {
  const { saveDueAt, fix, gpsError, examinedAt, savedAt, isActiveDevice, isPaused, isSaving } = state;
  if (isPaused) return null;
  const times = [
    isSaving || !canSave(state) ? null : saveDueAt,
    fix && gpsError ? fix.at + GPS_FIX_STALE_MS + 1 : null,
    fix && examinedAt !== null && fix.at > examinedAt ? examinedAt + POSITION_THROTTLE_MS : null,
    isActiveDevice && savedAt !== null ? savedAt + REST_REFRESH_MS : null,
  ].filter((time) => time !== null);
  return times.length > 0 ? Math.min(...times) : null;
}

export function transition(state: ReportingState, event: ReportingEvent, now: number): Transition {
  const effects: Effect[] = [];
  let next = handleEvent(state, event, now, effects);
  next = examineGps(next, now);
  if (next.saveDueAt !== null && next.saveDueAt <= now && !next.isSaving && !next.isPaused && canSave(next)) {
    effects.push({ type: "save", report: toReport(next) });
    next = { ...next, isSaving: true, saveDueAt: null };
  }
  return { state: next, effects };
}

/**
 * No position is reported before the member's cells have loaded, and none that nobody chose while the member is being
 * asked; hiding never waits.
 */
const canSave = ({ places, pendingHide, isChoosing, use }: ReportingState): boolean =>
  pendingHide !== null || (places !== null && !(isChoosing && use === "random"));

function handleEvent(state: ReportingState, event: ReportingEvent, now: number, effects: Effect[]): ReportingState {
  switch (event.type) {
    case "loaded":
      return onLoaded(state, event, now);
    case "placesForgotten":
      return { ...state, places: event.places, anchors: [], stay: null };
    case "anchorsChanged":
      return { ...state, anchors: event.anchors };
    case "adopted":
      return updateCell({ ...activate(state), hasActed: false, ...event.choice }, now);
    case "override":
      return acceptPosition({ ...activate(state), use: "override", override: ownPoint(state), fix: null }, now);
    case "device":
      // Nothing is reported before the first fix. Exact precision would record every step, which no member intends.
      return {
        ...activate(state),
        use: "device",
        fix: null,
        stay: null,
        examinedAt: null,
        saveDueAt: state.pendingHide === null ? null : state.saveDueAt,
        precision: withoutExact(state.precision),
      };
    case "random":
      return acceptPosition(
        { ...activate(state), use: "random", fix: null, precision: withoutExact(state.precision) },
        now,
      );
    case "errorDismissed":
      return { ...state, shownError: null };
    case "tick": {
      const isRefreshDue = state.isActiveDevice && state.savedAt !== null && now >= state.savedAt + REST_REFRESH_MS;
      return isRefreshDue && !state.isSaving ? { ...state, saveDueAt: now } : state;
    }
    case "drag": {
      if (!canDrag(state)) return state;
      return acceptIfMovedOrStale({ ...activate(state), use: "override", override: event.point }, now);
    }
    case "fix":
      if (!needsGps(state)) return state;
      return {
        ...state,
        fix: { ...event.point, at: Math.min(event.at, now), accuracyMeters: event.accuracyMeters },
        gpsError: null,
      };
    case "gpsFailed":
      return needsGps(state) ? { ...state, gpsError: event.kind } : state;
    case "hide":
      // Counts from zero, so that a failure is reported even if earlier reports failed.
      return { ...state, pendingHide: event.hide, saveDueAt: now, failures: 0 };
    case "hiddenChanged":
      return state.pendingHide === null ? { ...state, hidden: event.hidden } : state;
    case "precision":
      return onPrecisionChosen(state, event.precision, now);
    case "paused":
      return { ...state, isPaused: event.paused };
    case "choosing":
      return { ...state, isChoosing: event.choosing };
    case "saved":
      return onSaved(state, event, now, effects);
    case "saveFailed":
      return onSaveFailed(state, now, effects);
  }
}

/** The member made a choice on this device, so this device does the reporting from now on. */
function activate(state: ReportingState): ReportingState {
  return { ...state, isActiveDevice: true, hasActed: true, gpsError: null, shownError: null };
}

const withoutExact = (precision: Precision): Precision => (precision === "exact" ? PRECISION_DEFAULT : precision);

/** The device that reported last continues to report; any other only shows that position until the member acts on it. */
function onLoaded(state: ReportingState, { position, places, deviceNumber }: LoadedEvent, now: number): ReportingState {
  const anchors = syncAnchors(state.anchors, places.remembered);
  if (!position) return acceptUnlessGpsPending({ ...state, places, anchors, isReady: true, isActiveDevice: true }, now);
  const serverPosition = toServerPosition(position);
  const { lat, lon } = serverPosition.point;
  const cell = serverPosition.use === "RANDOM" ? null : cellAt(places.lattice, { lat, lon }, serverPosition.precision);
  const next: ReportingState = {
    ...state,
    places,
    anchors,
    isReady: true,
    serverPosition,
    cell,
    hidden: position.hide,
  };
  // The member acted before the response arrived.
  if (state.isActiveDevice) return acceptUnlessGpsPending(next, now);
  const isSameUse = position.use === toWireUse(state.use);
  if (position.session !== deviceNumber || !isSameUse) {
    return { ...next, precision: withoutExact(serverPosition.precision) };
  }
  const active: ReportingState = { ...next, isActiveDevice: true };
  return active.use === "device" ? active : acceptPosition(active, now);
}

function onPrecisionChosen(state: ReportingState, precision: Precision, now: number): ReportingState {
  // Outside of walk mode a request for exact is ignored: falling back to another precision could be finer than the current one.
  if (precision === "exact" && !canDrag(state)) return state;
  if (precision === state.precision && state.isActiveDevice) return state;
  const use = displayedSource(state);
  const override = use === "override" ? ownPoint(state) : state.override;
  return acceptUnlessGpsPending({ ...activate(state), use, override, precision }, now);
}

function onSaved(
  state: ReportingState,
  { position, isOther }: SavedEvent,
  now: number,
  effects: Effect[],
): ReportingState {
  const { pendingHide } = state;
  // What was chosen here meanwhile is still to be reported.
  const hasActed = isOther && state.hasActed;
  const isHideConfirmed = pendingHide !== null && position.hide === pendingHide;
  if (isHideConfirmed) effects.push({ type: "notify", notice: pendingHide ? "hiding" : "visible" });
  return {
    ...state,
    serverPosition: toServerPosition(position),
    hasActed,
    ...(isOther && !hasActed && { isActiveDevice: false, precision: withoutExact(position.precision) }),
    places: position.places,
    anchors: syncAnchors(state.anchors, position.places.remembered),
    isReady: true,
    hidden: position.hide,
    isSaving: false,
    savedAt: now,
    failures: 0,
    pendingHide: isHideConfirmed ? null : pendingHide,
  };
}

function onSaveFailed(state: ReportingState, now: number, effects: Effect[]): ReportingState {
  const { failures, pendingHide } = state;
  if (pendingHide !== null && failures === 0)
    effects.push({ type: "notify", notice: pendingHide ? "notHiddenYet" : "notShownYet" });
  // Who wants to hide does not wait longer each time.
  const wait = Math.min(pendingHide ? RETRY_MIN_MS : RETRY_MAX_MS, RETRY_MIN_MS * 2 ** failures);
  return { ...state, isSaving: false, failures: failures + 1, saveDueAt: now + wait };
}

/** Processes a fix once the throttle allows it, and leaves GPS mode when an error has outlived the last fix. */
function examineGps(state: ReportingState, now: number): ReportingState {
  if (!needsGps(state)) return state;
  const { fix, gpsError, examinedAt } = state;
  const isStale = !fix || now - fix.at > GPS_FIX_STALE_MS;
  // A denied permission is final; the other errors may pass while the last fix is fresh.
  if (gpsError && (gpsError === "denied" || isStale)) {
    const point = ownPoint(state);
    const walking: ReportingState = { ...state, use: "override", override: point, fix: null, shownError: gpsError };
    return point && state.serverPosition?.use !== "RANDOM" ? acceptPosition(walking, now) : walking;
  }
  if (!fix || (examinedAt !== null && fix.at <= examinedAt)) return state;
  if (examinedAt !== null && now - examinedAt < POSITION_THROTTLE_MS) return state;
  return acceptIfMovedOrStale({ ...state, examinedAt: now }, now);
}

/** Reports a position in another cell at once, and one in the same cell every five minutes. */
function acceptIfMovedOrStale(state: ReportingState, now: number): ReportingState {
  const next = updateCell(state, now);
  const isRefreshDue = state.acceptedAt === null || now - state.acceptedAt >= POSITION_REFRESH_MS;
  return next.cell !== state.cell || isRefreshDue ? scheduleSave(next, now) : next;
}

/** In GPS mode before the first fix there is no point to snap to a cell yet. */
function acceptUnlessGpsPending(state: ReportingState, now: number): ReportingState {
  return state.use === "device" && !state.fix ? state : acceptPosition(state, now);
}

function acceptPosition(state: ReportingState, now: number): ReportingState {
  return scheduleSave(updateCell(state, now), now);
}

function scheduleSave(state: ReportingState, now: number): ReportingState {
  return { ...state, acceptedAt: now, saveDueAt: now + POSITION_SAVE_DEBOUNCE_MS };
}

/** Finds the cell of the GPS fix or the dragged marker; a fix also updates the places that this device remembers. */
function updateCell(state: ReportingState, now: number): ReportingState {
  const { places, precision, use, fix, override, cell, anchors, stay } = state;
  const point = use === "device" ? fix : use === "override" ? override : null;
  if (!places || !point) return { ...state, cell: null };
  const { lat, lon } = point;
  // A drag takes effect at once and creates no place; a GPS fix keeps the previous cell a little longer.
  if (use !== "device" || !fix)
    return { ...state, cell: chooseAnchoredCell(places, anchors, { lat, lon, accuracyMeters: 0 }, precision) };
  const { accuracyMeters } = fix;
  return { ...state, ...applyFix(places, { anchors, stay }, { lat, lon, accuracyMeters }, precision, cell, now) };
}
