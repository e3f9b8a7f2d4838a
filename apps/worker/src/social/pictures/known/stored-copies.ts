/** Finds copies of known pictures that were stored before the picture became known. */

import { sql } from "kysely";
import { batch } from "../../../platform/db/batch.ts";
import { itemsOf } from "../../../platform/db/d1.ts";
import { type Database, openDatabase } from "../../../platform/db/database.ts";
import type { KnownPictureRow } from "../../../platform/db/tables.ts";
import type { Env } from "../../../platform/env.ts";
import {
  HASH_DISTANCE_MAX,
  HASH_QUALITY_MIN,
  hashWords,
  wordsDistance,
} from "../../../platform/images/perceptual-hash.ts";
import { isOpen } from "../hidden.ts";
import { holdPictureQueries, insertMatchQuery } from "./held.ts";

/** Stored hashes per page. */
const PAGE_ROWS = 5_000;
/** Comparisons per run, about a second of work. */
const COMPARISONS_MAX = 20_000_000;
/** Known pictures that one run searches for; the minimum applies however many pictures are stored. */
const KNOWN_PER_RUN_MAX = 2_000;
const KNOWN_PER_RUN_MIN = 8;

type Known = Pick<KnownPictureRow, "id" | "hash" | "source" | "rule">;
interface StoredHash {
  readonly picture_id: number;
  readonly hash: string;
}

/** Scheduled: finds and holds stored copies of pictures that have become known, removed pictures before those on lists. */
export async function holdStoredCopies(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const known = await listUnsearched(db);
  if (known.length === 0) return;
  const targets = known.map((one) => ({ ...one, words: hashWords(one.hash) }));
  for (let after = 0; ; ) {
    const page = await listStoredHashes(db, after);
    for (const { picture_id, hash } of page) {
      const words = hashWords(hash);
      const match = targets.find((one) => wordsDistance(words, one.words) <= HASH_DISTANCE_MAX);
      if (match) await holdCopy(env, db, picture_id, { ...match, distance: wordsDistance(words, match.words) }, now);
    }
    if (page.length < PAGE_ROWS) break;
    after = page.at(-1)?.picture_id ?? 0;
  }
  const ids = known.map(({ id }) => id);
  await db
    .updateTable("known_picture")
    .set({ searched: 1 })
    .where("id", "in", (select) => select.selectFrom(itemsOf(ids, "k")).select("k.value"))
    .execute();
}

async function listUnsearched(db: Database): Promise<Known[]> {
  const waiting = db
    .selectFrom("known_picture")
    .select(["id", "hash", "source", "rule"])
    .where("searched", "=", sql.lit(0));
  const removed = await waiting
    .where(sql<boolean>`source not glob 'list:*'`)
    .orderBy("id")
    .limit(KNOWN_PER_RUN_MIN)
    .execute();
  if (removed.length > 0) return removed;
  const first = await waiting.orderBy("id").limit(1).execute();
  if (first.length === 0) return [];
  const { count } = await db
    .selectFrom("picture_hash")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const limit = Math.max(KNOWN_PER_RUN_MIN, Math.min(KNOWN_PER_RUN_MAX, Math.floor(COMPARISONS_MAX / (count + 1))));
  return waiting.orderBy("id").limit(limit).execute();
}

function listStoredHashes(db: Database, after: number): Promise<StoredHash[]> {
  return db
    .selectFrom("picture_hash")
    .select(["picture_id", "hash"])
    .where("picture_id", ">", after)
    .where("quality", ">=", HASH_QUALITY_MIN)
    .orderBy("picture_id")
    .limit(PAGE_ROWS)
    .execute();
}

/** Holds the picture if others can still see it. Hidden and held pictures already have a case. */
async function holdCopy(
  env: Env,
  db: Database,
  pictureId: number,
  { source, rule, distance }: Known & { readonly distance: number },
  now: number,
): Promise<void> {
  const picture = await db
    .selectFrom("picture as pic")
    .innerJoin("account as a", "a.id", "pic.profile_id")
    .select(["pic.id", "pic.profile_id", "a.home_brand"])
    .where("pic.id", "=", pictureId)
    .where(isOpen("pic"))
    .executeTakeFirst();
  if (!picture) return;
  const match = { brand: picture.home_brand, source, rule, distance, r2Key: null };
  await batch(env.DB, [
    insertMatchQuery(db, { ...match, profileId: picture.profile_id, pictureId, now }),
    ...holdPictureQueries(db, picture),
  ]);
}
