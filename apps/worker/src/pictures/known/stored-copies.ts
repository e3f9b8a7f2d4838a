/**
 * Finds copies of known pictures that were stored before the picture became known. Nothing of a member disappears by this but what a list
 * about minors names: staff decide about each.
 */
import { sql } from "kysely";
import { mayGoOn } from "../../platform/db/chunked-jobs.ts";
import { batch, type Database, itemsOf, openDatabase } from "../../platform/db/database.ts";
import type { KnownPictureRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { openPrint, printsAgree } from "../../platform/images/picture-print.ts";
import { isOpen } from "../hidden.ts";
import { holdPictureQueries, insertMatchQuery, toMatch } from "./held.ts";
import { listNear, printOf, readOriginal } from "./stored-looks.ts";

/** Comparisons per run, about a second of work. */
const COMPARISONS_MAX = 20_000_000;
/** Known pictures that one run searches for; the minimum applies however many pictures are stored. */
const KNOWN_PER_RUN_MAX = 2_000;
const KNOWN_PER_RUN_MIN = 8;

type Known = Pick<KnownPictureRow, "id" | "hash" | "source" | "rule" | "sealed_print">;

/** Scheduled: finds stored copies of pictures that have become known, removed pictures before those on lists. */
export async function findStoredCopies(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const known = await listUnsearched(db);
  if (known.length === 0) return;
  for await (const { pictureId, target, distance } of listNear(db, known)) {
    const print = openPrint(env, target.sealed_print);
    const agrees = print && printsAgree(print, await printOf(env, db, pictureId));
    if (agrees !== false) await reportCopy(env, db, pictureId, { ...target, distance, agrees: agrees ?? false }, now);
    // The next turn starts again, and finds those above already reported.
    if (!mayGoOn()) return;
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
    .select(["id", "hash", "source", "rule", "sealed_print"])
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

/** Hidden and held pictures already have a case, like those with an undecided match. */
async function reportCopy(
  env: Env,
  db: Database,
  pictureId: number,
  known: Known & { readonly distance: number; readonly agrees: boolean },
  now: number,
): Promise<void> {
  const picture = await db
    .selectFrom("picture as pic")
    .innerJoin("account as a", "a.id", "pic.profile_id")
    .select(["pic.id", "pic.profile_id", "pic.version", "pic.audience", "a.home_brand"])
    .where("pic.id", "=", pictureId)
    .where(isOpen("pic"))
    .where(
      sql<boolean>`not exists (select 1 from known_picture_match m left join report r on r.id = m.report_id
        where m.picture_id = pic.id and (r.id is null or r.state <> 'decided'))`,
    )
    .executeTakeFirst();
  const bytes = picture && (await readOriginal(env, picture));
  if (!picture || !bytes) return;
  const { profile_id: profileId, home_brand: brand } = picture;
  const match = await toMatch({ db, env }, known, { profileId, brand, bytes });
  if (!match) return;
  const isHeld = match.effect !== "none" && known.source.startsWith("list:");
  const effect = isHeld ? "held" : "none";
  await batch(env.DB, [
    insertMatchQuery(db, { ...match, effect, r2Key: null, profileId, pictureId, now }),
    ...(isHeld ? holdPictureQueries(db, picture) : []),
  ]);
}
