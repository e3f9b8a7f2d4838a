/** Cursors for lists that are ordered by time: the time and the ids of the last row on the page. */
import { type Expression, expressionBuilder, type SqlBool } from "kysely";
import { AppError } from "../errors.ts";
import type { Tables } from "./tables.ts";

export interface TimeCursor {
  readonly ts: number;
  readonly id: number;
  /** A tieBreaker id, for lists in which a time and an id can occur in several rows. 0 otherwise. */
  readonly tieBreaker: number;
}

/** The position before the first row. */
export const START: TimeCursor = { ts: Number.MAX_SAFE_INTEGER, id: 0, tieBreaker: 0 };

export const encodeTimeCursor = ({ ts, id, tieBreaker }: TimeCursor): string => `${ts}.${id}.${tieBreaker}`;

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

/**
 * Whether a row comes after the cursor in a list ordered by `time`, newest first, then by `ids`, lowest first; each id comes with its
 * value in the cursor. The bound on the time is a condition of its own, so that an index can use it.
 */
export function isAfter(
  { ts }: TimeCursor,
  time: Expression<number>,
  ...ids: readonly (readonly [id: Expression<number>, last: number])[]
): Expression<SqlBool> {
  const row = expressionBuilder<Tables>();
  const hasLaterIds = ids.reduceRight<Expression<SqlBool> | undefined>((rest, [id, last]) => {
    const isLater = row(id, ">", last);
    return rest ? row.or([isLater, row.and([row(id, "=", last), rest])]) : isLater;
  }, undefined);
  return row.and([row(time, "<=", ts), row.or([row(time, "<", ts), ...(hasLaterIds ? [hasLaterIds] : [])])]);
}
