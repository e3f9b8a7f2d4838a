/**
 * Objects that a sweep removed stay in `trash/<day>/<key>` for 30 days, and the operator can restore them (docs/OPERATIONS.md). What members
 * or staff delete is deleted at once and never comes here.
 */
import { DAY_MS } from "@lambda/contract/limits";
import type { Env } from "../env.ts";
import { toIsoDate } from "../iso-time.ts";
import { copyObject, deleteDaysBefore } from "./objects.ts";

const TRASH_PREFIX = "trash/";
const TRASH_KEPT_DAYS = 30;
/** Written by a tool (packages/tooling/src/recover.ts), deleted when everything is restored. */
const RESTORE_KEY = "jobs/restore-trash.json";
/** Three calls each, within the calls of one invocation. */
const MOVES_PER_RUN_MAX = 250;

/** Moves objects up to the limit of one run; returns how many it moved. */
export async function moveToTrash(env: Env, keys: readonly string[], now: number): Promise<number> {
  const folder = `${TRASH_PREFIX}${toIsoDate(now)}/`;
  const moved = keys.slice(0, MOVES_PER_RUN_MAX);
  for (const key of moved) await move(env, key, `${folder}${key}`);
  return moved.length;
}

/** Scheduled: deletes what has been in the trash for longer. */
export function emptyTrash(env: Env, now: number): Promise<void> {
  return deleteDaysBefore(env.PICTURES, TRASH_PREFIX, toIsoDate(now - TRASH_KEPT_DAYS * DAY_MS));
}

interface RestoreRequest {
  /** The first day to restore, YYYY-MM-DD. */
  readonly since: string;
  readonly prefix: string;
}

/** Scheduled: restores what the operator requested, a part each minute. Existing objects are not overwritten. */
export async function restoreTrash(env: Env): Promise<void> {
  const request = await env.PICTURES.get(RESTORE_KEY);
  if (!request) return;
  const { since, prefix } = await request.json<RestoreRequest>();
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

/** R2 bindings cannot copy: the bytes pass through the worker, and the old object is deleted last. */
async function move({ PICTURES }: Env, from: string, to: string): Promise<void> {
  if (await copyObject(PICTURES, from, PICTURES, to)) await PICTURES.delete(from);
}
