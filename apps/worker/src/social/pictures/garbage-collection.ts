/**
 * The nightly garbage collection: pictures that a message never carried, or carries no more, and objects in R2 that no row names (a fault
 * between two writes, a purge that was cut short). Those go to the trash first (platform/bucket/sweep.ts).
 */
import { DAY_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import { type SweepReport, sweepBucket } from "../../platform/bucket/sweep.ts";
import { batch } from "../../platform/db/batch.ts";
import { indexedBy, itemsOf } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { deletePictureObjects, ONCE_PREFIX, PICTURES_PREFIX, parsePictureKey } from "./store.ts";

/** Chat pictures that one night looks at and takes; the next goes on behind them. */
const CHAT_PICTURES_A_NIGHT = 20_000;
const UNSENT_AT_ONCE = 500;
const CHAT_CURSOR_KEY = "jobs/chat-pictures.json";

export interface GarbageReport extends SweepReport {
  readonly unsentPictures: number;
}

/** Answers what it removed; the schedule logs it. */
export async function collectGarbage(env: Env, db: Database, now: number): Promise<GarbageReport> {
  const unsentPictures = await deleteUnsentPictures(env, db, now);
  const listOrphans = (keys: readonly string[]) => listUnusedKeys(db, keys);
  const swept = await sweepBucket(env, db, now, { name: "pictures", prefix: PICTURES_PREFIX, listOrphans });
  await sweepBucket(env, db, now, {
    name: "once",
    prefix: ONCE_PREFIX,
    listOrphans: (keys) => listUnusedOnce(db, keys),
  });
  return { unsentPictures, ...swept };
}

/** Chat pictures of more than a day that no message carries, a stretch of them each night, in the order of their time. */
async function deleteUnsentPictures(env: Env, db: Database, now: number): Promise<number> {
  const stored = await env.PICTURES.get(CHAT_CURSOR_KEY);
  const after = stored ? (await stored.json<{ ts: number }>()).ts : 0;
  const stretch = db
    .selectFrom(indexedBy("picture", "pic", "picture_chat"))
    .select(["pic.id", "pic.profile_id", "pic.version", "pic.ts_updated"])
    .where("pic.audience", "=", sql.lit("chat"))
    .where("pic.ts_updated", ">=", after)
    .where("pic.ts_updated", "<", now - DAY_MS)
    .orderBy("pic.ts_updated")
    .limit(CHAT_PICTURES_A_NIGHT);
  const [end, rows] = await Promise.all([
    db
      .selectFrom(stretch.as("s"))
      .select(({ fn }) => [fn.countAll<number>().as("seen"), fn.max("s.ts_updated").as("last")])
      .executeTakeFirstOrThrow(),
    db
      .selectFrom(stretch.as("s"))
      .select(["s.id", "s.profile_id", "s.version"])
      .where((eb) =>
        eb.not(
          eb.exists(
            eb.selectFrom("message_picture as mp").select("mp.message_id").whereRef("mp.picture_id", "=", "s.id"),
          ),
        ),
      )
      .limit(UNSENT_AT_ONCE)
      .execute(),
  ]);
  // What was too much for one night is found again at the same place.
  const isStretchDone = rows.length < UNSENT_AT_ONCE;
  const ts = isStretchDone ? (end.seen < CHAT_PICTURES_A_NIGHT ? 0 : Number(end.last)) : after;
  await env.PICTURES.put(CHAT_CURSOR_KEY, JSON.stringify({ ts }));
  for (const row of rows) {
    await batch(env.DB, [db.deleteFrom("picture").where("id", "=", row.id).where("audience", "=", "chat").compile()]);
    await deletePictureObjects(env, row);
  }
  return rows.length;
}

/** Keys of what opens once: pictures, and voice messages, which are named by their key. */
async function listUnusedOnce(db: Database, keys: readonly string[]): Promise<string[]> {
  const pictures = keys.filter((key) => parsePictureKey(key));
  const others = keys.filter((key) => !parsePictureKey(key));
  const rows = await db
    .selectFrom("voice")
    .select("r2_key")
    .where("r2_key", "in", (some) => some.selectFrom(itemsOf(others, "k")).select("k.value"))
    .execute();
  const alive = new Set(rows.map((row) => row.r2_key));
  return [...(await listUnusedKeys(db, pictures)), ...others.filter((key) => !alive.has(key))];
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
