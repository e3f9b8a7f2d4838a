/**
 * What a sweep takes away lies in `trash/<day>/<its key>` for 30 days, from where the operator brings it back (docs/OPERATIONS.md). What members
 * or staff delete does not come here: that is gone at once.
 */
import { DAY_MS } from "@lambda/contract/limits";
import type { Env } from "../env.ts";

const TRASH_PREFIX = "trash/";
const TRASH_KEPT_DAYS = 30;
/** A tool writes it (packages/tooling/src/bucket.ts); it goes when all is back. */
const RESTORE_KEY = "jobs/restore-trash.json";
/** Three calls each, within what one invocation may make. */
const MOVES_PER_RUN_MAX = 250;
const EMPTIED_PAGES_PER_RUN_MAX = 50;

/** Moves at most as many objects as one run may, and answers how many it moved. */
export async function throwAway(env: Env, keys: readonly string[], now: number): Promise<number> {
  const folder = `${TRASH_PREFIX}${dayOf(now)}/`;
  const some = keys.slice(0, MOVES_PER_RUN_MAX);
  for (const key of some) await move(env, key, `${folder}${key}`);
  return some.length;
}

/** Run by schedule. */
export async function emptyTrash(env: Env, now: number): Promise<void> {
  const kept = `${TRASH_PREFIX}${dayOf(now - TRASH_KEPT_DAYS * DAY_MS)}/`;
  for (let page = 0; page < EMPTIED_PAGES_PER_RUN_MAX; page += 1) {
    // Days lie in their order, so the oldest come first.
    const { objects, truncated } = await env.PICTURES.list({ prefix: TRASH_PREFIX });
    const old = objects.map(({ key }) => key).filter((key) => key < kept);
    if (old.length > 0) await env.PICTURES.delete(old);
    if (!truncated || old.length < objects.length) return;
  }
}

interface RestoreOrder {
  /** The first day whose trash comes back, YYYY-MM-DD. */
  readonly since: string;
  /** Beginning of the keys that come back. */
  readonly prefix: string;
}

/** Run by schedule: brings back what the operator ordered, a part each minute. What lies in its place already stays as it is. */
export async function restoreTrash(env: Env): Promise<void> {
  const order = await env.PICTURES.get(RESTORE_KEY);
  if (!order) return;
  const { since, prefix } = await order.json<RestoreOrder>();
  let cursor: string | undefined;
  let restored = 0;
  do {
    const page = await env.PICTURES.list({
      prefix: TRASH_PREFIX,
      startAfter: `${TRASH_PREFIX}${since}`,
      ...(cursor && { cursor }),
    });
    for (const { key } of page.objects) {
      const original = key.slice(TRASH_PREFIX.length + "YYYY-MM-DD/".length);
      if (!original.startsWith(prefix)) continue;
      if (restored === MOVES_PER_RUN_MAX) return logRestored(restored, false);
      if (await env.PICTURES.head(original)) await env.PICTURES.delete(key);
      else await move(env, key, original);
      restored += 1;
    }
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor);
  await env.PICTURES.delete(RESTORE_KEY);
  logRestored(restored, true);
}

function logRestored(objects: number, finished: boolean): void {
  console.log(JSON.stringify({ level: "info", event: "trash-restored", objects, finished }));
}

/** A binding copies nothing by itself: the bytes come through here, and the old object goes last. */
async function move(env: Env, from: string, to: string): Promise<void> {
  const object = await env.PICTURES.get(from);
  if (!object) return;
  await env.PICTURES.put(to, object.body, { ...(object.httpMetadata && { httpMetadata: object.httpMetadata }) });
  await env.PICTURES.delete(from);
}

function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}
