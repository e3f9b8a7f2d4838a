/**
 * Pages by number over searches that only know cursors. A numbered page is found by walking to it from the first row, and is handed
 * out whole, so that the pages together hold everybody the walk meets, each once. A search without a number goes by its cursor.
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

/** Further than ten of the largest pages a client has to bring the cursor. */
const NUMBERED_ROWS_MAX = 15_000;
const STEP_ROWS_MAX = 3000;
/**
 * A step of a search that few match looks at some thousand rows and may bring a handful. The same for every number: a later page
 * that walked further would count as its own what an earlier one did not reach.
 */
const NUMBERED_STEPS_MAX = 10;

/**
 * Throws BAD_INPUT where a page is too far to walk to.
 *
 * @param steps without a number: how often to go on while nobody was found
 */
export async function readPage<Row>(
  { page, size, cursor }: Paging,
  steps: number,
  find: Find<Row>,
): Promise<{ rows: Row[]; nextCursor: string | undefined }> {
  const numbered = page !== undefined && cursor === undefined;
  const skip = numbered ? page * size : 0;
  const wanted = skip + size;
  if (wanted > NUMBERED_ROWS_MAX) {
    throw new AppError("BAD_INPUT", { field: "page", message: "page: send the cursor of the page before" });
  }
  const rows: Row[] = [];
  let at = cursor;
  for (let step = 0; step < (numbered ? NUMBERED_STEPS_MAX : steps); step += 1) {
    const found = await find(Math.min(wanted - rows.length, STEP_ROWS_MAX), at);
    rows.push(...found.rows);
    at = found.nextCursor;
    if (at === undefined || rows.length >= (numbered ? wanted : 1)) break;
  }
  return { rows: rows.slice(skip), nextCursor: at };
}
