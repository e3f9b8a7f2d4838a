/**
 * Keeps a second copy of the picture bucket and an inventory of it. Once a day, some pages an hour, both buckets are walked in parallel:
 * new objects are copied, and copies of deleted ones are moved aside and erased 30 days later.
 */
import { LATEST_PICTURE_INVENTORY_KEY, type PictureInventory } from "@lambda/contract/backup";
import { DAY_MS } from "@lambda/contract/limits";
import { copyObject, deleteDaysBefore } from "../bucket/objects.ts";
import type { Env } from "../env.ts";
import { toIsoDate } from "../iso-time.ts";
import { COPIES_KEPT_DAYS } from "./retention.ts";

interface Walk extends PictureInventory {
  readonly day: string;
  /** The last key seen; null when the walk is complete. */
  readonly after: string | null;
}

const WALK_KEY = "jobs/walk.json";
const COPIES = "objects/";
const DELETED = "gone/";
/** A page lists 1,000 objects and a copy takes two calls: both limits keep a run within the calls of one invocation. */
const PAGES_PER_RUN = 50;
const COPIES_PER_RUN = 2_000;
/** Job state, trash, development mails, and pictures that open once: no copy of those may outlive their opening. */
const NOT_COPIED = /^(?:jobs|trash|development-mail|once)\//;

/**
 * Scheduled: continues the day's walk.
 *
 * @param mayDelete whether objects missing from the first bucket were really deleted: false within a day of a restore
 */
export async function copyPictures(env: Env, now: number, mayDelete: () => Promise<boolean>): Promise<void> {
  const previous = await (await env.BACKUPS.get(WALK_KEY))?.json<Walk>();
  if (previous?.day === toIsoDate(now) && previous.after === null) return;
  let walk = previous && previous.after !== null ? previous : newWalk(now);
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
    for (const key of deletesCopies ? copies.keys() : []) {
      await copyObject(env.BACKUPS, `${COPIES}${key}`, env.BACKUPS, `${DELETED}${toIsoDate(now)}/${key}`);
      await env.BACKUPS.delete(`${COPIES}${key}`);
      copied += 1;
    }
    walk = { ...walk, after: until };
  }
  if (lines.length > 0) {
    const list = `inventory/${walk.day}/${String(walk.lists.length).padStart(4, "0")}.txt`;
    await env.BACKUPS.put(list, lines.join("\n"));
    walk = { ...walk, lists: [...walk.lists, list] };
  }
  await env.BACKUPS.put(WALK_KEY, JSON.stringify(walk));
  if (walk.after === null) await finish(env, walk, now);
}

const newWalk = (now: number): Walk => ({ day: toIsoDate(now), ts: now, after: "", lists: [], objects: 0, bytes: 0 });

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
