/**
 * What a device keeps for itself of the places where its member rests: the raw point of each, and the cell that was chosen for it
 * once. A fix near a place shows that cell, however far a GPS wavers and whatever the member's other places claim.
 *
 * Raw points never leave the device: what it reports is the centre of a cell, from which the server chooses the same one.
 */
import { distanceMeters, METERS_PER_DEGREE, type Point } from "./distance.ts";
import { type Cell, cellPrecision, isCell, type Precision, wrapLongitude } from "./grid.ts";
import {
  cellAt,
  chooseCell,
  DAY_MS,
  keepFresh,
  type Lattice,
  metersOutside,
  RESTING_CLAIM_METERS,
  RESTING_DAYS_MAX,
  RESTING_MS,
  type RestingCell,
  scaleOf,
} from "./lattice.ts";

/** A cell that stands for a place; a place has at most one for each precision. */
export interface AnchoredCell {
  readonly cell: Cell;
  /** Whether it has been in the server's list. Gone from there afterwards it was forgotten, and goes here too. */
  readonly remembered: boolean;
}

export interface Anchor extends Point {
  /** The length of the longest stay, whose mean the point is. */
  readonly weight: number;
  /** On how many days, up to RESTING_DAYS_MAX. */
  readonly days: number;
  /** The last of them, in days since 1970 UTC. */
  readonly lastDay: number;
  readonly cells: readonly AnchoredCell[];
}

/** Where the device has been since it last moved on: the mean of its weight. */
export interface Stay extends Point {
  readonly weight: number;
  readonly since: number;
  /** When the last of them came. */
  readonly at: number;
}

/** The member's own cells, as the server tells them. */
export interface OwnCells {
  readonly lattice: Lattice;
  readonly remembered: readonly RestingCell[];
}

export interface Fix extends Point {
  readonly accuracyMeters: number;
}

export interface DevicePlaces {
  readonly anchors: readonly Anchor[];
  readonly stay: Stay | null;
}

export const NO_ANCHORS: DevicePlaces = { anchors: [], stay: null };

/** A GPS can hardly tell places apart that are nearer than this: a new one takes the cell of the one beside it. */
const NEIGHBOUR_METERS = 2 * RESTING_CLAIM_METERS;
/** How far the mean of a stay moves before it is worth another write. */
const MOVED_METERS = 10;
/** The first fix of a stay counts as much as one that came a minute after another; none counts more than a rest. */
const FIRST_WEIGHT_MS = 60_000;

const claimOf = (precision: Precision) => scaleOf(precision) * RESTING_CLAIM_METERS;
const isAt = (cell: Cell, precision: Precision) => cellPrecision(cell) === precision;

/** The nearest anchor within a distance. */
function nearestWithin(anchors: readonly Anchor[], point: Point, meters: number): Anchor | undefined {
  let nearest: Anchor | undefined;
  let least = meters;
  for (const anchor of anchors) {
    if (Math.abs(anchor.lat - point.lat) * METERS_PER_DEGREE > least) continue;
    const away = distanceMeters(anchor, point);
    if (away > least) continue;
    [nearest, least] = [anchor, away];
  }
  return nearest;
}

/** The place that a fix is at. A device that hardly knows where it is is taken to be at the one that is used most there. */
function anchorNear(anchors: readonly Anchor[], fix: Fix, precision: Precision): Anchor | undefined {
  const claim = claimOf(precision);
  const reach = claim + fix.accuracyMeters;
  if (fix.accuracyMeters <= claim) return nearestWithin(anchors, fix, reach);
  const near = anchors.filter((anchor) => distanceMeters(anchor, fix) <= reach);
  return near.sort((one, other) => other.days - one.days)[0];
}

/** The cell that was chosen for a place; one that the member's grid has moved away from no longer counts. */
function anchoredCell({ lattice }: OwnCells, anchor: Anchor, precision: Precision): Cell | undefined {
  const most = scaleOf(precision) * NEIGHBOUR_METERS;
  return anchor.cells.find(({ cell }) => isAt(cell, precision) && metersOutside(lattice, cell, anchor) <= most)?.cell;
}

/** Chooses the cell of a place: as the nearest place beside it whose cell claims it, or else by what the server remembers. */
function settle(own: OwnCells, anchors: readonly Anchor[], place: Point, precision: Precision): Cell {
  const settled = anchors.filter((anchor) => {
    const cell = anchoredCell(own, anchor, precision);
    return cell !== undefined && metersOutside(own.lattice, cell, place) <= claimOf(precision);
  });
  const beside = nearestWithin(settled, place, scaleOf(precision) * NEIGHBOUR_METERS);
  return (beside && anchoredCell(own, beside, precision)) ?? chooseCell(own.lattice, own.remembered, place, precision);
}

/**
 * The cell that stands for a point: that of the nearest of the member's places within reach, and only where there is none what the
 * server would choose.
 *
 * @param before the cell that was reported last, where the device moves by itself
 */
export function chooseAnchoredCell(
  own: OwnCells,
  anchors: readonly Anchor[],
  fix: Fix,
  precision: Precision,
  before: Cell | null = null,
): Cell {
  if (precision === "exact") return cellAt(own.lattice, fix, precision);
  const anchor = anchorNear(anchors, fix, precision);
  if (anchor) return anchoredCell(own, anchor, precision) ?? settle(own, anchors, anchor, precision);
  return chooseCell(own.lattice, own.remembered, fix, precision, fix.accuracyMeters, before);
}

