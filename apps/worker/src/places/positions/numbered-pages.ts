/**
 * Numbered pages over searches that only know cursors. A page starts where the page before ended if this isolate served that one to the
 * member a short while ago, else by reading from the first row, so that the pages together hold everybody found, each once.
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

/** @param step how often this page has looked before: a search that few members match may read more each time */
export type Find<Row> = (size: number, cursor: string | undefined, step: number) => Promise<Found<Row>>;

/** Beyond ten of the largest pages, a client has to send the cursor. */
const NUMBERED_ROWS_MAX = 15_000;
const STEP_ROWS_MAX = 3000;
const NUMBERED_STEPS_MAX = 10;

const STARTS_MAX = 5000;
const STARTS_KEPT_MS = 600_000;

interface PageStart {
  /** null: nothing was left after the page before. */
  readonly cursor: string | null;
  readonly at: number;
}

/** By search and page. The cursors hold a place in the order, never whom it showed, and every read checks who may be seen. */
const starts = new Map<string, PageStart>();

/** What the start of a page is valid for, and when it is. */
export interface PageScope {
  /** Names the member, where the search begins, and everything searched for but the page. */
  readonly search: string;
  readonly now: number;
}

function findStart({ search, now }: PageScope, page: number): PageStart | undefined {
  const start = starts.get(`${search}:${page}`);
  return start && Math.abs(now - start.at) < STARTS_KEPT_MS ? start : undefined;
}

function keepStart({ search, now }: PageScope, page: number, cursor: string | null): void {
  const key = `${search}:${page}`;
  // Again last in the order, so that the oldest is dropped.
  starts.delete(key);
  starts.set(key, { cursor, at: now });
  if (starts.size > STARTS_MAX) starts.delete(starts.keys().next().value ?? "");
}

/** Throws BAD_INPUT if a page is too far from the first. A numbered page ends short of its size only at the end, or with a cursor. */
export async function readPage<Row>(
  { page, size, cursor }: Paging,
  scope: PageScope,
  find: Find<Row>,
): Promise<{ rows: Row[]; nextCursor: string | undefined }> {
  if (page === undefined || cursor !== undefined) {
    const found = await find(size, cursor, 0);
    return { rows: [...found.rows], nextCursor: found.nextCursor };
  }
  if ((page + 1) * size > NUMBERED_ROWS_MAX) {
    throw new AppError("BAD_INPUT", { field: "page", message: "page: send the cursor of the page before" });
  }
  const start = page === 0 ? undefined : findStart(scope, page);
  if (start?.cursor === null) return { rows: [], nextCursor: undefined };
  const skip = start ? 0 : page * size;
  const wanted = skip + size;
  const rows: Row[] = [];
  let nextCursor: string | undefined = start?.cursor;
  for (let step = 0; step < NUMBERED_STEPS_MAX; step += 1) {
    const found = await find(Math.min(wanted - rows.length, STEP_ROWS_MAX), nextCursor, step);
    rows.push(...found.rows);
    nextCursor = found.nextCursor;
    if (nextCursor === undefined || rows.length >= wanted) break;
  }
  keepStart(scope, page + 1, nextCursor ?? null);
  return { rows: rows.slice(skip), nextCursor };
}
