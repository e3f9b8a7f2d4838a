/**
 * Anchors: the resting places that a device remembers, each as a raw point, which never leaves it, plus the cell chosen for it. A
 * fix near an anchor reports that cell, so GPS noise and the member's other places cannot change what others see.
 */
import { distanceMeters, METERS_PER_DEGREE, type Point } from "./distance.ts";
import { type Cell, cellPrecision, isCell, type Precision, wrapLongitude } from "./grid.ts";
import {
  cellAt,
  chooseCell,
  dropStale,
  type Lattice,
  metersOutsideCell,
  precisionScale,
  RESTING_CLAIM_METERS,
  RESTING_DAYS_MAX,
  RESTING_MS,
  type RestingCell,
} from "./lattice.ts";
import { dayOf } from "./time.ts";

/** The cell that represents an anchor; an anchor has at most one per precision. */
export interface AnchoredCell {
  readonly cell: Cell;
  /** Whether the server has listed it. Once listed, a cell that disappears from the server's list is dropped here too. */
  readonly remembered: boolean;
}

export interface Anchor extends Point {
  /** Duration of the longest stay, in milliseconds; the point is the mean of that stay. */
  readonly weight: number;
  /** Number of days it was used, capped at RESTING_DAYS_MAX. */
  readonly days: number;
  /** Last day it was used, in days since 1970 UTC. */
  readonly lastDay: number;
  readonly cells: readonly AnchoredCell[];
}

/** Where the device has been since it last moved: the time-weighted mean of its fixes. */
export interface DeviceStay extends Point {
  readonly weight: number;
  readonly since: number;
  /** Time of the last fix. */
  readonly at: number;
}

/** The member's own grid and resting cells, as sent by the server. */
export interface OwnCells {
  readonly lattice: Lattice;
  readonly remembered: readonly RestingCell[];
}

export interface Fix extends Point {
  readonly accuracyMeters: number;
}

export interface AnchorState {
  readonly anchors: readonly Anchor[];
  readonly stay: DeviceStay | null;
}

export const NO_ANCHORS: AnchorState = { anchors: [], stay: null };

/** GPS can hardly distinguish places closer than this, so a new anchor takes over the cell of such a neighbor. */
const NEIGHBOR_METERS = 2 * RESTING_CLAIM_METERS;
/** An anchor's point is only rewritten when the mean of a longer stay is at least this far away. */
const MOVED_METERS = 10;
/** Weight of the first fix of a stay, as if a minute had passed before it. */
const FIRST_WEIGHT_MS = 60_000;

const claimRadius = (precision: Precision) => precisionScale(precision) * RESTING_CLAIM_METERS;
const hasPrecision = (cell: Cell, precision: Precision) => cellPrecision(cell) === precision;

function nearestWithin(anchors: readonly Anchor[], point: Point, meters: number): Anchor | undefined {
  let nearest: Anchor | undefined;
  let shortest = meters;
  for (const anchor of anchors) {
    if (Math.abs(anchor.lat - point.lat) * METERS_PER_DEGREE > shortest) continue;
    const distance = distanceMeters(anchor, point);
    if (distance > shortest) continue;
    [nearest, shortest] = [anchor, distance];
  }
  return nearest;
}

/** The anchor that a fix belongs to. For an inaccurate fix that is the most used anchor within reach, not the nearest. */
function anchorNear(anchors: readonly Anchor[], fix: Fix, precision: Precision): Anchor | undefined {
  const claim = claimRadius(precision);
  const reach = claim + fix.accuracyMeters;
  if (fix.accuracyMeters <= claim) return nearestWithin(anchors, fix, reach);
  const near = anchors.filter((anchor) => distanceMeters(anchor, fix) <= reach);
  return near.sort((one, other) => other.days - one.days)[0];
}

