/**
 * Numbered pages over searches that only know cursors. Reads from the first row to the numbered page, or from the
 * cursor without a number, so that the pages together hold everybody found, each once.
 */
import { AppError } from "../../platform/errors.ts";

export interface Paging {
  readonly page?: number | undefined;
  readonly size: number;
  readonly cursor?: string | undefined;
}

interface Found<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor?: string | undefined;
}

export type Find<Row> = (size: number, cursor: string | undefined) => Promise<Found<Row>>;

/** Beyond ten of the largest pages, a client has to send the cursor. */
const NUMBERED_ROWS_MAX = 15_000;
const STEP_ROWS_MAX = 3000;
const NUMBERED_STEPS_MAX = 10;

/**
 * Throws BAD_INPUT if a page is too far from the first.
 *
 * @param mayStopShort whether a step that does not even fill the first page ends the search, and the cursor continues it. The rule is the
 *   same for every number: a later page that went further would return members that belong on an earlier one.
 */
export async function readPage<Row>(
  { page, size, cursor }: Paging,
  find: Find<Row>,
  mayStopShort: boolean,
): Promise<{ rows: Row[]; nextCursor: string | undefined }> {
  const isNumbered = page !== undefined && cursor === undefined;
  const skip = isNumbered ? page * size : 0;
  const wanted = skip + size;
  if (wanted > NUMBERED_ROWS_MAX) {
    throw new AppError("BAD_INPUT", { field: "page", message: "page: send the cursor of the page before" });
  }
  const rows: Row[] = [];
  let nextCursor = cursor;
  for (let step = 0; step < (isNumbered ? NUMBERED_STEPS_MAX : 1); step += 1) {
    const found = await find(Math.min(wanted - rows.length, STEP_ROWS_MAX), nextCursor);
    rows.push(...found.rows);
    nextCursor = found.nextCursor;
    if (nextCursor === undefined || rows.length >= wanted || (mayStopShort && rows.length < size)) break;
  }
  return { rows: rows.slice(skip), nextCursor };
}
