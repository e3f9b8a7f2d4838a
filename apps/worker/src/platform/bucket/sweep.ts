/**
 * Moves orphans, objects that no row refers to, to the trash. With missing rows every object would look like an orphan, so a sweep first
 * checks all of the night's objects and moves nothing if too many look orphaned or the database does not match the bucket.
 */
import { HOUR_MS } from "@lambda/contract/limits";
import type { Database } from "../db/database.ts";
import type { Env } from "../env.ts";
import { count } from "../metrics/counts.ts";
import { databaseMatchesBucket } from "./mark.ts";
import { moveToTrash } from "./trash.ts";

/** 1,000 objects per page: 50,000 a night, within the calls of one invocation. */
const PAGES_PER_NIGHT = 50;
/** Younger objects may belong to an upload in progress. */
const SETTLED_MS = HOUR_MS;
/** Maximum share of orphans among settled objects: of one page, as the objects of a member are adjacent, and of a whole night. */
const PAGE_SHARE_MAX = 0.1;
const NIGHT_SHARE_MAX = 0.02;
/** So few orphans do not indicate missing rows, unless they are more than half of all objects. */
const FEW = 10;
const FEW_SHARE_MAX = 0.5;
/** Written by a tool when an operator confirms the orphans of a refused sweep (packages/tooling/src/recover.ts). */
const ALLOWED_KEY = "jobs/sweep-allowed.json";

export interface Sweep {
  /** Identifies its cursor and log lines. */
  readonly name: string;
  readonly prefix: string;
  listOrphans(keys: readonly string[]): Promise<readonly string[]>;
}

export interface SweepReport {
  readonly objectsSeen: number;
  readonly orphansRemoved: number;
  readonly refused?: "database" | "share";
}

interface PageCount {
  readonly settled: number;
  readonly orphans: number;
}

/** Continues where it stopped the night before. */
export async function sweepBucket(env: Env, db: Database, now: number, sweep: Sweep): Promise<SweepReport> {
  if (!(await databaseMatchesBucket(env, db, now))) return { objectsSeen: 0, orphansRemoved: 0, refused: "database" };
  const cursorKey = `jobs/sweep-${sweep.name}.json`;
  const stored = await (await env.PICTURES.get(cursorKey))?.json<{ cursor: string | null }>();
  let cursor = stored?.cursor ?? undefined;
  const pages: PageCount[] = [];
  const orphans: string[] = [];
  let objectsSeen = 0;
  for (let page = 0; page < PAGES_PER_NIGHT; page += 1) {
    const list = await env.PICTURES.list({ prefix: sweep.prefix, ...(cursor && { cursor }) });
    objectsSeen += list.objects.length;
    const settled = list.objects.filter(({ uploaded }) => uploaded.getTime() < now - SETTLED_MS).map(({ key }) => key);
    const pageOrphans = settled.length === 0 ? [] : await sweep.listOrphans(settled);
    pages.push({ settled: settled.length, orphans: pageOrphans.length });
    orphans.push(...pageOrphans);
    cursor = list.truncated ? list.cursor : undefined;
    if (!cursor) break;
  }
  if (hasTooManyOrphans(pages) && !(await isAllowed(env, now))) {
    count("bucketRefused");
    const counts = { ...sum(pages), worstPage: worst(pages) };
    console.error(JSON.stringify({ level: "error", event: "sweep-refused", sweep: sweep.name, ...counts }));
    return { objectsSeen, orphansRemoved: 0, refused: "share" };
  }
  const orphansRemoved = await moveToTrash(env, orphans, now);
  // The cursor stays if some orphans could not be moved, so that the next night finds them again.
  if (orphansRemoved === orphans.length) await env.PICTURES.put(cursorKey, JSON.stringify({ cursor: cursor ?? null }));
  return { objectsSeen, orphansRemoved };
}

/** Whether so many objects look orphaned that rows must be missing. */
export function hasTooManyOrphans(pages: readonly PageCount[]): boolean {
  return exceeds(sum(pages), NIGHT_SHARE_MAX) || pages.some((page) => exceeds(page, PAGE_SHARE_MAX));
}

function exceeds({ settled, orphans }: PageCount, share: number): boolean {
  if (orphans <= FEW) return orphans > settled * FEW_SHARE_MAX;
  return orphans > settled * share;
}

function sum(pages: readonly PageCount[]): PageCount {
  return pages.reduce((all, page) => ({ settled: all.settled + page.settled, orphans: all.orphans + page.orphans }), {
    settled: 0,
    orphans: 0,
  });
}

function worst(pages: readonly PageCount[]): PageCount | undefined {
  return pages.toSorted((a, b) => b.orphans / (b.settled || 1) - a.orphans / (a.settled || 1))[0];
}

async function isAllowed(env: Env, now: number): Promise<boolean> {
  const stored = await env.PICTURES.get(ALLOWED_KEY);
  return stored !== null && (await stored.json<{ until: number }>()).until > now;
}