/** The cell chosen for an anchor; undefined if the member's grid has since moved away from it. */
function anchoredCell({ lattice }: OwnCells, anchor: Anchor, precision: Precision): Cell | undefined {
  const limit = precisionScale(precision) * NEIGHBOR_METERS;
  return anchor.cells.find(
    ({ cell }) => hasPrecision(cell, precision) && metersOutsideCell(lattice, cell, anchor) <= limit,
  )?.cell;
}

/** Chooses the cell for a new place: that of a neighboring anchor whose cell covers the place, else what the server would choose. */
function chooseCellForPlace(own: OwnCells, anchors: readonly Anchor[], place: Point, precision: Precision): Cell {
  const candidates = anchors.filter((anchor) => {
    const cell = anchoredCell(own, anchor, precision);
    return cell !== undefined && metersOutsideCell(own.lattice, cell, place) <= claimRadius(precision);
  });
  const neighbor = nearestWithin(candidates, place, precisionScale(precision) * NEIGHBOR_METERS);
  return (
    (neighbor && anchoredCell(own, neighbor, precision)) ?? chooseCell(own.lattice, own.remembered, place, precision)
  );
}

/**
 * The cell to report for a fix: that of the member's anchor within reach, or else what the server would choose.
 *
 * @param previous the last reported cell; only passed for positions from GPS
 */
export function chooseAnchoredCell(
  own: OwnCells,
  anchors: readonly Anchor[],
  fix: Fix,
  precision: Precision,
  previous: Cell | null = null,
): Cell {
  if (precision === "exact") return cellAt(own.lattice, fix, precision);
  const anchor = anchorNear(anchors, fix, precision);
  if (anchor) return anchoredCell(own, anchor, precision) ?? chooseCellForPlace(own, anchors, anchor, precision);
  return chooseCell(own.lattice, own.remembered, fix, precision, fix.accuracyMeters, previous);
}

/** Continues the current stay with a fix, or starts a new one. An inaccurate fix changes nothing. */
function updateStay(stay: DeviceStay | null, fix: Fix, precision: Precision, now: number): DeviceStay | null {
  const claim = claimRadius(precision);
  const { lat, lon, accuracyMeters } = fix;
  if (accuracyMeters > claim) return stay;
  if (!stay || distanceMeters(stay, fix) > claim / 2 + accuracyMeters)
    return { lat, lon, weight: FIRST_WEIGHT_MS, since: now, at: now };
  // Weighted by time, so that the last steps of arriving hardly shift the mean.
  const elapsed = Math.max(0, Math.min(RESTING_MS, now - stay.at));
  const weight = stay.weight + elapsed;
  return {
    lat: stay.lat + ((lat - stay.lat) * elapsed) / weight,
    lon: wrapLongitude(stay.lon + (wrapLongitude(lon - stay.lon) * elapsed) / weight),
    weight,
    since: stay.since,
    at: now,
  };
}

/** A stay long enough to count as resting, with the cell reported since it began. */
interface Rest extends DeviceStay {
  readonly accuracyMeters: number;
  readonly precision: Precision;
  readonly previous: Cell | null;
}

/** Records a rest in the anchors. Returns the same array if nothing changes, so that callers can skip the write. */
function recordRest(own: OwnCells, anchors: readonly Anchor[], rest: Rest): readonly Anchor[] {
  const day = dayOf(rest.at);
  const anchor = nearestWithin(anchors, rest, claimRadius(rest.precision));
  if (!anchor) return dropStale([...anchors, newAnchor(own, anchors, rest, day)], day);
  const updated = updateAnchor(own, anchors, anchor, rest, day);
  if (updated === anchor) return anchors;
  const all = anchors.map((each) => (each === anchor ? updated : each));
  return dropStale(all, day);
}

