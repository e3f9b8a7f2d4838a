/**
 * Detects that the database and the picture bucket do not match. A new token is written to both each minute; a database that was emptied,
 * replaced or restored has another token than the bucket, and then no job deletes objects for a day, because outdated rows would make it
 * delete objects still in use.
 */
import { DAY_MS } from "@lambda/contract/limits";
import type { Database } from "../db/database.ts";
import type { Env } from "../env.ts";
import { randomHex } from "../hash.ts";
import { count } from "../metrics/counts.ts";

const MARK_KEY = "jobs/database-mark.json";

interface BucketMark {
  readonly token: string;
  /** Since when this database and this bucket have matched without interruption. */
  readonly since: number;
}

/** Scheduled: renews the token in both. Of concurrent runs only the one that updated the row continues. */
export async function renewBucketMark(env: Env, db: Database, now: number): Promise<void> {
  const [inBucket, inDatabase] = await Promise.all([readBucketMark(env), readDatabaseMark(db)]);
  const token = randomHex(16);
  const renewed = await db
    .insertInto("bucket_mark")
    .values({ id: 1, token, previous: inDatabase.token })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet({ token, previous: inDatabase.token })
        .where("bucket_mark.token", "=", inDatabase.token),
    )
    .returning("id")
    .execute();
  if (renewed.length === 0) return;
  const isSameDatabase = isSame(inBucket, inDatabase);
  if (!isSameDatabase) {
    count("bucketRefused");
    console.error(JSON.stringify({ level: "error", event: "bucket-of-another-database", pausedUntil: now + DAY_MS }));
  }
  const mark: BucketMark = { token, since: isSameDatabase ? inBucket.since : now };
  await env.PICTURES.put(MARK_KEY, JSON.stringify(mark));
}

/** Whether objects may be deleted because of what rows say or lack: database and bucket have matched for a day. */
export async function databaseMatchesBucket(env: Env, db: Database, now: number): Promise<boolean> {
  const [inBucket, inDatabase] = await Promise.all([readBucketMark(env), readDatabaseMark(db)]);
  return isSame(inBucket, inDatabase) && now - inBucket.since >= DAY_MS;
}

interface DatabaseMark {
  readonly token: string;
  /** The previous token: a bucket that missed one write still matches. */
  readonly previous: string;
}

/** Two that were never marked match: a new site. */
function isSame(inBucket: BucketMark, inDatabase: DatabaseMark): boolean {
  return inBucket.token === inDatabase.token || (inBucket.token !== "" && inBucket.token === inDatabase.previous);
}

async function readBucketMark(env: Env): Promise<BucketMark> {
  const stored = await env.PICTURES.get(MARK_KEY);
  return stored ? stored.json<BucketMark>() : { token: "", since: 0 };
}

async function readDatabaseMark(db: Database): Promise<DatabaseMark> {
  const row = await db.selectFrom("bucket_mark").select(["token", "previous"]).where("id", "=", 1).executeTakeFirst();
  return row ?? { token: "", previous: "" };
}
