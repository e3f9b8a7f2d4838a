/**
 * Pictures that are known by what they look like: removed ones, which nobody may upload again, and those that an operator's lists
 * name. A near copy counts as the picture itself; one too plain to be told apart is never known.
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
import { pictureKey, type StoredPicture } from "../store.ts";

/** Who made a picture known: a notice or staff, with what they refer to, or an operator's list with its name. */
export type KnownSource = `notice:${string}` | `staff:${string}` | `list:${string}`;

export interface NewKnownPicture {
  /** 64 hexadecimal digits, as `hashOfPicture` answers them. */
  readonly hash: string;
  readonly source: KnownSource;
  readonly rule: KnownPictureRow["rule"];
  readonly now: number;
}

export type KnownPicture = Pick<KnownPictureRow, "id" | "source" | "rule"> & { readonly distance: number };

/** Some pixels of a picture, enough for its hash and its colour. */
export async function samplePicture(env: Env, picture: Uint8Array): Promise<Pixels> {
  return pngPixels(await encodePng(env, picture, PICTURE_HASHED_PX));
}

/** What a picture's bytes look like. */
export async function hashOfBytes(env: Env, picture: Uint8Array): Promise<PerceptualHash> {
  return perceptualHash(await samplePicture(env, picture));
}

/** What a stored picture looks like; undefined when it has no bytes any more. */
export async function hashOfPicture(env: Env, picture: StoredPicture): Promise<PerceptualHash | undefined> {
  const original = await env.PICTURES.get(pictureKey(picture, "original"));
  return original ? hashOfBytes(env, new Uint8Array(await original.arrayBuffer())) : undefined;
}

/** To be put into the batch of the decision. Once a source: the same again changes nothing. */
export function rememberKnownPictureQueries(db: Database, { hash, source, rule, now }: NewKnownPicture): Compiled[] {
  const known = db.insertInto("known_picture").values({ hash, source, rule, ts_created: now });
  return [known.onConflict((conflict) => conflict.columns(["source", "hash"]).doNothing()).compile()];
}

/** Like rememberKnownPictureQueries, for a stored picture: by the hash of its upload. One that is too plain is not remembered. */
export function rememberStoredPictureQueries(
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

/** Takes back what one source said, of one picture or of all; what others said of the same picture holds. */
export function forgetKnownPictureQueries(
  db: Database,
  { source, hash }: { readonly source: KnownSource; readonly hash?: string },
): Compiled[] {
  const forgotten = db.deleteFrom("known_picture").where("source", "=", source);
  return [(hash === undefined ? forgotten : forgotten.where("hash", "=", hash)).compile()];
}

/**
 * The known picture that this one is a copy of: of several, one that refuses an upload before one of a list, then the nearest.
 * Reads the index at 272 places, whatever the number of known pictures.
 */
export async function findKnownPicture(
  db: Database,
  { hash, quality }: PerceptualHash,
): Promise<KnownPicture | undefined> {
  if (quality < HASH_QUALITY_MIN) return undefined;
  const near = await listNear(db, hash);
  const known = near
    .map(({ id, source, rule, hash: other }) => ({ id, source, rule, distance: hashDistance(hash, other) }))
    .filter(({ distance }) => distance <= HASH_DISTANCE_MAX);
  return known.sort((a, b) => Number(isRefused(b)) - Number(isRefused(a)) || a.distance - b.distance)[0];
}

/**
 * Whether an upload is refused in words: what was removed at somebody's request. Everything else that is known is held without a
 * word, since whoever is told of a list learns what it holds, and a case about minors must not be announced.
 */
export function isRefused({ source, rule }: Pick<KnownPicture, "source" | "rule">): boolean {
  return rule === "intimate" && !source.startsWith("list:");
}

/** Known pictures of which a sixteenth differs in one bit at most: near copies are among them. */
function listNear(db: Database, hash: string): Promise<Pick<KnownPictureRow, "id" | "source" | "rule" | "hash">[]> {
  const flipped = sql<number>`(part.column1 | bit.column1) - (part.column1 & bit.column1)`;
  return db
    .selectFrom(valuesOf(partsOf(hash), "part"))
    .crossJoin(valuesOf(FLIPPED_BITS, "bit"))
    .crossJoin("known_picture_part as p")
    .crossJoin("known_picture as k")
    .select(["k.id", "k.source", "k.rule", "k.hash"])
    .distinct()
    .where(sql<boolean>`p.part = ${flipped}`)
    .whereRef("k.id", "=", "p.known_id")
    .execute();
}

/** None, or one of 16. */
const FLIPPED_BITS = [0, ...Array.from({ length: 16 }, (_, bit) => 1 << bit)];

/** As the table's view takes them apart. */
function partsOf(hash: string): number[] {
  return Array.from(
    { length: 16 },
    (_, place) => place * 65_536 + Number.parseInt(hash.slice(place * 4, place * 4 + 4), 16),
  );
}
