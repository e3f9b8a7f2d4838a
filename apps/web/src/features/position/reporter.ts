import { type Anchor, isAnchor } from "@lambda/geo/anchors";
import type { Precision } from "@lambda/geo/grid";
import { PRECISION_DEFAULT, PRECISIONS } from "@lambda/geo/grid";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { errorStatusOf } from "../../api/error-body.ts";
import {
  fetchOwnPosition,
  fetchPlaces,
  forgetPlaces as forgetPlacesOnServer,
  reportPosition,
} from "../../api/position-calls.ts";
import { GEO_ACCOUNT } from "../../device/account-key.ts";
import { onClearLocalData } from "../../device/clear-local-data.ts";
import { GEO, LAST_LOCATION, MAP_VIEW_STATE, sessionNumber } from "../../device/device-keys.ts";
import { type DeviceKey, readDevice, subscribeDevice, writeDevice } from "../../device/device-storage.ts";
import { hasSession } from "../../device/session-cookie.ts";
import { isReportingPaused, subscribeReporting } from "../../session/reporting.ts";
import { watchGps } from "./gps.ts";
import { initialState, ownPoint, step, wakeAt, wantsGps } from "./machine.ts";
import type { Outcome, Report, ReportingEvent, ReportingState } from "./machine-types.ts";

/** Carries out what the machine decides: clock, timers, GPS, calls, and what this device remembers. */

const PRECISION: DeviceKey<Precision> = {
  name: "geo_precision",
  fallback: PRECISION_DEFAULT,
  accepts: (value): value is Precision => PRECISIONS.includes(value as Precision),
};

/** The raw points of the member's places: they stay on this device, and go with all that it keeps. */
const ANCHORS: DeviceKey<readonly Anchor[]> = {
  name: "places",
  fallback: [],
  accepts: (value): value is readonly Anchor[] => Array.isArray(value) && value.every(isAnchor),
};

/** Timers of browsers run for at most this long. */
const TIMER_MAX_MS = 2 ** 31 - 1;
const FIND_RETRY_MS = 15_000;

export type Said = Extract<Outcome, { type: "say" }>["what"];

const NOBODY = { ...GEO.fallback, precision: PRECISION_DEFAULT, hidden: false, anchors: ANCHORS.fallback };

const reporting = createStore(() => initialState(NOBODY));
let profileId = 0;
let timer: number | undefined;
let stopGps: (() => void) | undefined;
const hearers = new Set<(what: Said) => void>();
const stayHearers = new Set<(stay: string | null) => void>();

/** Begins to report for a member; the returned function ends it and forgets what was known of them. */
export function startReporting(member: number, hidden: boolean): () => void {
  profileId = member;
  if (readDevice(GEO_ACCOUNT) !== member) {
    if (readDevice(GEO_ACCOUNT) !== GEO_ACCOUNT.fallback) forgetPlaces();
    writeDevice(GEO_ACCOUNT, member);
  }
  const kept = { ...readDevice(GEO), precision: readDevice(PRECISION), anchors: readDevice(ANCHORS) };
  reporting.setState(initialState({ ...kept, hidden }), true);
  send({ type: "paused", paused: isReportingPaused() });
  const unsubscribe = subscribeReporting(() => send({ type: "paused", paused: isReportingPaused() }));
  const unsubscribeDevice = subscribeDevice(ANCHORS, takeAnchors);
  let ended = false;
  void find(() => ended);
  return () => {
    ended = true;
    unsubscribe();
    unsubscribeDevice();
    stop();
  };
}

function stop(): void {
  profileId = 0;
  reporting.setState(initialState(NOBODY), true);
  arrange();
}

// A late answer must not write the member's place back after a logout.
onClearLocalData(stop);

function forgetPlaces(): void {
  writeDevice(GEO, GEO.fallback);
  writeDevice(LAST_LOCATION, null);
  writeDevice(MAP_VIEW_STATE, null);
  writeDevice(PRECISION, PRECISION_DEFAULT);
  writeDevice(ANCHORS, ANCHORS.fallback);
}

