import { ONCE_UNSENT_RETENTION_MS } from "@lambda/contract/limits";
import type { OwnPicture, Picture } from "@lambda/contract/pictures";
import { type RawBuilder, sql } from "kysely";
import { ageAllowsPicture } from "../accounts/age/explicit-pictures.ts";
import { type Database, insertIf, type Query, valuesOf } from "../platform/db/database.ts";
import type { PictureRow } from "../platform/db/tables.ts";
import { notFound } from "../platform/errors.ts";
import type { PerceptualHash } from "../platform/images/perceptual-hash.ts";
import { toIso } from "../platform/iso-time.ts";
import { withdrawnByStay } from "../visibility/stays/stay-rules.ts";
import { albumOpenTo, firstPictureOf, visibleTo } from "../visibility/visibility.ts";
import type { PictureContext } from "./access.ts";
import { type AlbumList, ownAlbums, withoutPicture } from "./album-order.ts";
import { hiddenByNotice, isOpen, PICTURE_STATES } from "./hidden.ts";
import { holdPictureQueries, insertMatchQuery, type NewMatch } from "./known/held.ts";

/** A member's own pictures in album order, public ones first; pictures hidden by staff come last. */
export async function listOwnPictures(db: Database, profileId: number): Promise<PictureRow[]> {
  const rows = await db
    .selectFrom("profile as p")
    .innerJoin("picture as pic", "pic.profile_id", "p.id")
    .selectAll("pic")
    .select(ownAlbums("p"))
    .where("p.id", "=", profileId)
    .where("pic.audience", "in", ["public", "private"])
    .execute();
  return sortByAlbumOrder(rows);
}

/**
 * Another member's pictures that the viewer may see, in the owner's order, public ones first. The album condition uses the owner's id
 * instead of a column, so that it reads one row instead of one per picture.
 */
export async function listVisiblePictures(ctx: PictureContext, profileId: number) {
  const { db, brand, viewer, now } = ctx;
  const rows = await db
    .selectFrom("profile as p")
    .innerJoin("picture as pic", "pic.profile_id", "p.id")
    .select(["pic.id", "pic.profile_id", "pic.audience", "pic.width", "pic.height", "pic.placeholder", "pic.version"])
    .select(["pic.nsfw_owner", "pic.nsfw_community", "p.pics_public", "p.pics_private"])
    .select((ageAllowsPicture(ctx) ?? sql<boolean>`1`).as("clear"))
    .where("p.id", "=", profileId)
    .where(visibleTo({ brand, viewer }))
    .where(isOpen("pic"))
    .where((eb) =>
      eb.or([
        eb("pic.audience", "=", "public"),
        eb.and([eb("pic.audience", "=", "private"), albumOpenTo({ viewer, now }, sql.val(profileId))]),
      ]),
    )
    .execute();
  return sortByAlbumOrder(rows);
}

/** Previews of the first pictures of the members whom the viewer may see. */
export function listPreviews({ db, ...ctx }: PictureContext, profileIds: readonly number[]) {
  return db
    .selectFrom(valuesOf(profileIds, "requested"))
    .crossJoin("profile as p")
    .crossJoin("picture as pic")
    .select(["pic.profile_id", "pic.id", "pic.preview"])
    .whereRef("p.id", "=", "requested.column1")
    .where(sql<boolean>`pic.id = ${firstPictureOf("p")}`)
    .where("pic.preview", "<>", "")
    .where("pic.audience", "=", "public")
    .where(isOpen("pic"))
    .where(visibleTo(ctx))
    .execute();
}

/** Sorts here because in SQL every lookup in the lists would count as a row read. */
function sortByAlbumOrder<Row extends { id: number; pics_public: string; pics_private: string }>(rows: Row[]): Row[] {
  const [first] = rows;
  if (!first) return rows;
  const order = [...(JSON.parse(first.pics_public) as number[]), ...(JSON.parse(first.pics_private) as number[])];
  const indexes = new Map(order.map((id, index) => [id, index]));
  const indexOf = ({ id }: Row) => indexes.get(id) ?? order.length;
  return rows.sort((one, other) => indexOf(one) - indexOf(other) || one.id - other.id);
}

