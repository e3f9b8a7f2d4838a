/**
 * Matches with known pictures, which staff decide. A held picture is seen by its owner as before and by nobody else, and no response tells
 * the owner. A match that staff dismiss exempts these bytes of this member for good.
 */
import { type RawBuilder, sql } from "kysely";
import { type Database, insertFrom, type Query } from "../../platform/db/database.ts";
import type { KnownPictureMatchRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { macs } from "../../platform/keys.ts";
import { type AlbumList, ownAlbum, withoutPicture } from "../album-order.ts";
import {
  canBeHeld,
  hiddenByDecision,
  isHeld,
  isHiddenByAction,
  isHiddenInPlace,
  isOpen,
  isShownToOwner,
  PICTURE_STATES,
} from "../hidden.ts";
import type { StoredPicture } from "../store.ts";
import { effectOf, type KnownPicture } from "./known.ts";
import { readOriginal } from "./stored-looks.ts";

/** Copies for staff. The nightly sweep deletes those without a case or a match. */
export const EVIDENCE_PREFIX = "evidence/";

/**
 * Keyed hashes of a picture's bytes, the newest key's first. Unlike what it looks like, they cannot be made equal to another's.
 */
async function digestsOf(env: Env, bytes: Uint8Array): Promise<[string, ...string[]]> {
  const sha256 = await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes));
  const [newest, ...older] = macs(env, "picture-exemption", new Uint8Array(sha256));
  return [newest.toString("base64url"), ...older.map((code) => code.toString("base64url"))];
}

/** For the batch in which staff find a stored picture to be no copy of a known one: its bytes never match again for this member. */
export async function exemptQueries(
  { env, db, now }: { readonly env: Env; readonly db: Database; readonly now: number },
  picture: StoredPicture,
): Promise<Query[]> {
  const bytes = await readOriginal(env, picture);
  if (!bytes) return [];
  const exemption = { profile_id: picture.profile_id, digest: (await digestsOf(env, bytes))[0], ts_created: now };
  return [
    db
      .insertInto("picture_exemption")
      .values(exemption)
      .onConflict((conflict) => conflict.columns(["profile_id", "digest"]).doNothing()),
  ];
}

/** A match of a picture that is about to be stored. */
export interface NewMatch {
  readonly brand: string;
  readonly source: string;
  readonly rule: KnownPictureMatchRow["rule"];
  readonly distance: number;
  readonly effect: KnownPictureMatchRow["effect"];
  readonly digest: string;
  /** Key of the copy that outlives a deletion; null when the stored picture is copied later. */
  readonly r2Key: string | null;
}

/** Undefined if staff have found these bytes of this member to be no copy. */
export async function toMatch(
  { db, env }: { readonly db: Database; readonly env: Env },
  known: KnownPicture,
  picture: { readonly profileId: number; readonly brand: string; readonly bytes: Uint8Array },
): Promise<Omit<NewMatch, "r2Key"> | undefined> {
  const { profileId, brand, bytes } = picture;
  const digests = await digestsOf(env, bytes);
  const exemption = await db
    .selectFrom("picture_exemption")
    .select("digest")
    .where("profile_id", "=", profileId)
    .where("digest", "in", digests)
    .executeTakeFirst();
  if (exemption) return;
  const { source, rule, distance } = known;
  return { brand, source, rule, distance, effect: effectOf(known), digest: digests[0] };
}

/** Stores a copy of the upload, since its owner may delete or replace the picture before staff review it. */
export async function storeMatchCopy(env: Env, match: NewMatch | undefined, bytes: Uint8Array): Promise<void> {
  if (!match || match.r2Key === null) return;
  await env.PICTURES.put(match.r2Key, bytes, { httpMetadata: { contentType: "image/webp" } });
}

type MatchOf<PictureId> = NewMatch & {
  readonly profileId: number;
  readonly pictureId: PictureId;
  readonly now: number;
};

export function matchColumns<PictureId>(match: MatchOf<PictureId>) {
  const { profileId, pictureId, brand, source, rule, distance, effect, digest, r2Key, now } = match;
  const found = { brand, source, rule, distance, effect, digest };
  return { profile_id: profileId, picture_id: pictureId, ...found, r2_key: r2Key, ts_created: now };
}

export function insertMatchQuery(db: Database, match: MatchOf<number | RawBuilder<number>>): Query {
  return db.insertInto("known_picture_match").values(matchColumns(match));
}

