/** What a position report changes: pure, so that every case is tested without a database. Knows cells only. */
import { PRECISION_DEFAULT, type Precision } from "@lambda/contract/grid";
import { POSITION_EFFECTIVE_MS, POSITION_PUBLISH_MIN_MS } from "@lambda/contract/limits";

export type PositionUse = "RANDOM" | "OVERRIDE" | "DEVICE_GPS";

/** A member's stored state, as far as the rules need it. */
export interface PositionState {
  readonly use: PositionUse;
  readonly precision: Precision;
  /** The cell that others see. */
  readonly cell: number;
  /** A newer cell that waits for the publishing delay. */
  readonly pendingCell: number | null;
  readonly tsPublished: number;
  readonly tsEffectiveUntil: number;
}

export interface PositionReport {
  readonly use: PositionUse;
  readonly tsEffectiveUntil: number | null;
}

/** A life that grows by less than this is not worth a write. One that gets shorter is: he said so. */
const KEEP_ALIVE_STEP_MS = 60 * 60 * 1000;

/** A member who once chose a coarser cell is not refined by a client that forgot; "exact" is said each time. */
export function reportedPrecision(sent: Precision | null, stored: Precision | null): Precision {
  return sent ?? (stored === null || stored === "exact" ? PRECISION_DEFAULT : stored);
}

/** At most 26 h from now, whatever the client says. */
function effectiveUntil(wanted: number | null, now: number): number {
  const latest = now + POSITION_EFFECTIVE_MS;
  return wanted === null ? latest : Math.min(latest, Math.max(now, wanted));
}

/**
 * The state after a report, or undefined when nothing is worth writing. A change of cell shows at once when the member
 * dragged himself there, or when the last one is 15 minutes old; otherwise it waits in pendingCell for the schedule.
 *
 * @param cell the report's cell at the member's precision (see reportedPrecision)
 */
export function nextState(
  before: PositionState | undefined,
  report: PositionReport,
  cell: number,
  precision: Precision,
  now: number,
): PositionState | undefined {
  const until = effectiveUntil(report.tsEffectiveUntil, now);
  const { use } = report;
  if (!before) return { use, precision, cell, pendingCell: null, tsPublished: now, tsEffectiveUntil: until };

  // What the member did himself shows at once: a drag, going back to random, another precision. Walking about waits.
  const ownAct = use !== "DEVICE_GPS" || precision !== before.precision;
  const due = now - before.tsPublished >= POSITION_PUBLISH_MIN_MS || before.tsEffectiveUntil <= now;
  const publish = cell !== before.cell && (ownAct || due);
  const pendingCell = publish || cell === before.cell ? null : cell;
  const relived = until < before.tsEffectiveUntil || until - before.tsEffectiveUntil >= KEEP_ALIVE_STEP_MS;
  const same =
    !publish && !relived && pendingCell === before.pendingCell && use === before.use && precision === before.precision;
  if (same) return undefined;
  return {
    use,
    precision,
    cell: publish ? cell : before.cell,
    pendingCell,
    tsPublished: publish ? now : before.tsPublished,
    tsEffectiveUntil: relived ? until : before.tsEffectiveUntil,
  };
}
