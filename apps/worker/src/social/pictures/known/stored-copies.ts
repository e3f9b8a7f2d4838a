/** Copies of known pictures among those that were stored before they were known. */
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
import { holdPictureQueries, insertMatchQuery } from "./held.ts";

/** Of stored pictures, read as one page. */
const PAGE_ROWS = 5_000;
/** Comparisons in one run: a second of work. */
const COMPARISONS_MAX = 20_000_000;
/** Known pictures looked for in one run, at the most and however many are stored. */
const KNOWN_AT_ONCE_MAX = 2_000;
const KNOWN_AT_ONCE_MIN = 8;

type Known = Pick<KnownPictureRow, "id" | "hash" | "source" | "rule">;
interface Stored {
  readonly picture_id: number;
  readonly hash: string;
}

/** Run by schedule: looks for copies of what became known since, removed pictures before those of lists, and holds them. */
export async function holdStoredCopies(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const known = await listUnsearched(db);
  if (known.length === 0) return;
  const wanted = known.map((one) => ({ ...one, words: hashWords(one.hash) }));
  for (let after = 0; ; ) {
    const page = await listStored(db, after);
    for (const { picture_id, hash } of page) {
      const words = hashWords(hash);
      const match = wanted.find((one) => wordsDistance(words, one.words) <= HASH_DISTANCE_MAX);
      if (match) await holdStored(env, db, picture_id, { ...match, distance: wordsDistance(words, match.words) }, now);
    }
    if (page.length < PAGE_ROWS) break;
    after = page.at(-1)?.picture_id ?? 0;
  }
  await db
    .updateTable("known_picture")
    .set({ searched: 1 })
    .where("id", "in", (some) =>
      some
        .selectFrom(
          itemsOf(
            known.map(({ id }) => id),
            "k",
          ),
        )
        .select("k.value"),
    )
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
    .limit(KNOWN_AT_ONCE_MIN)
    .execute();
  if (removed.length > 0) return removed;
  const first = await waiting.orderBy("id").limit(1).execute();
  if (first.length === 0) return [];
  const { count } = await db
    .selectFrom("picture_hash")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const most = Math.max(KNOWN_AT_ONCE_MIN, Math.min(KNOWN_AT_ONCE_MAX, Math.floor(COMPARISONS_MAX / (count + 1))));
  return waiting.orderBy("id").limit(most).execute();
}

function listStored(db: Database, after: number): Promise<Stored[]> {
  return db
    .selectFrom("picture_hash")
    .select(["picture_id", "hash"])
    .where("picture_id", ">", after)
    .where("quality", ">=", HASH_QUALITY_MIN)
    .orderBy("picture_id")
    .limit(PAGE_ROWS)
    .execute();
}

/** One that others can still see; what is hidden or held already has its case. */
async function holdStored(
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
    .where("pic.hidden_by_staff", "=", 0)
    .executeTakeFirst();
  if (!picture) return;
  const match = { brand: picture.home_brand, source, rule, distance, r2Key: null };
  await batch(env.DB, [
    insertMatchQuery(db, { ...match, profileId: picture.profile_id, pictureId, now }),
    ...holdPictureQueries(db, picture),
  ]);
}
