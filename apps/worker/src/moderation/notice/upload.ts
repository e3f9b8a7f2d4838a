/** The picture itself, as a notifier sends it: it is hashed and let go. */
import { sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { AppError } from "../../platform/errors.ts";
import { HASH_DISTANCE_MAX, HASH_QUALITY_MIN, hashDistance } from "../../platform/images/perceptual-hash.ts";
import { inspectImage } from "../../social/pictures/inspect-image.ts";
import { hashOfBytes } from "../../social/pictures/known/known.ts";

/** Rows of a page; a notice is rare, so that looking at all stored hashes is cheaper than keeping an index of them. */
const PAGE_ROWS = 5000;

/** What a picture sent as base64 looks like; null when it is too plain to be told from others. Throws BAD_INPUT for no picture. */
export async function hashOfUpload(env: Env, base64: string): Promise<string | null> {
  try {
    const { hash, quality } = await hashOfBytes(env, inspectImage(Buffer.from(base64, "base64")).bytes);
    return quality >= HASH_QUALITY_MIN ? hash : null;
  } catch {
    throw new AppError("BAD_INPUT", { field: "picture", message: "picture: is not a picture that we can read" });
  }
}

/** Stored pictures that look like this one, the nearest first. */
export async function listLookalikes(db: Database, hash: string, max: number): Promise<number[]> {
  const near: { id: number; distance: number }[] = [];
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
      if (distance <= HASH_DISTANCE_MAX) near.push({ id: row.picture_id, distance });
    }
    const last = rows.at(-1);
    if (rows.length < PAGE_ROWS || !last) break;
    after = last.picture_id;
  }
  return near
    .sort((one, other) => one.distance - other.distance)
    .slice(0, max)
    .map(({ id }) => id);
}
