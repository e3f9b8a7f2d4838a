/**
 * Keeps a second copy of the picture bucket and an inventory of it. Once a day, some pages an hour, both buckets are walked in parallel:
 * new objects are copied, and copies of deleted ones are moved aside and erased 30 days later, unless so many are gone that the bucket was lost.
 */
import { LATEST_PICTURE_INVENTORY_KEY, type PictureInventory } from "@lambda/contract/backup";
import { DAY_MS } from "@lambda/contract/limits";
import { copyObject, deleteDaysBefore } from "../bucket/objects.ts";
import type { Env } from "../env.ts";
import { toIsoDate } from "../iso-time.ts";
import { count } from "../metrics/counts.ts";
import { COPIES_KEPT_DAYS } from "./retention.ts";

interface Walk extends PictureInventory {
  readonly day: string;
  /** The last key seen; null when the walk is complete. */
  readonly after: string | null;
  /** Keys of copies whose originals are gone, until they are moved aside; too many are only counted. */
  readonly gone: readonly string[];
  readonly missing: number;
}

const WALK_KEY = "jobs/walk.json";
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
  const previous = await (await env.BACKUPS.get(WALK_KEY))?.json<Walk>();
  const isDone = previous?.after === null && (previous.gone ?? []).length === 0;
  if (previous?.day === toIsoDate(now) && isDone) return;
  let walk = previous && !isDone ? previous : newWalk(now);
  const lines: string[] = [];
  const deletesCopies = await mayDelete();
  let copied = 0;
  for (let page = 0; page < PAGES_PER_RUN && walk.after !== null && copied < COPIES_PER_RUN; page += 1) {
    const from = walk.after;
    const { objects, truncated } = await env.PICTURES.list({ ...(from !== "" && { startAfter: from }) });
    const until = truncated ? (objects.at(-1)?.key ?? null) : null;
    const copies = await listCopies(env, from, until);
    for (const { key, size, etag } of objects.filter((object) => !NOT_COPIED.test(object.key))) {
      const isCopied = copies.get(key) === etag;
      copies.delete(key);
      if (!isCopied) {
        await copyObject(env.PICTURES, key, env.BACKUPS, `${COPIES}${key}`);
        copied += 1;
      }
      lines.push(`${key}\t${size}`);
      walk = { ...walk, objects: walk.objects + 1, bytes: walk.bytes + size };
    }
    const gone = [...walk.gone, ...copies.keys()].slice(0, COPIES_PER_RUN);
    walk = { ...walk, after: until, missing: walk.missing + copies.size, gone };
  }
  if (lines.length > 0) {
    const list = `inventory/${walk.day}/${String(walk.lists.length).padStart(4, "0")}.txt`;
    await env.BACKUPS.put(list, lines.join("\n"));
    walk = { ...walk, lists: [...walk.lists, list] };
  }
  if (walk.after === null && walk.gone.length > 0)
    walk = { ...walk, gone: deletesCopies ? await moveAside(env, walk, now, listUnused) : [] };
  await env.BACKUPS.put(WALK_KEY, JSON.stringify(walk));
  if (walk.after === null && walk.gone.length === 0) await finish(env, walk, now);
}

type ListKeys = (keys: readonly string[]) => Promise<readonly string[]>;

const newWalk = (now: number): Walk => ({
  ...{ day: toIsoDate(now), ts: now, after: "", lists: [], objects: 0, bytes: 0 },
  ...{ gone: [], missing: 0 },
});

/** Moves copies of deleted objects; returns those that are left for the next run. */
async function moveAside(
  env: Env,
  { gone, missing, objects }: Walk,
  now: number,
  listUnused: ListKeys,
): Promise<string[]> {
  const unused = await listUnused(gone);
  // Of those beyond the listed ones the same share is taken to be lost.
  const lost = missing * (1 - unused.length / gone.length);
  if (lost > Math.max(GONE_FEW, GONE_SHARE_MAX * (objects + missing))) {
    count("bucketRefused");
    console.error(JSON.stringify({ level: "error", event: "pictures-gone", missing, objects }));
    return [];
  }
  for (const key of unused.slice(0, RESTORED_PER_RUN_MAX)) {
    if (await env.PICTURES.head(key)) continue;
    await copyObject(env.BACKUPS, `${COPIES}${key}`, env.BACKUPS, `${DELETED}${toIsoDate(now)}/${key}`);
    await env.BACKUPS.delete(`${COPIES}${key}`);
  }
  return [...unused.slice(RESTORED_PER_RUN_MAX)];
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

/** ETags of the copies by original key, after `from` up to `until`, or to the end. */
async function listCopies(env: Env, from: string, until: string | null): Promise<Map<string, string>> {
  const copies = new Map<string, string>();
  for (let startAfter = `${COPIES}${from}`; ; ) {
    const { objects, truncated } = await env.BACKUPS.list({ prefix: COPIES, startAfter });
    for (const { key, etag } of objects) {
      const original = key.slice(COPIES.length);
      if (until !== null && original > until) return copies;
      copies.set(original, etag);
    }
    const last = objects.at(-1)?.key;
    if (!truncated || last === undefined) return copies;
    startAfter = last;
  }
}

async function finish({ BACKUPS }: Env, { ts, lists, objects, bytes, day }: Walk, now: number): Promise<void> {
  const inventory: PictureInventory = { ts, lists, objects, bytes };
  await BACKUPS.put(LATEST_PICTURE_INVENTORY_KEY, JSON.stringify(inventory));
  await deleteDaysBefore(BACKUPS, "inventory/", day);
  await deleteDaysBefore(BACKUPS, DELETED, toIsoDate(now - COPIES_KEPT_DAYS * DAY_MS));
}
