/** Paging of lists that go by time: the time and the id of the last row handed out. */
import { AppError } from "../../platform/errors.ts";

export interface TimeCursor {
  readonly ts: number;
  readonly id: number;
  /** Where one member and one time can stand in several rows: the picture. */
  readonly second: number;
}

/** Before the first row of a list in descending time. */
export const START: TimeCursor = { ts: Number.MAX_SAFE_INTEGER, id: 0, second: 0 };

export function encodeTimeCursor({ ts, id, second }: TimeCursor): string {
  return `${ts}.${id}.${second}`;
}

/** Throws BAD_INPUT for what was never given out. */
export function decodeTimeCursor(text: string | undefined): TimeCursor {
  if (text === undefined) return START;
  const match = /^(\d{1,16})\.(\d{1,16})\.(\d{1,16})$/.exec(text);
  const [ts = Number.NaN, id = Number.NaN, second = Number.NaN] = match?.slice(1).map(Number) ?? [];
  if (![ts, id, second].every(Number.isSafeInteger)) {
    throw new AppError("BAD_INPUT", { field: "cursor", message: "cursor: is not one that was given out" });
  }
  return { ts, id, second };
}