/** Hides a stored picture from everybody but its owner, who still sees it in its place. */
export function holdPictureQueries(
  db: Database,
  picture: { readonly id: number; readonly profile_id: number },
): Query[] {
  const { id, profile_id: profileId } = picture;
  return [
    db
      .updateTable("profile")
      .set({
        own_pics_public: ownAlbum("pics_public"),
        own_pics_private: ownAlbum("pics_private"),
        pics_public: withoutPicture("pics_public", id),
        pics_private: withoutPicture("pics_private", id),
      })
      .where("id", "=", profileId)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom("picture")
            .select("id")
            .where("id", "=", id)
            .where("audience", "in", sql<"public">`('public', 'private')`)
            .where(isOpen("picture")),
        ),
      ),
    db
      .updateTable("picture")
      .set({ hidden_by_staff: PICTURE_STATES.held })
      .where("id", "=", id)
      .where(canBeHeld("picture")),
  ];
}

interface HeldCase {
  /** A subquery if the same batch creates the case. */
  readonly id: number | RawBuilder<number>;
  readonly subjectId: number;
}

/** Whether a picture was held because of a match in this case. */
const isInCase = (reportId: HeldCase["id"], picture: string) =>
  sql<boolean>`${sql.ref(`${picture}.id`)} in (select m.picture_id from known_picture_match m where m.report_id = ${reportId})`;

/** For the batch that finds no violation: shows the pictures that the case held again, where their owner has them, and exempts all of the case. */
export function releaseHeldQueries(db: Database, { id, subjectId }: HeldCase, now: number): Query[] {
  const matched = db
    .selectFrom("known_picture_match as m")
    .select(["m.profile_id", "m.digest"])
    .where(sql<boolean>`m.report_id = ${id}`)
    .where("m.digest", "<>", "");
  return [
    insertFrom(db, "picture_exemption", matched, { ts_created: now }).onConflict((conflict) =>
      conflict.columns(["profile_id", "digest"]).doNothing(),
    ),
    // Pictures that were hidden with the case return at the end of their album; held ones kept their place.
    db
      .updateTable("profile")
      .set({
        own_pics_public: appendHidden("pics_public", "public", id),
        own_pics_private: appendHidden("pics_private", "private", id),
      })
      .where("id", "=", subjectId)
      .where(hasMatches(id)),
    db
      .updateTable("picture")
      .set({ hidden_by_staff: PICTURE_STATES.open })
      .where(isInCase(id, "picture"))
      .where(sql<boolean>`not ${isOpen("picture")}`)
      .where(sql<boolean>`not ${hiddenByDecision(sql.ref("picture.id"))}`),
    updateAlbumsQuery(db, id, subjectId),
  ];
}

/** For the batch that finds a violation: hides the pictures that the case held, which their owner is told by the action. */
export function hideHeldQueries(db: Database, { id, subjectId }: HeldCase): Query[] {
  return [
    db
      .updateTable("picture")
      .set({ hidden_by_staff: PICTURE_STATES.hiddenByAction })
      .where(isInCase(id, "picture"))
      .where(isHeld("picture")),
    updateAlbumsQuery(db, id, subjectId),
  ];
}

const hasMatches = (reportId: HeldCase["id"]) =>
  sql<boolean>`exists (select 1 from known_picture_match m where m.report_id = ${reportId})`;

function appendHidden(list: AlbumList, audience: "public" | "private", reportId: HeldCase["id"]) {
  const own = ownAlbum(list);
  return sql<string>`(select json_group_array(value order by place) from (
    select o.value, o.key as place from json_each(${own}) o
    union all select pic.id, 1000000 + pic.id from picture pic
    where pic.profile_id = profile.id and pic.audience = ${sql.lit(audience)} and ${isHiddenByAction("pic")} and ${isInCase(reportId, "pic")}
      and pic.id not in (select o.value from json_each(${own}) o)
      and not ${hiddenByDecision(sql.ref("pic.id"))}))`;
}

/** Rebuilds the albums that others see from the owner's, and drops the owner's own lists when no picture is held any more. */
function updateAlbumsQuery(db: Database, reportId: HeldCase["id"], subjectId: number): Query {
  const open = (list: AlbumList, shown: RawBuilder<boolean>) =>
    sql<string>`(select json_group_array(o.value order by o.key) from json_each(${sql.ref(`own_${list}`)}) o
      where o.value in (select pic.id from picture pic where pic.profile_id = profile.id and ${shown}))`;
  const held = sql<boolean>`exists (select 1 from picture pic where pic.profile_id = profile.id and ${isHiddenInPlace("pic")})`;
  return db
    .updateTable("profile")
    .set({
      pics_public: open("pics_public", isOpen("pic")),
      pics_private: open("pics_private", isOpen("pic")),
      own_pics_public: sql<string | null>`iif(${held}, ${open("pics_public", isShownToOwner("pic"))}, null)`,
      own_pics_private: sql<string | null>`iif(${held}, ${open("pics_private", isShownToOwner("pic"))}, null)`,
    })
    .where("id", "=", subjectId)
    .where("own_pics_public", "is not", null)
    .where(hasMatches(reportId));
}
