import { ONCE_UNSENT_RETENTION_MS, PICTURES_PER_PROFILE_MAX } from "@lambda/contract/limits";
import type { OwnPicture, Picture } from "@lambda/contract/pictures";
import { type Insertable, type RawBuilder, sql } from "kysely";
import { ageAllowsPicture } from "../accounts/age/explicit-pictures.ts";
import { type Database, insertIf, type Query, valuesOf } from "../platform/db/database.ts";
import type { PictureRow, Tables } from "../platform/db/tables.ts";
import { notFound } from "../platform/errors.ts";
import type { PerceptualHash } from "../platform/images/perceptual-hash.ts";
import { toIso } from "../platform/iso-time.ts";
import { withdrawnByStay } from "../visibility/stays/stay-rules.ts";
import { albumOpenTo, firstPictureOf, visibleTo } from "../visibility/visibility.ts";
import type { PictureContext } from "./access.ts";
import { type AlbumList, appendPicture, ownAlbum, ownAlbums, withoutPicture } from "./album-order.ts";
import { hiddenByNotice, isOpen, PICTURE_STATES } from "./hidden.ts";
import { holdPictureQueries, insertMatchQuery, matchColumns, type NewMatch } from "./known/held.ts";

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

/** Throws NOT_FOUND, unless `once` also for pictures that open once, which nobody can view, change or replace. */
export function getOwnPicture(
  db: Database,
  profileId: number,
  id: number,
  { once = false }: { readonly once?: boolean } = {},
): Promise<PictureRow> {
  const own = db.selectFrom("picture").selectAll().where("id", "=", id).where("profile_id", "=", profileId);
  return (once ? own : own.where("audience", "<>", "once")).executeTakeFirstOrThrow(notFound);
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

/** The row that an upload's id comes from: without bytes, and in no album or message. A retry gets the first one's. */
export async function reservePicture(
  db: Database,
  { profileId, clientId, now }: { profileId: number; clientId: string | undefined; now: number },
): Promise<{ readonly id: number; readonly isNew: boolean }> {
  const reserved = await db
    .insertInto("picture")
    .values({
      ...{ profile_id: profileId, audience: "chat", width: 0, height: 0, bytes: 0 },
      ...{ client_id: clientId ?? null, ts_created: now, ts_updated: now },
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (reserved) return { ...reserved, isNew: true };
  const first = clientId === undefined ? undefined : await findPictureByClientId(db, profileId, clientId);
  if (!first) throw new Error("a picture was not reserved");
  return { id: first.id, isNew: false };
}

/**
 * Publishes an upload whose bytes are stored. The first query returns the row, or none when another attempt has published it, or its album
 * is full; then the others do nothing either.
 */
export function publishPictureQueries(
  db: Database,
  { id, profile_id, version, audience }: Pick<PictureRow, "id" | "profile_id" | "version" | "audience">,
  picture: Pick<PictureRow, "width" | "height" | "bytes" | "placeholder" | "preview"> & {
    nsfw: boolean;
    harmless: boolean;
    look: PictureLook;
    match: NewMatch | undefined;
    now: number;
  },
): [Query<PictureRow>, ...Query[]] {
  const { nsfw, harmless, look, match, now, ...columns } = picture;
  const isHeld = match !== undefined && match.effect !== "none";
  const isInNoAlbum = audience === "chat" || audience === "once";
  const hasRoom = sql<boolean>`(select count(*) from picture o where o.profile_id = ${profile_id}
    and o.audience in ('public', 'private')) < ${sql.lit(PICTURES_PER_PROFILE_MAX)}`;
  const isPublished = publishedAs(db, { id, version });
  const ifPublished = <Table extends keyof Tables & string>(table: Table, row: Insertable<Tables[Table]>) =>
    insertIf(db, table, row, ({ exists }) => exists(isPublished));
  return [
    db
      .updateTable("picture")
      .set({
        ...columns,
        ...{ version, audience, nsfw_owner: nsfw ? 1 : 0, harmless_owner: harmless && !nsfw ? 1 : 0, ts_updated: now },
        hidden_by_staff: isHeld ? PICTURE_STATES.held : nsfw ? stateOfExplicit(profile_id) : PICTURE_STATES.open,
      })
      .where("id", "=", id)
      .where("bytes", "=", 0)
      .where(isInNoAlbum ? sql<boolean>`1` : hasRoom)
      .returningAll(),
    ifPublished("picture_hash", { picture_id: id, ...hashColumns(look) }),
    ...(match
      ? [ifPublished("known_picture_match", matchColumns({ ...match, profileId: profile_id, pictureId: id, now }))]
      : []),
    ...(audience === "once"
      ? [ifPublished("once_view", { picture_id: id, sender_id: profile_id, ts_due: now + ONCE_UNSENT_RETENTION_MS })]
      : []),
    ...(isInNoAlbum ? [] : [appendToAlbumQuery(db, { id, profile_id, version, audience }, now)]),
  ];
}

/** At the end of its album: in both lists, or in its owner's alone while others must not see it. */
function appendToAlbumQuery(
  db: Database,
  { id, profile_id, version, audience }: Pick<PictureRow, "id" | "profile_id" | "version" | "audience">,
  now: number,
): Query {
  const list: AlbumList = audience === "public" ? "pics_public" : "pics_private";
  const other: AlbumList = audience === "public" ? "pics_private" : "pics_public";
  const isShown = sql<boolean>`exists (select 1 from picture pic where pic.id = ${id} and ${isOpen("pic")})`;
  return db
    .updateTable("profile")
    .set({
      [list]: sql`iif(${isShown}, ${appendPicture(list, id)}, ${sql.ref(list)})`,
      [`own_${list}`]: sql`iif(${isShown}, ${appendPicture(`own_${list}`, id)}, ${appendPicture(ownAlbum(list), id)})`,
      [`own_${other}`]: sql`iif(${isShown}, ${sql.ref(`own_${other}`)}, ${ownAlbum(other)})`,
      ts_updated: now,
    })
    .where("id", "=", profile_id)
    .where(({ exists }) => exists(publishedAs(db, { id, version })));
}

const publishedAs = (db: Database, { id, version }: Pick<PictureRow, "id" | "version">) =>
  db.selectFrom("picture").select("id").where("id", "=", id).where("version", "=", version).where("bytes", ">", 0);

/** Of an upload that is refused until staff have looked: a row without bytes, which the nightly job deletes. */
export function insertRefusedQueries(
  db: Database,
  refused: Pick<PictureRow, "width" | "height"> & {
    profileId: number;
    look: PictureLook;
    match: NewMatch;
    now: number;
  },
): Query[] {
  const { profileId, width, height, look, match, now } = refused;
  const pictureId = sql<number>`last_insert_rowid()`;
  return [
    db.insertInto("picture").values({
      ...{ profile_id: profileId, audience: "chat", width, height, bytes: 0, nsfw_owner: 1 },
      ...{ hidden_by_staff: PICTURE_STATES.held, ts_created: now, ts_updated: now },
    }),
    db.insertInto("picture_hash").values({ ...hashColumns(look), picture_id: pictureId }),
    insertMatchQuery(db, { ...match, profileId, pictureId, now }),
  ];
}

const hashColumns = ({ hash: { hash, quality }, sealedPrint }: PictureLook) => ({
  hash,
  quality,
  sealed_print: Buffer.from(sealedPrint),
});

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