function newAnchor(own: OwnCells, anchors: readonly Anchor[], rest: Rest, day: number): Anchor {
  const { lat, lon, weight, accuracyMeters, precision, previous } = rest;
  const reach = claimRadius(precision) + accuracyMeters;
  const near = nearestWithin(anchors, rest, reach);
  // Keep showing the cell reported since arrival, unless it is too far away.
  const shown =
    previous !== null && hasPrecision(previous, precision) && metersOutsideCell(own.lattice, previous, rest) <= reach
      ? previous
      : undefined;
  const cell =
    (near && anchoredCell(own, near, precision)) ?? shown ?? chooseCellForPlace(own, anchors, rest, precision);
  return { lat, lon, weight, days: 1, lastDay: day, cells: [{ cell, remembered: false }] };
}

function updateAnchor(own: OwnCells, anchors: readonly Anchor[], anchor: Anchor, rest: Rest, day: number): Anchor {
  const { lat, lon, weight, precision } = rest;
  const known = anchoredCell(own, anchor, precision) !== undefined;
  const moved = weight > anchor.weight && distanceMeters(anchor, rest) > MOVED_METERS;
  if (known && !moved && anchor.lastDay >= day) return anchor;
  const used = {
    ...anchor,
    days: anchor.lastDay >= day ? anchor.days : Math.min(RESTING_DAYS_MAX, anchor.days + 1),
    lastDay: Math.max(day, anchor.lastDay),
  };
  const placed = moved ? { ...used, lat, lon, weight } : used;
  if (known) return placed;
  const others = anchor.cells.filter(({ cell }) => !hasPrecision(cell, precision));
  const cell = chooseCellForPlace(own, anchors, anchor, precision);
  return { ...placed, cells: [...others, { cell, remembered: false }] };
}

/** Updates the device's anchors and stay with a fix, and chooses the cell to report. */
export function applyFix(
  own: OwnCells,
  known: AnchorState,
  fix: Fix,
  precision: Precision,
  previous: Cell | null,
  now: number,
): AnchorState & { readonly cell: Cell } {
  const stay = updateStay(known.stay, fix, precision, now);
  const { accuracyMeters } = fix;
  if (precision === "exact" || !stay || now - stay.since < RESTING_MS || accuracyMeters > claimRadius(precision))
    return { ...known, stay, cell: chooseAnchoredCell(own, known.anchors, fix, precision, previous) };
  const anchors = recordRest(own, known.anchors, { ...stay, accuracyMeters, precision, previous });
  // The mean of a rest is steadier than a single fix.
  const cell = chooseAnchoredCell(own, anchors, { ...stay, accuracyMeters }, precision, previous);
  return { anchors, stay, cell };
}

/**
 * Applies the server's list of resting cells: drops cells that it no longer lists, because they expired or the member cleared them
 * on some device. An empty list clears all listed anchors; returns the same array if nothing changes.
 */
export function syncAnchors(anchors: readonly Anchor[], remembered: readonly RestingCell[]): readonly Anchor[] {
  const listed = new Set(remembered.map(({ cell }) => cell));
  if (listed.size === 0 && anchors.some(({ cells }) => cells.some((each) => each.remembered))) return [];
  let changed = false;
  const synced = anchors.map((anchor) => {
    const cells = anchor.cells
      .filter((each) => !each.remembered || listed.has(each.cell))
      .map((each) => (!each.remembered && listed.has(each.cell) ? { ...each, remembered: true } : each));
    if (cells.length === anchor.cells.length && cells.every((each, index) => each === anchor.cells[index]))
      return anchor;
    changed = true;
    return { ...anchor, cells };
  });
  return changed ? synced.filter(({ cells }) => cells.length > 0) : anchors;
}

/** Validates a stored value: what a device kept may be outdated or tampered with. */
export function isAnchor(value: unknown): value is Anchor {
  const { lat, lon, weight, days, lastDay, cells } = (value ?? {}) as Partial<Anchor>;
  return (
    [lat, lon, weight, days, lastDay].every(Number.isFinite) &&
    Array.isArray(cells) &&
    cells.every((each) => isCell(each?.cell) && typeof each.remembered === "boolean")
  );
}