/** Another tab learned of a place, or was told to forget them. */
function takeAnchors(): void {
  if (!mayKeep()) return;
  const anchors = readDevice(ANCHORS);
  if (anchors !== reporting.getState().anchors) send({ type: "anchorsAre", anchors });
}

/** Another tab may have logged the member out, or another member in: then nothing of this one is written any more. */
function mayKeep(): boolean {
  return profileId !== 0 && hasSession() && readDevice(GEO_ACCOUNT) === profileId;
}

/** Tells the machine what happened. */
export function send(event: ReportingEvent): void {
  const before = reporting.getState();
  const { state, outcomes } = step(before, event, Date.now());
  reporting.setState(state, true);
  if (state !== before) remember(state);
  for (const outcome of outcomes) {
    if (outcome.type === "save") void save(outcome.report, profileId);
    else for (const hear of hearers) hear(outcome.what);
  }
  arrange();
}

export const useReporting = (): ReportingState => useStore(reporting);

/** Calls back with what the member must be told once, on whatever screen they are. */
export function hearReporting(hear: (what: Said) => void): () => void {
  hearers.add(hear);
  return () => hearers.delete(hear);
}

/** Calls back after each report with the country that punishes in which the member is, as the server tells it. */
export function hearStay(hear: (stay: string | null) => void): () => void {
  stayHearers.add(hear);
  return () => stayHearers.delete(hear);
}

async function find(isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    try {
      const [position, places] = await Promise.all([fetchOwnPosition({ profileId }), fetchPlaces({ profileId })]);
      if (!isOver()) send({ type: "found", position, places, session: sessionNumber() });
      return;
    } catch (error) {
      if (isOver()) return;
      if (errorStatusOf(error) === 401 || errorStatusOf(error) === 403) return;
      await new Promise((resolve) => setTimeout(resolve, FIND_RETRY_MS));
    }
  }
}

async function save(report: Report, member: number): Promise<void> {
  try {
    const position = await reportPosition({
      ...report,
      profileId: member,
      session: sessionNumber(),
    });
    if (member !== profileId) return;
    send({ type: "saved", position });
    for (const hear of stayHearers) hear(position.stay);
  } catch {
    if (member === profileId) send({ type: "saveFailed" });
  }
}

/** Asks the server to forget the cells of the member's places, and forgets them here; throws what the call throws. */
export async function forgetRememberedPlaces(): Promise<void> {
  const member = profileId;
  const places = await forgetPlacesOnServer({ profileId: member });
  if (member === profileId) send({ type: "placesForgotten", places });
}

/** Raw positions stay here and nowhere else; logout clears them with everything that the device keeps. */
function remember(state: ReportingState): void {
  if (!mayKeep()) return;
  // Before the others: whoever hears of a write finds these as they are.
  if (readDevice(ANCHORS) !== state.anchors) writeDevice(ANCHORS, state.anchors);
  const geo = readDevice(GEO);
  if (state.leading && (geo.use !== state.use || geo.override !== state.override))
    writeDevice(GEO, { use: state.use, override: state.override });
  if (state.leading && readDevice(PRECISION) !== state.precision) writeDevice(PRECISION, state.precision);
  const point = ownPoint(state);
  const last = readDevice(LAST_LOCATION);
  if (point && (point.lat !== last?.lat || point.lon !== last?.lon))
    writeDevice(LAST_LOCATION, { lat: point.lat, lon: point.lon });
}

function arrange(): void {
  const state = reporting.getState();
  if (profileId !== 0 && wantsGps(state)) {
    stopGps ??= watchGps(
      (point, at, accuracyMeters) => send({ type: "fix", point, at, accuracyMeters }),
      (kind) => send({ type: "gpsFailed", kind }),
    );
  } else {
    stopGps?.();
    stopGps = undefined;
  }
  window.clearTimeout(timer);
  const wake = profileId === 0 ? null : wakeAt(state);
  if (wake !== null) {
    const wait = Math.min(TIMER_MAX_MS, Math.max(0, wake - Date.now()));
    timer = window.setTimeout(() => send({ type: "tick" }), wait);
  }
}
