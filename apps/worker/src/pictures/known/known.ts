/**
 * Known pictures: removed ones, which nobody may upload again, and those on an operator's lists. A near copy counts as the picture itself.
 * Pictures with equal hashes are candidates, and copies only if their prints agree too; pictures too plain to be distinguished never match.
 */
import { PICTURE_HASHED_PX } from "@lambda/contract/limits";
import { sql } from "kysely";
import { type Database, insertFrom, type Query, valuesOf } from "../../platform/db/database.ts";
import type { KnownPictureMatchRow, KnownPictureRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import {
  HASH_DISTANCE_MAX,
  HASH_QUALITY_MIN,
  hashDistance,
  type PerceptualHash,
  type Pixels,
  perceptualHash,
} from "../../platform/images/perceptual-hash.ts";
import { openPrint, printsAgree } from "../../platform/images/picture-print.ts";
import { pngPixels } from "../../platform/images/png-pixels.ts";
import { encodePng } from "../encode.ts";

/** Where a known picture came from: a notice, staff, or the named list of an operator. */
export type KnownSource = `notice:${string}` | `staff:${string}` | `list:${string}`;

export interface NewKnownPicture {
  /** 64 hexadecimal digits, as returned by `hashPictureBytes`. */
  readonly hash: string;
  /** Null if only the hash is known. */
  readonly sealedPrint: Uint8Array | null;
  readonly source: KnownSource;
  readonly rule: KnownPictureRow["rule"];
  /** Its owner, whose earlier exemptions end with this decision. */
  readonly profileId: number;
  readonly now: number;
}

export interface KnownPicture extends Pick<KnownPictureRow, "id" | "source" | "rule"> {
  readonly distance: number;
  /** Whether the prints agree; false if only the hash is known. */
  readonly agrees: boolean;
}

/** A downscaled picture, large enough for its hash and its average color. */
export async function samplePicture(env: Env, picture: Uint8Array): Promise<Pixels> {
  return pngPixels(await encodePng(env, picture, PICTURE_HASHED_PX));
}

export async function hashPictureBytes(env: Env, picture: Uint8Array): Promise<PerceptualHash> {
  return perceptualHash(await samplePicture(env, picture));
}

/** For the batch of a decision. Repeating it for the same source changes nothing. */
export function insertKnownPictureQueries(db: Database, known: NewKnownPicture): Query[] {
  const { hash, sealedPrint, source, rule, profileId, now } = known;
  return [
    db
      .insertInto("known_picture")
      .values({ hash, sealed_print: sealedPrint && Buffer.from(sealedPrint), source, rule, ts_created: now })
      .onConflict((conflict) => conflict.columns(["source", "hash"]).doNothing()),
    endExemptionsQuery(db, profileId),
  ];
}

/** The same for a stored picture, by the hash of its upload. Pictures that are too plain are left out. */
export function insertStoredPictureAsKnownQueries(
  db: Database,
  known: Omit<NewKnownPicture, "hash" | "sealedPrint"> & { readonly pictureId: number },
): Query[] {
  const { pictureId, source, rule, profileId, now } = known;
  const hashed = db
    .selectFrom("picture_hash as h")
    .select(["h.hash", "h.sealed_print"])
    .where("h.picture_id", "=", pictureId)
    .where("h.quality", ">=", sql.lit(HASH_QUALITY_MIN));
  return [
    insertFrom(db, "known_picture", hashed, { source, rule, ts_created: now }).onConflict((conflict) =>
      conflict.columns(["source", "hash"]).doNothing(),
    ),
    endExemptionsQuery(db, profileId),
  ];
}

function endExemptionsQuery(db: Database, profileId: number): Query {
  return db.deleteFrom("picture_exemption").where("profile_id", "=", profileId);
}

/** Deletes one picture, or all, of a source. Entries of other sources for the same picture stay. */
export function deleteKnownPictureQueries(
  db: Database,
  { source, hash }: { readonly source: KnownSource; readonly hash?: string },
): Query[] {
  const deletion = db.deleteFrom("known_picture").where("source", "=", source);
  return [hash === undefined ? deletion : deletion.where("hash", "=", hash)];
}

/**
 * The known picture that this one may be a copy of, preferably one with the strongest effect, then the nearest. Does 272 index lookups,
 * regardless of the number of known pictures.
 */
export async function findKnownPicture(
  { db, env }: { readonly db: Database; readonly env: Env },
  { hash, quality, print }: PerceptualHash,
): Promise<KnownPicture | undefined> {
  if (quality < HASH_QUALITY_MIN) return undefined;
  const candidates = await listCandidates(db, hash);
  const known = candidates.flatMap(({ id, source, rule, hash: other, sealed_print }) => {
    const distance = hashDistance(hash, other);
    const agrees = distance <= HASH_DISTANCE_MAX ? printsAgree(openPrint(env, sealed_print), print) : false;
    return distance > HASH_DISTANCE_MAX || agrees === false
      ? []
      : [{ id, source, rule, distance, agrees: agrees ?? false }];
  });
  const strength = (one: KnownPicture) => EFFECTS.indexOf(effectOf(one));
  return known.sort((a, b) => strength(b) - strength(a) || a.distance - b.distance)[0];
}

/** What a match does until staff decide, from the weakest to the strongest. */
const EFFECTS = ["none", "held", "refused"] as const satisfies readonly KnownPictureMatchRow["effect"][];

/**
 * A copy of a removed picture is openly refused, one about minors held silently, because such a case must not be disclosed. A hash alone
 * has no effect but on lists about minors, which hotlines fill after looking: anybody can have an intimate picture's hash listed.
 */
export function effectOf({
  source,
  rule,
  agrees,
}: Pick<KnownPicture, "source" | "rule" | "agrees">): (typeof EFFECTS)[number] {
  const isListed = source.startsWith("list:");
  if (rule === "minor") return agrees || isListed ? "held" : "none";
  return agrees && !isListed ? "refused" : "none";
}

/** Known pictures with at least one of 16 hash parts that differs in at most one bit. Every near copy is among them. */
function listCandidates(db: Database, hash: string) {
  const flipped = sql<number>`(part.column1 | bit.column1) - (part.column1 & bit.column1)`;
  return db
    .selectFrom(valuesOf(hashParts(hash), "part"))
    .crossJoin(valuesOf(FLIPPED_BITS, "bit"))
    .crossJoin("known_picture_part as p")
    .crossJoin("known_picture as k")
    .select(["k.id", "k.source", "k.rule", "k.hash", "k.sealed_print"])
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
