/** Cursors for lists that are ordered by time: the time and the ids of the last row on the page. */
import { AppError } from "../../platform/errors.ts";

export interface TimeCursor {
  readonly ts: number;
  readonly id: number;
  /** A tieBreaker id, for lists in which a time and an id can occur in several rows. 0 otherwise. */
  readonly tieBreaker: number;
}

/** The position before the first row. */
export const START: TimeCursor = { ts: Number.MAX_SAFE_INTEGER, id: 0, tieBreaker: 0 };

export function encodeTimeCursor({ ts, id, tieBreaker }: TimeCursor): string {
  return `${ts}.${id}.${tieBreaker}`;
}

/** Throws BAD_INPUT for an invalid cursor. */
export function decodeTimeCursor(text: string | undefined): TimeCursor {
  if (text === undefined) return START;
  const match = /^(\d{1,16})\.(\d{1,16})\.(\d{1,16})$/.exec(text);
  const [ts = Number.NaN, id = Number.NaN, tieBreaker = Number.NaN] = match?.slice(1).map(Number) ?? [];
  if (![ts, id, tieBreaker].every(Number.isSafeInteger)) {
    throw new AppError("BAD_INPUT", { field: "cursor", message: "cursor: is not one that was given out" });
  }
  return { ts, id, tieBreaker };
}
