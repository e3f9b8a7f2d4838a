/**
 * Keeps a second copy of the picture bucket and an inventory of it. Once a day, some pages an hour, both buckets are walked in parallel:
 * new objects are copied, and copies of deleted ones are moved aside and erased 30 days later, unless so many are gone that the bucket was lost.
 */
import { LATEST_PICTURE_INVENTORY_KEY, type PictureInventory } from "@lambda/contract/backup";
import { DAY_MS } from "@lambda/contract/limits";
import { copyObject, deleteDaysBefore, deletePrefix } from "../bucket/objects.ts";
import type { Env } from "../env.ts";
import { toIsoDate } from "../iso-time.ts";
import { count } from "../metrics/counts.ts";
import { COPIES_KEPT_DAYS } from "./retention.ts";

interface Walk extends PictureInventory {
  readonly day: string;
  /** The last key seen; null when the walk is complete. */
  readonly after: string | null;
  /** Lists of copies whose originals are gone and that no row names, until they are moved aside. */
  readonly goneLists: readonly string[];
  /** How many of the first list were. */
  readonly moved: number;
  /** Copies whose originals are gone, and those of them that rows still name. */
  readonly missing: number;
  readonly lost: number;
}

const WALK_KEY = "jobs/walk.json";
const GONE_LISTS = "jobs/gone/";
const COPIES = "objects/";
const DELETED = "gone/";
/** Written by a tool (packages/tooling/src/recover.ts), deleted when everything is back. */
const RESTORE_KEY = "jobs/restore-pictures.json";
/** Up to three calls each, within the calls of one invocation. */
const RESTORED_PER_RUN_MAX = 250;
/** So many that are gone although rows name them, as a share and at least, are no work of a few failed deletions. */
const GONE_SHARE_MAX = 0.01;
const GONE_FEW = 20;
/** A page lists 1,000 objects and a copy takes two calls: both limits keep a run within the calls of one invocation. */
const PAGES_PER_RUN = 50;
const COPIES_PER_RUN = 2_000;
/** Where originals are gone, a page's copies are far more than its originals. */
const COPIES_PER_PAGE = 2_000;
/** Four calls each. */
const MOVED_PER_RUN = 1_000;
/** Job state, trash, development mails, and pictures that open once: no copy of those may outlive their opening. */
const NOT_COPIED = /^(?:jobs|trash|development-mail|once)\//;

/**
 * Scheduled: continues the day's walk.
 *
 * @param mayDelete whether objects missing from the first bucket were really deleted: false within a day of a restore
 * @param listUnused which of the keys no row names, so that their objects were deleted and not lost
 */
export async function copyPictures(
  env: Env,
  now: number,
  mayDelete: () => Promise<boolean>,
  listUnused: ListKeys,
): Promise<void> {
  const stored = await (await env.BACKUPS.get(WALK_KEY))?.json<Partial<Walk>>();
  const previous = stored && { ...newWalk(now), ...stored };
  const isDone = previous?.after === null && previous.goneLists.length === 0;
  if (previous?.day === toIsoDate(now) && isDone) return;
  let walk = previous && !isDone ? previous : newWalk(now);
  const lines: string[] = [];
  const gone: string[] = [];
  const deletesCopies = await mayDelete();
  let copied = 0;
  for (let page = 0; page < PAGES_PER_RUN && walk.after !== null; page += 1) {
    if (copied + gone.length >= COPIES_PER_RUN) break;
    const from = walk.after;
    const { objects, truncated } = await env.PICTURES.list({ ...(from !== "" && { startAfter: from }) });
    const { copies, until } = await listCopies(env, from, truncated ? (objects.at(-1)?.key ?? null) : null);
    for (const { key, size, etag } of objects) {
      if (NOT_COPIED.test(key) || (until !== null && key > until)) continue;
      const isCopied = copies.get(key) === etag;
      copies.delete(key);
      if (!isCopied) {
        await copyObject(env.PICTURES, key, env.BACKUPS, `${COPIES}${key}`);
        copied += 1;
      }
      lines.push(`${key}\t${size}`);
      walk = { ...walk, objects: walk.objects + 1, bytes: walk.bytes + size };
    }
    const unused = copies.size > 0 && deletesCopies ? await listUnused([...copies.keys()]) : [];
    gone.push(...unused);
    const { missing, lost } = walk;
    walk = { ...walk, after: until, missing: missing + copies.size, lost: lost + copies.size - unused.length };
  }
  if (lines.length > 0) {
    const list = `inventory/${walk.day}/${String(walk.lists.length).padStart(4, "0")}.txt`;
    await env.BACKUPS.put(list, lines.join("\n"));
    walk = { ...walk, lists: [...walk.lists, list] };
  }
  if (gone.length > 0) {
    const list = `${GONE_LISTS}${walk.day}-${String(walk.goneLists.length).padStart(4, "0")}.txt`;
    await env.BACKUPS.put(list, gone.join("\n"));
    walk = { ...walk, goneLists: [...walk.goneLists, list] };
  }
  if (walk.after === null && deletesCopies)
    walk = isBucketLost(walk) ? { ...walk, goneLists: [] } : await moveAside(env, walk, now, listUnused);
  else if (walk.after === null) walk = { ...walk, goneLists: [] };
  await env.BACKUPS.put(WALK_KEY, JSON.stringify(walk));
  if (walk.after === null && walk.goneLists.length === 0) await finish(env, walk, now);
}

