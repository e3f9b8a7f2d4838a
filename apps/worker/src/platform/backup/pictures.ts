/**
 * A second copy of what the bucket of pictures holds, and a list of it. Once a day both buckets are walked side by side, a stretch an hour: what is new
 * is copied, and what is gone from the first is put aside in the second and erased thirty days later.
 */
import { LATEST_INVENTORY_KEY, type PictureInventory } from "@lambda/contract/backup";
import { DAY_MS } from "@lambda/contract/limits";
import type { Env } from "../env.ts";
import { COPIES_KEPT_DAYS, dayOf } from "./retention.ts";

interface Walk extends PictureInventory {
  readonly day: string;
  /** The last key that was seen; null when all were. */
  readonly after: string | null;
}

const WALK_KEY = "jobs/walk.json";
const COPIES = "objects/";
const GONE = "gone/";
/** A page lists 1,000 objects, and a copy takes two calls: within what one invocation may call. */
const PAGES_A_RUN = 50;
const MOVES_A_RUN = 2_000;
/** Work of the worker itself, what a sweep took, and what opens once: of that no copy may outlive its opening. */
const NOT_COPIED = /^(?:jobs|trash|development-mail|once)\//;

/**
 * Run by schedule.
 *
 * @param mayForget whether what the first bucket lacks is really gone: not within a day of a restore
 */
export async function copyPictures(env: Env, now: number, mayForget: () => Promise<boolean>): Promise<void> {
  const before = await readWalk(env);
  if (before?.day === dayOf(now) && before.after === null) return;
  let walk = before && before.after !== null ? before : newWalk(now);
  const lines: string[] = [];
  const forgets = await mayForget();
  let moves = 0;
  for (let page = 0; page < PAGES_A_RUN && walk.after !== null && moves < MOVES_A_RUN; page += 1) {
    const from = walk.after;
    const { objects, truncated } = await env.PICTURES.list({ ...(from !== "" && { startAfter: from }) });
    const until = truncated ? (objects.at(-1)?.key ?? null) : null;
    const copies = await listCopies(env, from, until);
    for (const { key, size, etag } of objects.filter((object) => !NOT_COPIED.test(object.key))) {
      const isThere = copies.get(key) === etag;
      copies.delete(key);
      if (!isThere) {
        await copy(env.PICTURES, key, env.BACKUPS, `${COPIES}${key}`);
        moves += 1;
      }
      lines.push(`${key}\t${size}`);
      walk = { ...walk, objects: walk.objects + 1, bytes: walk.bytes + size };
    }
    for (const key of forgets ? copies.keys() : []) {
      await copy(env.BACKUPS, `${COPIES}${key}`, env.BACKUPS, `${GONE}${dayOf(now)}/${key}`);
      await env.BACKUPS.delete(`${COPIES}${key}`);
      moves += 1;
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

function newWalk(now: number): Walk {
  return { day: dayOf(now), ts: now, after: "", lists: [], objects: 0, bytes: 0 };
}

async function readWalk(env: Env): Promise<Walk | undefined> {
  const stored = await env.BACKUPS.get(WALK_KEY);
  return stored ? stored.json<Walk>() : undefined;
}

/** Copies of keys behind `from` up to `until`, or to the end, with what their bytes are known by. */
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

/** Nothing where the object went meanwhile. */
async function copy(from: R2Bucket, key: string, to: R2Bucket, target: string): Promise<void> {
  const object = await from.get(key);
  if (object) await to.put(target, object.body, { ...(object.httpMetadata && { httpMetadata: object.httpMetadata }) });
}

async function finish({ BACKUPS }: Env, { ts, lists, objects, bytes, day }: Walk, now: number): Promise<void> {
  const inventory: PictureInventory = { ts, lists, objects, bytes };
  await BACKUPS.put(LATEST_INVENTORY_KEY, JSON.stringify(inventory));
  await dropBefore(BACKUPS, "inventory/", day);
  await dropBefore(BACKUPS, GONE, dayOf(now - COPIES_KEPT_DAYS * DAY_MS));
}

/** Days lie in their order, so the oldest come first. */
async function dropBefore(bucket: R2Bucket, prefix: string, day: string): Promise<void> {
  for (let page = 0; page < PAGES_A_RUN; page += 1) {
    const { objects, truncated } = await bucket.list({ prefix });
    const old = objects.map(({ key }) => key).filter((key) => key < `${prefix}${day}/`);
    if (old.length > 0) await bucket.delete(old);
    if (!truncated || old.length < objects.length) return;
  }
}
