import { type Anchor, isAnchor } from "@lambda/geo/anchors";
import type { Precision } from "@lambda/geo/grid";
import { PRECISION_DEFAULT, PRECISIONS } from "@lambda/geo/grid";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { trpcClient } from "../../../api/client.ts";
import { errorStatusOf } from "../../../api/error-body.ts";
import { GEO_ACCOUNT } from "../../../device/account-key.ts";
import { onClearLocalData } from "../../../device/clear-local-data.ts";
import { deviceNumber, GEO, HIDE_WISH, LAST_LOCATION, MAP_VIEW_STATE } from "../../../device/device-keys.ts";
import { deviceKey, readDeviceValue, subscribeDeviceValue, writeDeviceValue } from "../../../device/device-storage.ts";
import { isReportingPaused, subscribeReporting } from "../../../device/reporting.ts";
import { hasSession } from "../../../device/session-cookie.ts";
import { watchGps } from "./gps.ts";
import { initialState, needsGps, nextTickAt, ownPoint, transition } from "./machine.ts";
import type { Report, ReportingEvent, ReportingNotice, ReportingState } from "./machine-types.ts";

/** Runs the reporting machine: supplies clock, timers and GPS, calls the server, and stores what this device remembers. */

const { positions } = trpcClient;

export const PRECISION = deviceKey<Precision>("geo_precision", PRECISION_DEFAULT, (value) =>
  PRECISIONS.includes(value as Precision),
);

/** The raw points of the member's places. They never leave this device and are cleared on logout. */
const ANCHORS = deviceKey<readonly Anchor[]>("places", [], (value) => Array.isArray(value) && value.every(isAnchor));

/** Browsers fire a timer with a longer delay at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;
const LOAD_RETRY_MS = 15_000;

const LOGGED_OUT = { ...GEO.fallback, precision: PRECISION_DEFAULT, hidden: false, anchors: ANCHORS.fallback };

const reporting = createStore(() => initialState(LOGGED_OUT));
let profileId = 0;
let timer: number | undefined;
let stopGps: (() => void) | undefined;
const noticeListeners = new Set<(notice: ReportingNotice) => void>();
const stayListeners = new Set<(country: string | null) => void>();

/** Starts reporting for a member. The returned function stops it and discards the state. */
export function startReporting(member: number, hidden: boolean): () => void {
  profileId = member;
  if (readDeviceValue(GEO_ACCOUNT) !== member) {
    if (readDeviceValue(GEO_ACCOUNT) !== GEO_ACCOUNT.fallback) clearStoredPosition();
    writeDeviceValue(GEO_ACCOUNT, member);
  }
  const stored = { ...readDeviceValue(GEO), precision: readDeviceValue(PRECISION), anchors: readDeviceValue(ANCHORS) };
  const wantsToHide = readDeviceValue(HIDE_WISH);
  reporting.setState(initialState({ ...stored, hidden }), true);
  dispatchReporting({ type: "paused", paused: isReportingPaused() });
  if (wantsToHide) dispatchReporting({ type: "hide", hide: true });
  const unsubscribe = subscribeReporting(() => dispatchReporting({ type: "paused", paused: isReportingPaused() }));
  const unsubscribeAnchors = subscribeDeviceValue(ANCHORS, reloadAnchors);
  let isStopped = false;
  // A logout resets the member before this component is unmounted.
  void loadFromServer(() => isStopped || member !== profileId);
  return () => {
    isStopped = true;
    unsubscribe();
    unsubscribeAnchors();
    reset();
  };
}

function reset(): void {
  profileId = 0;
  reporting.setState(initialState(LOGGED_OUT), true);
  updateGpsAndTimer();
}

// A late response must not write the member's position back after a logout.
onClearLocalData(reset);

function clearStoredPosition(): void {
  writeDeviceValue(GEO, GEO.fallback);
  writeDeviceValue(LAST_LOCATION, null);
  writeDeviceValue(MAP_VIEW_STATE, null);
  writeDeviceValue(PRECISION, PRECISION_DEFAULT);
  writeDeviceValue(ANCHORS, ANCHORS.fallback);
  writeDeviceValue(HIDE_WISH, HIDE_WISH.fallback);
}

/** Another tab learned of a place, or forgot the places. */
function reloadAnchors(): void {
  if (!canStore()) return;
  const anchors = readDeviceValue(ANCHORS);
  if (anchors !== reporting.getState().anchors) dispatchReporting({ type: "anchorsChanged", anchors });
}

