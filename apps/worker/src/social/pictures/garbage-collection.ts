/**
 * The nightly garbage collection: pictures that a message never carried, or carries no more, and objects in R2 that no row names (a fault
 * between two writes, a purge that was cut short). It reads the bucket in portions and goes on where it stopped the night before.
 */
import { DAY_MS } from "@lambda/contract/limits";
import { batch } from "../../platform/db/batch.ts";
import { itemsOf } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { deletePictureObjects, PICTURES_PREFIX, parsePictureKey } from "./store.ts";

/** 1,000 objects a page: 50,000 a night, within what one invocation may call. */
const PAGES_A_NIGHT = 50;
const CURSOR_KEY = "jobs/picture-orphans.json";
/** Objects this young may belong to an upload that is under way. */
const SETTLED_MS = 3_600_000;
const UNSENT_AT_ONCE = 500;

export interface GarbageReport {
  readonly unsentPictures: number;
  readonly objectsSeen: number;
  readonly orphansRemoved: number;
}

/** Answers what it removed; the schedule logs it. */
export async function collectGarbage(env: Env, db: Database, now: number): Promise<GarbageReport> {
  const unsentPictures = await deleteUnsentPictures(env, db, now);
  let cursor = await readCursor(env);
  let objectsSeen = 0;
  let orphansRemoved = 0;
  for (let page = 0; page < PAGES_A_NIGHT; page += 1) {
    const list = await env.PICTURES.list({ prefix: PICTURES_PREFIX, ...(cursor && { cursor }) });
    objectsSeen += list.objects.length;
    const orphans = await listUnusedKeys(db, list.objects, now);
    if (orphans.length > 0) await env.PICTURES.delete(orphans);
    orphansRemoved += orphans.length;
    cursor = list.truncated ? list.cursor : undefined;
    if (!cursor) break;
  }
  await env.PICTURES.put(CURSOR_KEY, JSON.stringify({ cursor: cursor ?? null }));
  return { unsentPictures, objectsSeen, orphansRemoved };
}

/** Chat pictures of more than a day that no message carries. */
async function deleteUnsentPictures(env: Env, db: Database, now: number): Promise<number> {
  const rows = await db
    .selectFrom("picture as pic")
    .select(["pic.id", "pic.profile_id", "pic.version"])
    .where("pic.audience", "=", "chat")
    .where("pic.ts_updated", "<", now - DAY_MS)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom("message_picture as mp").select("mp.message_id").whereRef("mp.picture_id", "=", "pic.id"),
        ),
      ),
    )
    .limit(UNSENT_AT_ONCE)
    .execute();
  for (const row of rows) {
    await batch(env.DB, [db.deleteFrom("picture").where("id", "=", row.id).where("audience", "=", "chat").compile()]);
    await deletePictureObjects(env, row);
  }
  return rows.length;
}

/** Keys whose picture is gone, or has another version, by one query for the page. */
async function listUnusedKeys(db: Database, objects: readonly R2Object[], now: number): Promise<string[]> {
  const settled = objects.filter((object) => object.uploaded.getTime() < now - SETTLED_MS);
  const ids = new Set(settled.map((object) => parsePictureKey(object.key)?.id).filter((id) => id !== undefined));
  if (ids.size === 0) return settled.filter((object) => !parsePictureKey(object.key)).map((object) => object.key);
  const rows = await db
    .selectFrom("picture")
    .select(["id", "profile_id", "version"])
    .where("id", "in", (some) => some.selectFrom(itemsOf([...ids], "named")).select("named.value"))
    .execute();
  const alive = new Set(rows.map((row) => `${row.profile_id}/${row.id}/${row.version}`));
  return settled
    .map((object) => object.key)
    .filter((key) => {
      const picture = parsePictureKey(key);
      return !picture || !alive.has(`${picture.profile_id}/${picture.id}/${picture.version}`);
    });
}

async function readCursor(env: Env): Promise<string | undefined> {
  const stored = await env.PICTURES.get(CURSOR_KEY);
  const { cursor } = stored ? await stored.json<{ cursor: string | null }>() : { cursor: null };
  return cursor ?? undefined;
}
