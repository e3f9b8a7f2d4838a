/**
 * Known pictures, recognized by a perceptual hash: removed ones, which nobody may upload again, and those on an operator's lists. A near
 * copy counts as the picture itself; pictures too plain to be distinguished never match.
 */
import { PICTURE_HASHED_PX } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Compiled } from "../../../platform/db/batch.ts";
import { valuesOf } from "../../../platform/db/d1.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { KnownPictureRow } from "../../../platform/db/tables.ts";
import type { Env } from "../../../platform/env.ts";
import {
  HASH_DISTANCE_MAX,
  HASH_QUALITY_MIN,
  hashDistance,
  type PerceptualHash,
  type Pixels,
  perceptualHash,
} from "../../../platform/images/perceptual-hash.ts";
import { pngPixels } from "../../../platform/images/png-pixels.ts";
import { encodePng } from "../encode.ts";

/** Where a known picture came from: a notice, staff, or the named list of an operator. */
export type KnownSource = `notice:${string}` | `staff:${string}` | `list:${string}`;

export interface NewKnownPicture {
  /** 64 hexadecimal digits, as returned by `hashPictureBytes`. */
  readonly hash: string;
  readonly source: KnownSource;
  readonly rule: KnownPictureRow["rule"];
  readonly now: number;
}

export type KnownPicture = Pick<KnownPictureRow, "id" | "source" | "rule"> & { readonly distance: number };

/** A downscaled picture, large enough for its hash and its average color. */
export async function samplePicture(env: Env, picture: Uint8Array): Promise<Pixels> {
  return pngPixels(await encodePng(env, picture, PICTURE_HASHED_PX));
}

export async function hashPictureBytes(env: Env, picture: Uint8Array): Promise<PerceptualHash> {
  return perceptualHash(await samplePicture(env, picture));
}

/** For the batch of a decision. Repeating it for the same source changes nothing. */
export function insertKnownPictureQueries(db: Database, { hash, source, rule, now }: NewKnownPicture): Compiled[] {
  const known = db.insertInto("known_picture").values({ hash, source, rule, ts_created: now });
  return [known.onConflict((conflict) => conflict.columns(["source", "hash"]).doNothing()).compile()];
}

/** The same for a stored picture, by the hash of its upload. Pictures that are too plain are left out. */
export function insertStoredPictureAsKnownQueries(
  db: Database,
  { pictureId, source, rule, now }: Omit<NewKnownPicture, "hash"> & { readonly pictureId: number },
): Compiled[] {
  return [
    db
      .insertInto("known_picture")
      .columns(["hash", "source", "rule", "ts_created"])
      .expression((select) =>
        select
          .selectFrom("picture_hash as h")
          .select(["h.hash", sql.val(source).as("source"), sql.val(rule).as("rule"), sql.val(now).as("ts_created")])
          .where("h.picture_id", "=", pictureId)
          .where("h.quality", ">=", sql.lit(HASH_QUALITY_MIN)),
      )
      .onConflict((conflict) => conflict.columns(["source", "hash"]).doNothing())
      .compile(),
  ];
}

/** Deletes one picture, or all, of a source. Entries of other sources for the same picture stay. */
export function deleteKnownPictureQueries(
  db: Database,
  { source, hash }: { readonly source: KnownSource; readonly hash?: string },
): Compiled[] {
  const deletion = db.deleteFrom("known_picture").where("source", "=", source);
  return [(hash === undefined ? deletion : deletion.where("hash", "=", hash)).compile()];
}

/**
 * The known picture that this one is a copy of, preferably one that rejects uploads, then the nearest. Does 272 index lookups, regardless
 * of the number of known pictures.
 */
export async function findKnownPicture(
  db: Database,
  { hash, quality }: PerceptualHash,
): Promise<KnownPicture | undefined> {
  if (quality < HASH_QUALITY_MIN) return undefined;
  const candidates = await listCandidates(db, hash);
  const known = candidates
    .map(({ id, source, rule, hash: other }) => ({ id, source, rule, distance: hashDistance(hash, other) }))
    .filter(({ distance }) => distance <= HASH_DISTANCE_MAX);
  return known.sort((a, b) => Number(rejectsUpload(b)) - Number(rejectsUpload(a)) || a.distance - b.distance)[0];
}

/**
 * Whether an upload is openly rejected, which is so for pictures that were removed on request. All others are held silently: a rejection
 * would reveal what is on a list, and a case about minors must not be disclosed.
 */
export function rejectsUpload({ source, rule }: Pick<KnownPicture, "source" | "rule">): boolean {
  return rule === "intimate" && !source.startsWith("list:");
}

/** Known pictures with at least one of 16 hash parts that differs in at most one bit. Every near copy is among them. */
function listCandidates(
  db: Database,
  hash: string,
): Promise<Pick<KnownPictureRow, "id" | "source" | "rule" | "hash">[]> {
  const flipped = sql<number>`(part.column1 | bit.column1) - (part.column1 & bit.column1)`;
  return db
    .selectFrom(valuesOf(hashParts(hash), "part"))
    .crossJoin(valuesOf(FLIPPED_BITS, "bit"))
    .crossJoin("known_picture_part as p")
    .crossJoin("known_picture as k")
    .select(["k.id", "k.source", "k.rule", "k.hash"])
    .distinct()
    .where(sql<boolean>`p.part = ${flipped}`)
    .whereRef("k.id", "=", "p.known_id")
    .execute();
}

/** No bit, or one of the 16 of a part. */
const FLIPPED_BITS = [0, ...Array.from({ length: 16 }, (_, bit) => 1 << bit)];

/** The 16 parts of a hash, numbered like in the view known_picture_part. */
function hashParts(hash: string): number[] {
  return Array.from(
    { length: 16 },
    (_, index) => index * 65_536 + Number.parseInt(hash.slice(index * 4, index * 4 + 4), 16),
  );
}
