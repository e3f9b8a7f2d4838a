/** Pictures that notifiers upload: they are hashed and not stored. */
import { sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { AppError } from "../../platform/errors.ts";
import { HASH_DISTANCE_MAX, HASH_QUALITY_MIN, hashDistance } from "../../platform/images/perceptual-hash.ts";
import { inspectImage } from "../../social/pictures/inspect-image.ts";
import { hashPictureBytes } from "../../social/pictures/known/known.ts";

/** Rows read per page. Notices are rare, so scanning all stored hashes is cheaper than maintaining an index. */
const PAGE_ROWS = 5000;

/**
 * The perceptual hash of a base64 picture; null if the picture is too plain to be distinctive. Throws BAD_INPUT if it
 * is not a picture.
 */
export async function hashUpload(env: Env, base64: string): Promise<string | null> {
  try {
    const { hash, quality } = await hashPictureBytes(env, inspectImage(Buffer.from(base64, "base64")).bytes);
    return quality >= HASH_QUALITY_MIN ? hash : null;
  } catch {
    throw new AppError("BAD_INPUT", { field: "picture", message: "picture: is not a picture that we can read" });
  }
}

/** Lists stored pictures that look like this one, the most similar first. */
export async function listSimilarPictures(db: Database, hash: string, max: number): Promise<number[]> {
  const similar: { id: number; distance: number }[] = [];
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom("picture_hash")
      .select(["picture_id", "hash"])
      .where("picture_id", ">", after)
      .where("quality", ">=", sql.lit(HASH_QUALITY_MIN))
      .orderBy("picture_id")
      .limit(PAGE_ROWS)
      .execute();
    for (const row of rows) {
      const distance = hashDistance(hash, row.hash);
      if (distance <= HASH_DISTANCE_MAX) similar.push({ id: row.picture_id, distance });
    }
    const last = rows.at(-1);
    if (rows.length < PAGE_ROWS || !last) break;
    after = last.picture_id;
  }
  return similar
    .sort((one, other) => one.distance - other.distance)
    .slice(0, max)
    .map(({ id }) => id);
}
