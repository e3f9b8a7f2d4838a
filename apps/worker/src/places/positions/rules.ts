/**
 * What a position report changes, as pure functions, so that every case is tested without a database. They know only
 * cells.
 */
import { HOUR_MS, MINUTE_MS, POSITION_EFFECTIVE_MS, POSITION_PUBLISH_MIN_MS } from "@lambda/contract/limits";
import {
  type Cell,
  cellPrecision,
  gridCellBounds,
  PRECISION_DEFAULT,
  type Precision,
  wrapLongitude,
} from "@lambda/geo/grid";

export type PositionUse = "RANDOM" | "OVERRIDE" | "DEVICE_GPS";

/** A member's stored state, as far as the rules need it. */
export interface PositionState {
  readonly use: PositionUse;
  readonly precision: Precision;
  /** The cell that others see. */
  readonly cell: Cell;
  /** A newer cell that waits for the publishing delay. */
  readonly pendingCell: Cell | null;
  /** When the cell was published, or since when the newer one has been waiting. */
  readonly tsPublished: number;
  readonly tsEffectiveUntil: number;
}

export interface PositionReport {
  readonly use: PositionUse;
  readonly tsEffectiveUntil: number | null;
}

/**
 * A lifetime that grows by less than this is not worth a write. One that gets shorter always is: the member asked for
 * it.
 */
const KEEP_ALIVE_STEP_MS = HOUR_MS;

/** A coarser precision that the member chose before stays if a client omits it; "exact" must be sent every time. */
export function reportedPrecision(sent: Precision | null, stored: Precision | null): Precision {
  return sent ?? (stored === null || stored === "exact" ? PRECISION_DEFAULT : stored);
}

/** A report does not take that long: an end further in the past comes from a clock that is behind. */
const END_PAST_MAX_MS = 5 * MINUTE_MS;

/** At most 26 h from now; the end that the client asks for counts only as far as its clock can be trusted. */
function effectiveUntil(wanted: number | null, now: number): number {
  const latest = now + POSITION_EFFECTIVE_MS;
  if (wanted === null || wanted < now - END_PAST_MAX_MS) return latest;
  return Math.min(latest, Math.max(now, wanted));
}

/**
 * Returns the state after a report, or undefined if nothing is worth writing. A new cell is published at once if the
 * member dragged the marker there or appears elsewhere after 15 minutes without a change; otherwise it waits that long,
 * because the cells on the way would reveal where in its cell a home is. A random position has no way: leaving it tells
 * no more than a first report.
 *
 * @param cell the report's cell at the member's precision (see reportedPrecision)
 */
export function nextState(
  before: PositionState | undefined,
  report: PositionReport,
  cell: Cell,
  precision: Precision,
  now: number,
): PositionState | undefined {
  const until = effectiveUntil(report.tsEffectiveUntil, now);
  const { use } = report;
  if (!before) return { use, precision, cell, pendingCell: null, tsPublished: now, tsEffectiveUntil: until };

  // A manual change is published at once: a drag, going to or from random, another precision.
  const resized = precision !== before.precision || cellPrecision(cell) !== cellPrecision(before.cell);
  const isManual = use !== "DEVICE_GPS" || before.use === "RANDOM" || resized || before.tsEffectiveUntil <= now;
  const waited = now - before.tsPublished >= POSITION_PUBLISH_MIN_MS;
  const moved = cell !== (before.pendingCell ?? before.cell);
  // Appears elsewhere after a while, and not in a neighboring cell: the member did not walk there with the app open.
  const arrived = before.pendingCell === null && !areNeighbors(cell, before.cell);
  const publish = cell !== before.cell && (isManual || (waited && (arrived || !moved)));
  const pendingCell = publish || cell === before.cell ? null : cell;
  const lifetimeChanged = until < before.tsEffectiveUntil || until - before.tsEffectiveUntil >= KEEP_ALIVE_STEP_MS;
  const isUnchanged =
    !publish &&
    !lifetimeChanged &&
    pendingCell === before.pendingCell &&
    use === before.use &&
    precision === before.precision;
  if (isUnchanged) return undefined;
  return {
    use,
    precision,
    cell: publish ? cell : before.cell,
    pendingCell,
    tsPublished: publish || (moved && pendingCell !== null) ? now : before.tsPublished,
    tsEffectiveUntil: lifetimeChanged ? until : before.tsEffectiveUntil,
  };
}

/** Whether two cells of one member touch, including at a corner. */
function areNeighbors(one: Cell, other: Cell): boolean {
  if (cellPrecision(one) !== cellPrecision(other)) return false;
  const [a, b] = [gridCellBounds(one), gridCellBounds(other)];
  const width = Math.max(a.lonMax - a.lonMin, b.lonMax - b.lonMin);
  return (
    Math.abs(a.latMin - b.latMin) < 1.5 * (a.latMax - a.latMin) &&
    Math.abs(wrapLongitude(a.lonMin + a.lonMax - b.lonMin - b.lonMax)) / 2 < 1.5 * width
  );
}
