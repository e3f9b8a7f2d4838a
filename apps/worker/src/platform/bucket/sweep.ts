/**
 * Sweeps of the bucket: objects that no row names go to the trash. A database that lacks rows makes each object look like one, so a
 * sweep looks at all of a night first, and takes nothing when too much looks orphaned or the database is not the one of the night before.
 */
import type { Database } from "../db/database.ts";
import type { Env } from "../env.ts";
import { count } from "../metrics/counts.ts";
import { belongTogether } from "./mark.ts";
import { throwAway } from "./trash.ts";

/** 1,000 objects a page: 50,000 a night, within what one invocation may call. */
const PAGES_A_NIGHT = 50;
/** Objects this young may belong to an upload that is under way. */
const SETTLED_MS = 3_600_000;
/** Shares of the settled objects: of one page, as the objects of one member lie together, and of all that a night sees. */
const PAGE_SHARE_MAX = 0.1;
const NIGHT_SHARE_MAX = 0.02;
/** So few are no sign of a missing database by themselves, as long as they are not the half of all. */
const FEW = 10;
const FEW_SHARE_MAX = 0.5;
/** A tool writes it when an operator has looked and found that the orphans of a refused sweep are some (packages/tooling/src/bucket.ts). */
const ALLOWED_KEY = "jobs/sweep-allowed.json";

export interface Sweep {
  /** Names its cursor and its log lines. */
  readonly name: string;
  readonly prefix: string;
  listOrphans(keys: readonly string[]): Promise<readonly string[]>;
}

export interface SweepReport {
  readonly objectsSeen: number;
  readonly orphansRemoved: number;
  readonly refused?: "database" | "share";
}

interface Seen {
  readonly settled: number;
  readonly orphans: number;
}

/** Goes on where it stopped the night before. */
export async function sweepBucket(env: Env, db: Database, now: number, sweep: Sweep): Promise<SweepReport> {
  if (!(await belongTogether(env, db, now))) return { objectsSeen: 0, orphansRemoved: 0, refused: "database" };
  const cursorKey = `jobs/sweep-${sweep.name}.json`;
  let cursor = await readCursor(env, cursorKey);
  const pages: Seen[] = [];
  const orphans: string[] = [];
  let objectsSeen = 0;
  for (let page = 0; page < PAGES_A_NIGHT; page += 1) {
    const list = await env.PICTURES.list({ prefix: sweep.prefix, ...(cursor && { cursor }) });
    objectsSeen += list.objects.length;
    const settled = list.objects.filter(({ uploaded }) => uploaded.getTime() < now - SETTLED_MS).map(({ key }) => key);
    const found = settled.length === 0 ? [] : await sweep.listOrphans(settled);
    pages.push({ settled: settled.length, orphans: found.length });
    orphans.push(...found);
    cursor = list.truncated ? list.cursor : undefined;
    if (!cursor) break;
  }
  if (isTooMuch(pages) && !(await isAllowed(env, now))) {
    count("bucketRefused");
    const counts = { ...sum(pages), worstPage: worst(pages) };
    console.error(JSON.stringify({ level: "error", event: "sweep-refused", sweep: sweep.name, ...counts }));
    return { objectsSeen, orphansRemoved: 0, refused: "share" };
  }
  const orphansRemoved = await throwAway(env, orphans, now);
  // What one run could not move is found again at the same place.
  if (orphansRemoved === orphans.length) await env.PICTURES.put(cursorKey, JSON.stringify({ cursor: cursor ?? null }));
  return { objectsSeen, orphansRemoved };
}

/** Whether so many of the objects look orphaned that the rows must be missing. */
export function isTooMuch(pages: readonly Seen[]): boolean {
  return exceeds(sum(pages), NIGHT_SHARE_MAX) || pages.some((page) => exceeds(page, PAGE_SHARE_MAX));
}

function exceeds({ settled, orphans }: Seen, share: number): boolean {
  if (orphans <= FEW) return orphans > settled * FEW_SHARE_MAX;
  return orphans > settled * share;
}

function sum(pages: readonly Seen[]): Seen {
  return pages.reduce((all, page) => ({ settled: all.settled + page.settled, orphans: all.orphans + page.orphans }), {
    settled: 0,
    orphans: 0,
  });
}

function worst(pages: readonly Seen[]): Seen | undefined {
  return pages.toSorted((a, b) => b.orphans / (b.settled || 1) - a.orphans / (a.settled || 1))[0];
}

async function isAllowed(env: Env, now: number): Promise<boolean> {
  const stored = await env.PICTURES.get(ALLOWED_KEY);
  return stored !== null && (await stored.json<{ until: number }>()).until > now;
}

async function readCursor(env: Env, key: string): Promise<string | undefined> {
  const stored = await env.PICTURES.get(key);
  const { cursor } = stored ? await stored.json<{ cursor: string | null }>() : { cursor: null };
  return cursor ?? undefined;
}
