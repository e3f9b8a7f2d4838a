/**
 * The nightly garbage collection: chat pictures that are in no message, and objects in R2 without a row, left by a failure between two
 * writes or an interrupted purge. Objects go to the trash first (platform/bucket/sweep.ts).
 */
import { DAY_MS } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { databaseMatchesBucket } from "../platform/bucket/mark.ts";
import { sweepBucket } from "../platform/bucket/sweep.ts";
import { type Database, indexedBy, itemsOf } from "../platform/db/database.ts";
import type { Env } from "../platform/env.ts";
import { deletePictureObjects, ONCE_PREFIX, PICTURES_PREFIX, parsePictureKey } from "./store.ts";

/** Chat pictures that are checked per night; the next night continues after them. */
const CHAT_PICTURES_PER_NIGHT_MAX = 20_000;
const UNSENT_PER_NIGHT_MAX = 500;
const CHAT_CURSOR_KEY = "jobs/chat-pictures.json";

/** Returns what it removed, for the log of the schedule. */
export async function collectGarbage(env: Env, db: Database, now: number) {
  // The rows of a restored database lack the messages that pictures were sent in.
  const unsentPictures = (await databaseMatchesBucket(env, db, now)) ? await deleteUnsentPictures(env, db, now) : 0;
  const listOrphans = (keys: readonly string[]) => listUnusedKeys(db, keys);
  const swept = await sweepBucket(env, db, now, { name: "pictures", prefix: PICTURES_PREFIX, listOrphans });
  await sweepBucket(env, db, now, {
    name: "once",
    prefix: ONCE_PREFIX,
    listOrphans: (keys) => listUnusedOnceKeys(db, keys),
  });
  return { unsentPictures, ...swept };
}

/** Deletes chat pictures older than a day that are in no message. Checks one range of them per night, oldest first. */
async function deleteUnsentPictures(env: Env, db: Database, now: number): Promise<number> {
  const stored = await env.PICTURES.get(CHAT_CURSOR_KEY);
  const after = stored ? (await stored.json<{ ts: number }>()).ts : 0;
  const range = db
    .selectFrom(indexedBy("picture", "pic", "picture_chat"))
    .select(["pic.id", "pic.profile_id", "pic.version", "pic.ts_updated"])
    .where("pic.audience", "=", sql.lit("chat"))
    .where("pic.ts_updated", ">=", after)
    .where("pic.ts_updated", "<", now - DAY_MS)
    .orderBy("pic.ts_updated")
    .limit(CHAT_PICTURES_PER_NIGHT_MAX);
  const [end, rows] = await Promise.all([
    db
      .selectFrom(range.as("s"))
      .select(({ fn }) => [fn.countAll<number>().as("seen"), fn.max("s.ts_updated").as("last")])
      .executeTakeFirstOrThrow(),
    db
      .selectFrom(range.as("s"))
      .select(["s.id", "s.profile_id", "s.version"])
      .where(isInNoMessage("s.id"))
      .limit(UNSENT_PER_NIGHT_MAX)
      .execute(),
  ]);
  // If there is too much for one night, the next night checks the same range again.
  const isRangeDone = rows.length < UNSENT_PER_NIGHT_MAX;
  const ts = isRangeDone ? (end.seen < CHAT_PICTURES_PER_NIGHT_MAX ? 0 : Number(end.last)) : after;
  await env.PICTURES.put(CHAT_CURSOR_KEY, JSON.stringify({ ts }));
  let deleted = 0;
  for (const row of rows) {
    // It may have been sent since the select.
    const gone = await db
      .deleteFrom("picture")
      .where("id", "=", row.id)
      .where("audience", "=", "chat")
      .where(isInNoMessage("picture.id"))
      .returning("id")
      .executeTakeFirst();
    if (!gone) continue;
    await deletePictureObjects(env, row);
    deleted += 1;
  }
  return deleted;
}

function isInNoMessage(pictureId: string): RawBuilder<boolean> {
  return sql<boolean>`not exists (select 1 from message_picture mp where mp.picture_id = ${sql.ref(pictureId)})`;
}

/** Unused keys of content that opens once: pictures, and voice messages, whose rows contain the key. */
async function listUnusedOnceKeys(db: Database, keys: readonly string[]): Promise<string[]> {
  const pictures = keys.filter((key) => parsePictureKey(key));
  const others = keys.filter((key) => !parsePictureKey(key));
  const rows = await db
    .selectFrom("voice")
    .select("r2_key")
    .where("r2_key", "in", (some) => some.selectFrom(itemsOf(others, "k")).select("k.value"))
    .execute();
  const used = new Set(rows.map((row) => row.r2_key));
  return [...(await listUnusedKeys(db, pictures)), ...others.filter((key) => !used.has(key))];
}

/** Keys whose picture is gone or has another version, and all of anything else. */
export async function listUnusedKeys(db: Database, keys: readonly string[]): Promise<string[]> {
  const ids = new Set(keys.map((key) => parsePictureKey(key)?.id).filter((id) => id !== undefined));
  if (ids.size === 0) return keys.filter((key) => !parsePictureKey(key));
  const rows = await db
    .selectFrom("picture")
    .select(["id", "profile_id", "version"])
    .where("id", "in", (some) => some.selectFrom(itemsOf([...ids], "named")).select("named.value"))
    .execute();
  const used = new Set(rows.map((row) => `${row.profile_id}/${row.id}/${row.version}`));
  return keys.filter((key) => {
    const picture = parsePictureKey(key);
    return !picture || !used.has(`${picture.profile_id}/${picture.id}/${picture.version}`);
  });
}