/** Whether this member's data may still be written: another tab may have logged them out, or logged another member in. */
function canStore(): boolean {
  return profileId !== 0 && hasSession() && readDeviceValue(GEO_ACCOUNT) === profileId;
}

export function dispatchReporting(event: ReportingEvent): void {
  const before = reporting.getState();
  const { state, effects } = transition(before, event, Date.now());
  reporting.setState(state, true);
  if (state !== before) storeState(state, before.pendingHide);
  for (const effect of effects) {
    if (effect.type === "save") void saveReport(effect.report, profileId);
    else for (const listener of noticeListeners) listener(effect.notice);
  }
  updateGpsAndTimer();
}

export const readReporting = reporting.getState;
export const useReporting = (): ReportingState => useStore(reporting);

/** Calls back with each notice that the member should see, on any screen. */
export function subscribeNotices(listener: (notice: ReportingNotice) => void): () => void {
  noticeListeners.add(listener);
  return () => noticeListeners.delete(listener);
}

/** Calls back after each report with the member's country if it punishes them, else null. The server determines it. */
export function subscribeStay(listener: (country: string | null) => void): () => void {
  stayListeners.add(listener);
  return () => stayListeners.delete(listener);
}

async function loadFromServer(isStopped: () => boolean): Promise<void> {
  while (!isStopped()) {
    try {
      const [position, places] = await Promise.all([
        positions.mine.query({ profileId }),
        positions.places.query({ profileId }),
      ]);
      if (!isStopped()) dispatchReporting({ type: "loaded", position, places, deviceNumber: deviceNumber() });
      return;
    } catch (error) {
      if (isStopped()) return;
      if (errorStatusOf(error) === 401 || errorStatusOf(error) === 403) return;
      await new Promise((resolve) => setTimeout(resolve, LOAD_RETRY_MS));
    }
  }
}

async function saveReport(report: Report, member: number): Promise<void> {
  try {
    const position = await positions.report.mutate({ ...report, profileId: member, session: deviceNumber() });
    if (member !== profileId) return;
    dispatchReporting({ type: "saved", position, isOther: position.session !== deviceNumber() });
    for (const listener of stayListeners) listener(position.stay);
  } catch {
    if (member === profileId) dispatchReporting({ type: "saveFailed" });
  }
}

/** Forgets the member's places on the server, then on this device. Throws what the call throws. */
export async function forgetRememberedPlaces(): Promise<void> {
  const member = profileId;
  const places = await positions.forgetPlaces.mutate({ profileId: member });
  if (member === profileId) dispatchReporting({ type: "placesForgotten", places });
}

/** Stores raw positions on this device only. Logout clears them. */
function storeState(state: ReportingState, hideBefore: boolean | null): void {
  if (!canStore()) return;
  // Anchors go first, so that listeners to the other writes see them up to date.
  if (readDeviceValue(ANCHORS) !== state.anchors) writeDeviceValue(ANCHORS, state.anchors);
  // Another tab's wish stays.
  if (state.pendingHide !== hideBefore) writeDeviceValue(HIDE_WISH, !!state.pendingHide);
  const geo = readDeviceValue(GEO);
  if (state.isActiveDevice && (geo.use !== state.use || geo.override !== state.override))
    writeDeviceValue(GEO, { use: state.use, override: state.override });
  if (state.isActiveDevice && readDeviceValue(PRECISION) !== state.precision)
    writeDeviceValue(PRECISION, state.precision);
  const point = ownPoint(state);
  const last = readDeviceValue(LAST_LOCATION);
  if (point && (point.lat !== last?.lat || point.lon !== last?.lon))
    writeDeviceValue(LAST_LOCATION, { lat: point.lat, lon: point.lon });
}

/** Starts or stops the GPS and schedules the next tick, as the machine's state requires. */
function updateGpsAndTimer(): void {
  const state = reporting.getState();
  if (profileId !== 0 && needsGps(state)) {
    stopGps ??= watchGps(
      (point, at, accuracyMeters) => dispatchReporting({ type: "fix", point, at, accuracyMeters }),
      (kind) => dispatchReporting({ type: "gpsFailed", kind }),
    );
  } else {
    stopGps?.();
    stopGps = undefined;
  }
  window.clearTimeout(timer);
  const tickAt = profileId === 0 ? null : nextTickAt(state);
  if (tickAt !== null) {
    const wait = Math.min(TIMER_MAX_MS, Math.max(0, tickAt - Date.now()));
    timer = window.setTimeout(() => dispatchReporting({ type: "tick" }), wait);
  }
}