type ListKeys = (keys: readonly string[]) => Promise<readonly string[]>;

const newWalk = (now: number): Walk => ({
  ...{ day: toIsoDate(now), ts: now, after: "", lists: [], objects: 0, bytes: 0 },
  ...{ goneLists: [], moved: 0, missing: 0, lost: 0 },
});

/** So much is gone that rows still name that nothing is moved, which is an alert. */
function isBucketLost({ missing, lost, objects }: Walk): boolean {
  if (lost <= Math.max(GONE_FEW, GONE_SHARE_MAX * (objects + missing))) return false;
  count("bucketRefused");
  console.error(JSON.stringify({ level: "error", event: "pictures-gone", missing, objects }));
  return true;
}

/** Moves copies of deleted objects, as many as a run can; returns what is left for the next. */
async function moveAside(env: Env, walk: Walk, now: number, listUnused: ListKeys): Promise<Walk> {
  let { goneLists, moved } = walk;
  for (let left = MOVED_PER_RUN; goneLists[0] !== undefined && left > 0; ) {
    const [list, ...rest] = goneLists as [string, ...string[]];
    const keys = ((await (await env.BACKUPS.get(list))?.text()) ?? "").split("\n");
    const part = keys.slice(moved, moved + left);
    // A row may name one again, and a member may have put one back.
    for (const key of await listUnused(part)) {
      if (key === "" || (await env.PICTURES.head(key))) continue;
      await copyObject(env.BACKUPS, `${COPIES}${key}`, env.BACKUPS, `${DELETED}${toIsoDate(now)}/${key}`);
      await env.BACKUPS.delete(`${COPIES}${key}`);
    }
    left -= part.length;
    moved += part.length;
    if (moved >= keys.length) [goneLists, moved] = [rest, 0];
  }
  return { ...walk, goneLists, moved };
}

/** Scheduled: copies back what the first bucket lacks, if the operator asked for it, a part each minute. Existing objects are not overwritten. */
export async function restorePictures(env: Env): Promise<void> {
  const order = await env.PICTURES.get(RESTORE_KEY);
  if (!order) return;
  const { after = "" } = await order.json<{ after?: string }>();
  const { objects, truncated } = await env.BACKUPS.list({
    prefix: COPIES,
    limit: RESTORED_PER_RUN_MAX,
    ...(after !== "" && { startAfter: `${COPIES}${after}` }),
  });
  for (const { key } of objects) {
    const original = key.slice(COPIES.length);
    if (!(await env.PICTURES.head(original))) await copyObject(env.BACKUPS, key, env.PICTURES, original);
  }
  const last = objects.at(-1)?.key.slice(COPIES.length);
  if (truncated && last !== undefined) await env.PICTURES.put(RESTORE_KEY, JSON.stringify({ after: last }));
  else await env.PICTURES.delete(RESTORE_KEY);
  console.log(
    JSON.stringify({ level: "info", event: "pictures-restored", objects: objects.length, finished: !truncated }),
  );
}

interface PageOfCopies {
  /** ETags by original key. */
  readonly copies: Map<string, string>;
  /** The last original key that the page covers; null for all that follow. */
  readonly until: string | null;
}

/** Lists the copies after `from` up to `until`, or to the end; ends earlier where there are too many for a page. */
async function listCopies(env: Env, from: string, until: string | null): Promise<PageOfCopies> {
  const copies = new Map<string, string>();
  for (let startAfter = `${COPIES}${from}`; ; ) {
    const { objects, truncated } = await env.BACKUPS.list({ prefix: COPIES, startAfter });
    for (const { key, etag } of objects) {
      const original = key.slice(COPIES.length);
      if (until !== null && original > until) return { copies, until };
      copies.set(original, etag);
      if (copies.size === COPIES_PER_PAGE) return { copies, until: original };
    }
    const last = objects.at(-1)?.key;
    if (!truncated || last === undefined) return { copies, until };
    startAfter = last;
  }
}

async function finish({ BACKUPS }: Env, { ts, lists, objects, bytes, day }: Walk, now: number): Promise<void> {
  const inventory: PictureInventory = { ts, lists, objects, bytes };
  await BACKUPS.put(LATEST_PICTURE_INVENTORY_KEY, JSON.stringify(inventory));
  await deletePrefix(BACKUPS, GONE_LISTS);
  await deleteDaysBefore(BACKUPS, "inventory/", day);
  await deleteDaysBefore(BACKUPS, DELETED, toIsoDate(now - COPIES_KEPT_DAYS * DAY_MS));
}