/** The stay that a fix goes on with, or the one that it begins. A fix that is unsure tells of neither. */
function stayAfter(stay: Stay | null, fix: Fix, precision: Precision, now: number): Stay | null {
  const claim = claimOf(precision);
  const { lat, lon, accuracyMeters } = fix;
  if (accuracyMeters > claim) return stay;
  if (!stay || distanceMeters(stay, fix) > claim / 2 + accuracyMeters)
    return { lat, lon, weight: FIRST_WEIGHT_MS, since: now, at: now };
  // By time, so that the last steps of a way count little beside the rest.
  const more = Math.max(0, Math.min(RESTING_MS, now - stay.at));
  const weight = stay.weight + more;
  return {
    lat: stay.lat + ((lat - stay.lat) * more) / weight,
    lon: wrapLongitude(stay.lon + (wrapLongitude(lon - stay.lon) * more) / weight),
    weight,
    since: stay.since,
    at: now,
  };
}

/** Where a device rests, and what it has shown there since it came. */
interface Rest extends Stay {
  readonly accuracyMeters: number;
  readonly precision: Precision;
  readonly before: Cell | null;
}

/** The places after a stay that has lasted; the same list when nothing changes. */
function restAt(own: OwnCells, anchors: readonly Anchor[], rest: Rest): readonly Anchor[] {
  const day = Math.floor(rest.at / DAY_MS);
  const anchor = nearestWithin(anchors, rest, claimOf(rest.precision));
  if (!anchor) return keepFresh([...anchors, newAnchor(own, anchors, rest, day)], day);
  const after = usedAnchor(own, anchors, anchor, rest, day);
  if (after === anchor) return anchors;
  const all = anchors.map((each) => (each === anchor ? after : each));
  return keepFresh(all, day);
}

function newAnchor(own: OwnCells, anchors: readonly Anchor[], rest: Rest, day: number): Anchor {
  const { lat, lon, weight, accuracyMeters, precision, before } = rest;
  const reach = claimOf(precision) + accuracyMeters;
  const near = nearestWithin(anchors, rest, reach);
  // The cell shown since the member came stays, unless it is too far from here.
  const shown =
    before !== null && isAt(before, precision) && metersOutside(own.lattice, before, rest) <= reach
      ? before
      : undefined;
  const cell = (near && anchoredCell(own, near, precision)) ?? shown ?? settle(own, anchors, rest, precision);
  return { lat, lon, weight, days: 1, lastDay: day, cells: [{ cell, remembered: false }] };
}

function usedAnchor(own: OwnCells, anchors: readonly Anchor[], anchor: Anchor, rest: Rest, day: number): Anchor {
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
  const others = anchor.cells.filter(({ cell }) => !isAt(cell, precision));
  const cell = settle(own, anchors, anchor, precision);
  return { ...placed, cells: [...others, { cell, remembered: false }] };
}

/** What the device keeps after a fix, and the cell that it reports. */
export function takeFix(
  own: OwnCells,
  known: DevicePlaces,
  fix: Fix,
  precision: Precision,
  before: Cell | null,
  now: number,
): DevicePlaces & { readonly cell: Cell } {
  const stay = stayAfter(known.stay, fix, precision, now);
  const { accuracyMeters } = fix;
  if (precision === "exact" || !stay || now - stay.since < RESTING_MS || accuracyMeters > claimOf(precision))
    return { ...known, stay, cell: chooseAnchoredCell(own, known.anchors, fix, precision, before) };
  const anchors = restAt(own, known.anchors, { ...stay, accuracyMeters, precision, before });
  // The mean of a rest wavers less than a fix.
  const cell = chooseAnchoredCell(own, anchors, { ...stay, accuracyMeters }, precision, before);
  return { anchors, stay, cell };
}

/**
 * What is left when the server's list comes: a cell that was in it and is no longer has been forgotten, by its age or by the
 * member on some device, and the place is chosen anew. An emptied list forgets all places. The same list when nothing changes.
 */
export function matchRemembered(anchors: readonly Anchor[], remembered: readonly RestingCell[]): readonly Anchor[] {
  const listed = new Set(remembered.map(({ cell }) => cell));
  if (listed.size === 0 && anchors.some(({ cells }) => cells.some((each) => each.remembered))) return [];
  let changed = false;
  const matched = anchors.map((anchor) => {
    const cells = anchor.cells
      .filter((each) => !each.remembered || listed.has(each.cell))
      .map((each) => (!each.remembered && listed.has(each.cell) ? { ...each, remembered: true } : each));
    if (cells.length === anchor.cells.length && cells.every((each, index) => each === anchor.cells[index]))
      return anchor;
    changed = true;
    return { ...anchor, cells };
  });
  return changed ? matched.filter(({ cells }) => cells.length > 0) : anchors;
}

/** Whether a value is a place as this file makes it: what a device kept may be old or touched. */
export function isAnchor(value: unknown): value is Anchor {
  const { lat, lon, weight, days, lastDay, cells } = (value ?? {}) as Partial<Anchor>;
  return (
    [lat, lon, weight, days, lastDay].every(Number.isFinite) &&
    Array.isArray(cells) &&
    cells.every((each) => isCell(each?.cell) && typeof each.remembered === "boolean")
  );
}