/** Throws NOT_FOUND, also for pictures that open once, which nobody can view, change or replace. */
export function getOwnPicture(db: Database, profileId: number, id: number): Promise<PictureRow> {
  return db
    .selectFrom("picture")
    .selectAll()
    .where("id", "=", id)
    .where("profile_id", "=", profileId)
    .where("audience", "<>", "once")
    .executeTakeFirstOrThrow(notFound);
}

export function findPictureByClientId(db: Database, profileId: number, clientId: string) {
  return db
    .selectFrom("picture")
    .selectAll()
    .where("profile_id", "=", profileId)
    .where("client_id", "=", clientId)
    .executeTakeFirst();
}

/** Whether a notice hides a picture from everybody. */
export async function isWithheld(db: Database, id: number): Promise<boolean> {
  const row = await db.selectNoFrom(hiddenByNotice(id).as("withheld")).executeTakeFirst();
  return Boolean(row?.withheld);
}

/** The initial `hidden_by_staff` of an explicit picture. */
function stateOfExplicit(profileId: number): RawBuilder<0 | 3> {
  const { open, withdrawnByStay: withdrawn } = PICTURE_STATES;
  return sql`iif(${withdrawnByStay(profileId)}, ${sql.lit(withdrawn)}, ${sql.lit(open)})`;
}

/** By what copies of a picture are found. */
export interface PictureLook {
  readonly hash: PerceptualHash;
  readonly sealedPrint: Uint8Array;
}

/** Inserts a picture and its hash before the bytes are stored. It is in no album or message yet, so only its owner can request it. */
export function insertPictureQueries(
  db: Database,
  picture: Pick<PictureRow, "width" | "height" | "bytes" | "placeholder" | "preview"> & {
    profileId: number;
    /** `once` for a message picture that opens once. Album pictures start as `chat` and are published afterwards. */
    audience: "chat" | "once";
    nsfw: boolean;
    harmless: boolean;
    look: PictureLook;
    match: NewMatch | undefined;
    now: number;
    client_id?: string | null;
  },
): [Query<PictureRow>, ...Query[]] {
  const { profileId, nsfw, harmless, look, match, now, ...rest } = picture;
  const isHeld = match !== undefined && match.effect !== "none";
  return [
    db
      .insertInto("picture")
      .values({
        ...rest,
        profile_id: profileId,
        nsfw_owner: nsfw ? 1 : 0,
        hidden_by_staff: isHeld ? PICTURE_STATES.held : nsfw ? stateOfExplicit(profileId) : PICTURE_STATES.open,
        harmless_owner: harmless && !nsfw ? 1 : 0,
        ts_created: now,
        ts_updated: now,
      })
      .returningAll(),
    db.insertInto("picture_hash").values({ ...hashColumns(look), picture_id: sql<number>`last_insert_rowid()` }),
    ...(match ? [insertMatchQuery(db, { ...match, profileId, pictureId: sql<number>`last_insert_rowid()`, now })] : []),
    ...(picture.audience === "once" ? [insertOnceViewQuery(db, profileId, now)] : []),
  ];
}

const hashColumns = ({ hash: { hash, quality }, sealedPrint }: PictureLook) => ({
  hash,
  quality,
  sealed_print: Buffer.from(sealedPrint),
});

/** For the picture that this batch has just inserted, the member's newest of its kind. Unsent ones are deleted after a day. */
function insertOnceViewQuery(db: Database, profileId: number, now: number): Query {
  const pictureId = sql<number>`(select max(id) from picture where profile_id = ${profileId} and audience = 'once')`;
  return db
    .insertInto("once_view")
    .values({ picture_id: pictureId, sender_id: profileId, ts_due: now + ONCE_UNSENT_RETENTION_MS });
}

