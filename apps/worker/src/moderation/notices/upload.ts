/** Pictures that notifiers upload: they are hashed and not stored. */

import { inspectImage } from "../../pictures/inspect-image.ts";
import { hashPictureBytes } from "../../pictures/known/known.ts";
import { listNear, printOf } from "../../pictures/known/stored-looks.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { AppError } from "../../platform/errors.ts";
import { HASH_QUALITY_MIN } from "../../platform/images/perceptual-hash.ts";
import { openPrint, printsAgree, sealPrint } from "../../platform/images/picture-print.ts";

/**
 * The hash and the print of a base64 picture; nulls if the picture is too plain to be distinctive. Throws BAD_INPUT if it
 * is not a picture.
 */
export async function hashUpload(env: Env, base64: string) {
  try {
    const { hash, quality, print } = await hashPictureBytes(env, inspectImage(Buffer.from(base64, "base64")).bytes);
    const isPlain = quality < HASH_QUALITY_MIN;
    return { upload_hash: isPlain ? null : hash, upload_print: isPlain ? null : sealPrint(env, print) };
  } catch {
    throw new AppError("BAD_INPUT", { field: "picture", message: "picture: is not a picture that we can read" });
  }
}

/** What a picture looks like; without a print nothing can be said to be its copy. */
export interface Look {
  readonly hash: string | null;
  readonly sealed_print: Uint8Array | null;
}

/** Lists stored copies of these pictures, the most similar first. */
export async function listCopies(env: Env, db: Database, looks: readonly Look[], max: number): Promise<number[]> {
  const targets = looks.flatMap(({ hash, sealed_print }) => {
    const print = openPrint(env, sealed_print);
    return hash === null || !print ? [] : [{ hash, print }];
  });
  if (targets.length === 0) return [];
  const copies: { id: number; distance: number }[] = [];
  for await (const { pictureId: id, target, distance } of listNear(db, targets)) {
    if (printsAgree(target.print, await printOf(env, db, id))) copies.push({ id, distance });
  }
  const nearest = copies.sort((one, other) => one.distance - other.distance).map(({ id }) => id);
  return [...new Set(nearest)].slice(0, max);
}
