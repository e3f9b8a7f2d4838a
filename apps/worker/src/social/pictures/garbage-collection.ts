/**
 * The nightly garbage collection: pictures that a message never carried, or carries no more, and objects in R2 that no row names (a fault
 * between two writes, a purge that was cut short). Those go to the trash first (platform/bucket/sweep.ts).
 */
import { DAY_MS } from "@lambda/contract/limits";
import { type SweepReport, sweepBucket } from "../../platform/bucket/sweep.ts";
import { batch } from "../../platform/db/batch.ts";
import { itemsOf } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { deletePictureObjects, PICTURES_PREFIX, parsePictureKey } from "./store.ts";

const UNSENT_AT_ONCE = 500;

export interface GarbageReport extends SweepReport {
  readonly unsentPictures: number;
}

/** Answers what it removed; the schedule logs it. */
export async function collectGarbage(env: Env, db: Database, now: number): Promise<GarbageReport> {
  const unsentPictures = await deleteUnsentPictures(env, db, now);
  const listOrphans = (keys: readonly string[]) => listUnusedKeys(db, keys);
  const swept = await sweepBucket(env, db, now, { name: "pictures", prefix: PICTURES_PREFIX, listOrphans });
  return { unsentPictures, ...swept };
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
async function listUnusedKeys(db: Database, keys: readonly string[]): Promise<string[]> {
  const ids = new Set(keys.map((key) => parsePictureKey(key)?.id).filter((id) => id !== undefined));
  if (ids.size === 0) return keys.filter((key) => !parsePictureKey(key));
  const rows = await db
    .selectFrom("picture")
    .select(["id", "profile_id", "version"])
    .where("id", "in", (some) => some.selectFrom(itemsOf([...ids], "named")).select("named.value"))
    .execute();
  const alive = new Set(rows.map((row) => `${row.profile_id}/${row.id}/${row.version}`));
  return keys.filter((key) => {
    const picture = parsePictureKey(key);
    return !picture || !alive.has(`${picture.profile_id}/${picture.id}/${picture.version}`);
  });
}