export async function countAlbumPictures(db: Database, profileId: number): Promise<number> {
  const row = await db
    .selectFrom("picture")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("profile_id", "=", profileId)
    .where("audience", "in", ["public", "private"])
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Deletes the picture and removes it from both albums. */
export function deletePictureQueries(
  db: Database,
  picture: Pick<PictureRow, "id" | "profile_id">,
  now: number,
): Query[] {
  return [
    removeFromAlbumsQuery(db, picture, now),
    db.deleteFrom("picture").where("id", "=", picture.id).where("profile_id", "=", picture.profile_id),
  ];
}

/** For the batch of a moderation action: hides a picture from everyone but its owner and staff, and removes it from the albums. */
export function hidePictureQueries(db: Database, picture: Pick<PictureRow, "id" | "profile_id">, now: number): Query[] {
  return [
    db
      .updateTable("picture")
      .set({ hidden_by_staff: PICTURE_STATES.hiddenByAction, ts_updated: now })
      .where("id", "=", picture.id),
    removeFromAlbumsQuery(db, picture, now),
  ];
}

function removeFromAlbumsQuery(db: Database, picture: Pick<PictureRow, "id" | "profile_id">, now: number): Query {
  const without = (list: AlbumList | `own_${AlbumList}`) => withoutPicture(list, picture.id);
  const withoutOwn = (list: AlbumList) =>
    sql<string>`iif(${sql.ref(`own_${list}`)} is null, null, ${without(`own_${list}`)})`;
  return db
    .updateTable("profile")
    .set({ pics_public: without("pics_public"), pics_private: without("pics_private"), ts_updated: now })
    .set({ own_pics_public: withoutOwn("pics_public"), own_pics_private: withoutOwn("pics_private") })
    .where("id", "=", picture.profile_id);
}

/** Replaces the stored version. The first query returns the new row, or none when a concurrent replacement won. */
export function replacePictureQueries(
  db: Database,
  old: PictureRow,
  changes: Pick<PictureRow, "version" | "width" | "height" | "bytes" | "placeholder" | "preview" | "ts_updated">,
  look: PictureLook,
  match: NewMatch | undefined,
): [Query<PictureRow>, ...Query[]] {
  const { id: pictureId, profile_id: profileId } = old;
  const hashed = hashColumns(look);
  const isReplaced = db
    .selectFrom("picture")
    .select("id")
    .where("id", "=", pictureId)
    .where("version", "=", changes.version);
  return [
    db
      .updateTable("picture")
      .set({ ...changes, wants_crop: 0 })
      .where("id", "=", old.id)
      .where("version", "=", old.version)
      .returningAll(),
    insertIf(db, "picture_hash", { picture_id: pictureId, ...hashed }, ({ exists }) => exists(isReplaced)).onConflict(
      (conflict) => conflict.column("picture_id").doUpdateSet({ ...hashed, compared: 0 }),
    ),
    ...(match
      ? [
          insertMatchQuery(db, { ...match, profileId, pictureId, now: changes.ts_updated }),
          ...(match.effect === "none" ? [] : holdPictureQueries(db, { id: pictureId, profile_id: profileId })),
        ]
      : []),
  ];
}

export function updatePicture(
  db: Database,
  profileId: number,
  id: number,
  changes: Partial<Pick<PictureRow, "nsfw_owner" | "harmless_owner" | "wants_crop" | "ts_updated">>,
): Promise<PictureRow> {
  return db
    .updateTable("picture")
    .set(changes)
    .where("id", "=", id)
    .where("profile_id", "=", profileId)
    .where("audience", "<>", "once")
    .returningAll()
    .executeTakeFirstOrThrow(notFound);
}

/** For any member who may see the picture. */
export function toPicture(
  row: Pick<
    PictureRow,
    "id" | "profile_id" | "audience" | "width" | "height" | "placeholder" | "version" | "nsfw_owner" | "nsfw_community"
  > & { readonly clear?: boolean },
): Picture {
  return {
    id: row.id,
    profileId: row.profile_id,
    audience: row.audience,
    width: row.width,
    height: row.height,
    placeholder: row.placeholder,
    nsfw: row.nsfw_owner === 1 || row.nsfw_community === 1,
    covered: row.clear !== undefined && !row.clear,
    version: row.version,
  };
}

/** For its owner. */
export function toOwnPicture(row: PictureRow): OwnPicture {
  return {
    ...toPicture(row),
    nsfwByOwner: row.nsfw_owner === 1,
    nsfwByCommunity: row.nsfw_community === 1,
    harmlessByOwner: row.harmless_owner === 1,
    wantsCrop: row.wants_crop === 1,
    hiddenByStaff: row.hidden_by_staff === PICTURE_STATES.hiddenByAction,
    tsCreated: toIso(row.ts_created),
  };
}
