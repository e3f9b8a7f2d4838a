/** Searches the stored pictures for copies. Pictures are rarely removed, so one pass is cheaper than an index of all hashes. */
import { sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import {
  HASH_DISTANCE_MAX,
  HASH_QUALITY_MIN,
  hashWords,
  perceptualHash,
  wordsDistance,
} from "../../platform/images/perceptual-hash.ts";
import { openPrint } from "../../platform/images/picture-print.ts";
import { getVariant } from "../store.ts";
import { samplePicture } from "./known.ts";

/** Stored hashes per page. */
const PAGE_ROWS = 5_000;

/** Yields each stored picture whose hash is near that of a target, with the first such target. Only the prints tell copies. */
export async function* listNear<Target extends { readonly hash: string }>(db: Database, targets: readonly Target[]) {
  const wanted = targets.map((target) => ({ target, words: hashWords(target.hash) }));
  for (let after = 0; ; ) {
    const page = await db
      .selectFrom("picture_hash")
      .select(["picture_id", "hash"])
      .where("picture_id", ">", after)
      .where("quality", ">=", sql.lit(HASH_QUALITY_MIN))
      .orderBy("picture_id")
      .limit(PAGE_ROWS)
      .execute();
    for (const { picture_id: pictureId, hash } of page) {
      const words = hashWords(hash);
      const near = wanted.filter((one) => wordsDistance(words, one.words) <= HASH_DISTANCE_MAX);
      for (const { target, words: other } of near) {
        yield { pictureId, target, distance: wordsDistance(words, other) };
      }
    }
    if (page.length < PAGE_ROWS) return;
    after = page.at(-1)?.picture_id ?? 0;
  }
}

/** A stored picture's print; computed from its bytes if it was stored before there were prints. */
export async function printOf(env: Env, db: Database, pictureId: number): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom("picture as pic")
    .innerJoin("picture_hash as h", "h.picture_id", "pic.id")
    .select(["pic.id", "pic.profile_id", "pic.version", "pic.audience", "h.sealed_print"])
    .where("pic.id", "=", pictureId)
    .executeTakeFirst();
  if (!row) return;
  const print = openPrint(env, row.sealed_print);
  if (print) return print;
  const original = await readOriginal(env, row);
  return original && perceptualHash(await samplePicture(env, original)).print;
}

export async function readOriginal(
  env: Env,
  picture: Parameters<typeof getVariant>[1],
): Promise<Uint8Array | undefined> {
  const stored = await getVariant(env, picture, "original");
  return stored === null ? undefined : new Uint8Array(await new Response(stored as BodyInit).arrayBuffer());
}
