/**
 * Whether database and bucket belong together. Each minute a new token is written to both; a database that was emptied, exchanged or brought
 * back to an earlier time holds another token than the bucket, and for a day from then on no job
 * removes bytes: by rows of an earlier time it would take what is needed now.
 */
import { DAY_MS } from "@lambda/contract/limits";
import type { Database } from "../db/database.ts";
import type { Env } from "../env.ts";
import { randomHex } from "../hash.ts";
import { count } from "../metrics/counts.ts";

const MARK_KEY = "jobs/database-mark.json";

interface BucketMark {
  readonly token: string;
  /** Since when this database and this bucket have known each other without a break. */
  readonly since: number;
}

/** Run by schedule: renews the token on both sides. Of runs at once only the one that changed the database's row goes on. */
export async function renewBucketMark(env: Env, db: Database, now: number): Promise<void> {
  const [kept, stored] = await Promise.all([readBucketMark(env), readDatabaseMark(db)]);
  const token = randomHex(16);
  const renewed = await db
    .insertInto("bucket_mark")
    .values({ id: 1, token, previous: stored.token })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet({ token, previous: stored.token })
        .where("bucket_mark.token", "=", stored.token),
    )
    .returning("id")
    .execute();
  if (renewed.length === 0) return;
  const isKnown = isSame(kept, stored);
  if (!isKnown) {
    count("bucketRefused");
    console.error(JSON.stringify({ level: "error", event: "bucket-of-another-database", pausedUntil: now + DAY_MS }));
  }
  const mark: BucketMark = { token, since: isKnown ? kept.since : now };
  await env.PICTURES.put(MARK_KEY, JSON.stringify(mark));
}

/** Whether bytes may be removed because of what rows say or lack: database and bucket have belonged together for a day. */
export async function belongTogether(env: Env, db: Database, now: number): Promise<boolean> {
  const [kept, stored] = await Promise.all([readBucketMark(env), readDatabaseMark(db)]);
  return isSame(kept, stored) && now - kept.since >= DAY_MS;
}

interface DatabaseMark {
  readonly token: string;
  /** The token before: a bucket that missed one writing is still the same bucket. */
  readonly previous: string;
}

/** Two that were never marked belong together: a new site. */
function isSame(kept: BucketMark, stored: DatabaseMark): boolean {
  return kept.token === stored.token || (kept.token !== "" && kept.token === stored.previous);
}

async function readBucketMark(env: Env): Promise<BucketMark> {
  const stored = await env.PICTURES.get(MARK_KEY);
  return stored ? stored.json<BucketMark>() : { token: "", since: 0 };
}

async function readDatabaseMark(db: Database): Promise<DatabaseMark> {
  const row = await db.selectFrom("bucket_mark").select(["token", "previous"]).where("id", "=", 1).executeTakeFirst();
  return row ?? { token: "", previous: "" };
}
