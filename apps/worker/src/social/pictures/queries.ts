import { ONCE_UNSENT_MS, PICTURES_PER_PROFILE_MAX } from "@lambda/contract/limits";
import type { OwnPicture, Picture } from "@lambda/contract/pictures";
import { type RawBuilder, sql } from "kysely";
import { clearFor } from "../../members/age/cover.ts";
import { albumOpenTo, visibleTo } from "../../members/visibility/visibility.ts";
import type { Compiled } from "../../platform/db/batch.ts";
import { valuesOf } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import type { PictureRow } from "../../platform/db/tables.ts";
import type { PerceptualHash } from "../../platform/images/perceptual-hash.ts";
import type { PictureAsker } from "./access.ts";
import { type AlbumList, ownList, withPictureAtEnd } from "./album-order.ts";
import { holdPictureQueries, insertMatchQuery, type NewMatch } from "./known/held.ts";

/** The own pictures of both albums in their order, public ones first; what staff hid comes last. */
export async function listOwnPictures(db: Database, profileId: number): Promise<PictureRow[]> {
  const rows = await db
    .selectFrom("profile as p")
    .innerJoin("picture as pic", "pic.profile_id", "p.id")
    .selectAll("pic")
    .select([ownList("pics_public", "p").as("pics_public"), ownList("pics_private", "p").as("pics_private")])
    .where("p.id", "=", profileId)
    .where("pic.audience", "in", ["public", "private"])
    .execute();
  return inOrder(rows);
}

/**
 * Another member's pictures that the asker may see, in the owner's order, public ones first. Whether the album is open is asked of the
 * owner's id and not of a column, so that it costs one row and not one for each picture.
 */
export async function listOpenPictures(asker: PictureAsker, profileId: number) {
  const { db, brand, viewer, now } = asker;
  const rows = await db
    .selectFrom("profile as p")
    .innerJoin("picture as pic", "pic.profile_id", "p.id")
    .select(["pic.id", "pic.profile_id", "pic.audience", "pic.width", "pic.height", "pic.placeholder", "pic.version"])
    .select(["pic.nsfw_owner", "pic.nsfw_community", "p.pics_public", "p.pics_private"])
    .select((clearFor(asker) ?? sql<boolean>`1`).as("clear"))
    .where("p.id", "=", profileId)
    .where(visibleTo({ brand, viewer }))
    .where("pic.hidden_by_staff", "=", 0)
    .where((eb) =>
      eb.or([
        eb("pic.audience", "=", "public"),
        eb.and([eb("pic.audience", "=", "private"), albumOpenTo({ viewer, now }, sql.val(profileId))]),
      ]),
    )
    .execute();
  return inOrder(rows);
}

/** Previews of the first pictures of those of the members who may be seen. */
export function listPreviews(
  { db, ...onlooker }: PictureAsker,
  profileIds: readonly number[],
): Promise<{ profile_id: number; id: number; preview: string }[]> {
  return db
    .selectFrom(valuesOf(profileIds, "asked"))
    .crossJoin("profile as p")
    .crossJoin("picture as pic")
    .select(["pic.profile_id", "pic.id", "pic.preview"])
    .whereRef("p.id", "=", "asked.column1")
    .where(sql<boolean>`pic.id = p.pics_public ->> 0`)
    .where("pic.preview", "<>", "")
    .where("pic.audience", "=", "public")
    .where("pic.hidden_by_staff", "=", 0)
    .where(visibleTo(onlooker))
    .execute();
}

/** Sorts here and not in SQL, where each look into the lists would count as rows read. */
function inOrder<Row extends { id: number; pics_public: string; pics_private: string }>(rows: Row[]): Row[] {
  const [first] = rows;
  if (!first) return rows;
  const order = [...(JSON.parse(first.pics_public) as number[]), ...(JSON.parse(first.pics_private) as number[])];
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = ({ id }: Row) => places.get(id) ?? order.length;
  return rows.sort((one, other) => placeOf(one) - placeOf(other) || one.id - other.id);
}

/** One that opens once is nobody's to look at, change or replace. */
export function findOwnPicture(db: Database, profileId: number, id: number): Promise<PictureRow | undefined> {
  return db
    .selectFrom("picture")
    .selectAll()
    .where("id", "=", id)
    .where("profile_id", "=", profileId)
    .where("audience", "<>", "once")
    .executeTakeFirst();
}

/** Whether a notice withholds a picture from everybody. */
export async function isWithheld(db: Database, id: number): Promise<boolean> {
  const row = await db
    .selectFrom("notice_picture")
    .select("picture_id")
    .where("picture_id", "=", id)
    .where(sql<boolean>`state in ('hidden', 'removed')`)
    .executeTakeFirst();
  return row !== undefined;
}

/** How an explicit picture begins while its owner is where such pictures are withdrawn. */
function withdrawnOf(profileId: number): RawBuilder<0 | 3> {
  return sql`iif(exists (select 1 from travel_stay s where s.profile_id = ${profileId} and s.withdrawn = 1), 3, 0)`;
}

/** A row for bytes that are not stored yet, and what they look like: in no album and in no message, so nobody but its owner can ask for it. */
export function insertPictureQueries(
  db: Database,
  picture: {
    profileId: number;
    /** once: for one message alone. Any other is put into its album afterwards. */
    audience: "chat" | "once";
    width: number;
    height: number;
    bytes: number;
    placeholder: string;
    preview: string;
    nsfw: boolean;
    harmless: boolean;
    hash: PerceptualHash;
    /** What it must be held for. */
    match: NewMatch | undefined;
    now: number;
  },
): Compiled[] {
  const { profileId, nsfw, harmless, hash, match, now, ...rest } = picture;
  return [
    db
      .insertInto("picture")
      .values({
        ...rest,
        profile_id: profileId,
        nsfw_owner: nsfw ? 1 : 0,
        hidden_by_staff: match ? 2 : nsfw ? withdrawnOf(profileId) : 0,
        harmless_owner: harmless && !nsfw ? 1 : 0,
        ts_created: now,
        ts_updated: now,
      })
      .returningAll()
      .compile(),
    db
      .insertInto("picture_hash")
      .values({ ...hash, picture_id: sql<number>`last_insert_rowid()` })
      .compile(),
    ...(match ? [insertMatchQuery(db, { ...match, profileId, pictureId: sql<number>`last_insert_rowid()`, now })] : []),
    ...(picture.audience === "once" ? [insertOnceQuery(db, profileId, now)] : []),
  ];
}

/** Of the picture that the batch has just inserted, the newest of its kind. One that is not sent goes after a day. */
function insertOnceQuery(db: Database, profileId: number, now: number): Compiled {
  const pictureId = sql<number>`(select max(id) from picture where profile_id = ${profileId} and audience = 'once')`;
  return db
    .insertInto("once_view")
    .values({ picture_id: pictureId, sender_id: profileId, ts_due: now + ONCE_UNSENT_MS })
    .compile();
}

/** Originals of both albums and of messages together. */
export async function getStoredPictureBytes(db: Database, profileId: number): Promise<number> {
  const query = db.selectFrom("stored_bytes").select("pictures").where("profile_id", "=", profileId);
  return (await query.executeTakeFirst())?.pictures ?? 0;
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

/**
 * Puts a stored picture at the end of an album, row and order together; answers no row when the albums are full. Counted here, in
 * the transaction: of uploads that come at once each was let in by a count from before the others.
 */
export function publishPictureQueries(
  db: Database,
  picture: PictureRow,
  audience: "public" | "private",
  now: number,
): Compiled[] {
  const list: AlbumList = audience === "public" ? "pics_public" : "pics_private";
  const shown = {
    [list]: withPictureAtEnd(list, picture.id),
    [`own_${list}`]: withPictureAtEnd(`own_${list}`, picture.id),
  };
  const held = {
    own_pics_public: ownList("pics_public"),
    own_pics_private: ownList("pics_private"),
    [`own_${list}`]: withPictureAtEnd(ownList(list), picture.id),
  };
  return [
    db
      .updateTable("picture")
      .set({ audience })
      .where("id", "=", picture.id)
      .where(
        sql<boolean>`(select count(*) from picture o where o.profile_id = ${picture.profile_id}
          and o.audience in ('public', 'private')) < ${sql.lit(PICTURES_PER_PROFILE_MAX)}`,
      )
      .returning("id")
      .compile(),
    db
      .updateTable("profile")
      .set({ ...(picture.hidden_by_staff === 0 ? shown : held), ts_updated: now })
      .where("id", "=", picture.profile_id)
      .where((eb) =>
        eb.exists(eb.selectFrom("picture").select("id").where("id", "=", picture.id).where("audience", "=", audience)),
      )
      .compile(),
  ];
}

/** Removes the row, and its id from both orders. */
export function deletePictureQueries(
  db: Database,
  picture: Pick<PictureRow, "id" | "profile_id">,
  now: number,
): Compiled[] {
  return [
    withoutPictureQuery(db, picture, now),
    db.deleteFrom("picture").where("id", "=", picture.id).where("profile_id", "=", picture.profile_id).compile(),
  ];
}

/**
 * For moderation, to be put into the batch of the action: hides a picture from all but its owner and staff, and takes it out
 * of the orders.
 */
export function hidePictureQueries(
  db: Database,
  picture: Pick<PictureRow, "id" | "profile_id">,
  now: number,
): Compiled[] {
  return [
    db.updateTable("picture").set({ hidden_by_staff: 1, ts_updated: now }).where("id", "=", picture.id).compile(),
    withoutPictureQuery(db, picture, now),
  ];
}

function withoutPictureQuery(db: Database, picture: Pick<PictureRow, "id" | "profile_id">, now: number): Compiled {
  const without = (list: AlbumList | `own_${AlbumList}`) =>
    sql<string>`(select json_group_array(o.value order by o.key) from json_each(${sql.ref(list)}) o where o.value <> ${picture.id})`;
  const withoutOwn = (list: AlbumList) =>
    sql<string>`iif(${sql.ref(`own_${list}`)} is null, null, ${without(`own_${list}`)})`;
  return db
    .updateTable("profile")
    .set({ pics_public: without("pics_public"), pics_private: without("pics_private"), ts_updated: now })
    .set({ own_pics_public: withoutOwn("pics_public"), own_pics_private: withoutOwn("pics_private") })
    .where("id", "=", picture.profile_id)
    .compile();
}

/** Swaps the stored version; the first answers the new row, or none when another replacement came first. */
export function replacePictureQueries(
  db: Database,
  old: PictureRow,
  changes: Pick<PictureRow, "version" | "width" | "height" | "bytes" | "placeholder" | "preview" | "ts_updated">,
  { hash, quality }: PerceptualHash,
  match: NewMatch | undefined,
): Compiled[] {
  const { id: pictureId, profile_id: profileId } = old;
  return [
    db
      .updateTable("picture")
      .set({ ...changes, wants_crop: 0 })
      .where("id", "=", old.id)
      .where("version", "=", old.version)
      .returningAll()
      .compile(),
    db
      .insertInto("picture_hash")
      .columns(["picture_id", "hash", "quality"])
      .expression((select) =>
        select
          .selectFrom("picture")
          .select((eb) => ["id as picture_id", eb.val(hash).as("hash"), eb.val(quality).as("quality")])
          .where("id", "=", old.id)
          .where("version", "=", changes.version),
      )
      .onConflict((conflict) => conflict.column("picture_id").doUpdateSet({ hash, quality, compared: 0 }))
      .compile(),
    ...(match
      ? [
          insertMatchQuery(db, { ...match, profileId, pictureId, now: changes.ts_updated }),
          ...holdPictureQueries(db, { id: pictureId, profile_id: profileId }),
        ]
      : []),
  ];
}

export function updatePicture(
  db: Database,
  profileId: number,
  id: number,
  changes: Partial<Pick<PictureRow, "nsfw_owner" | "harmless_owner" | "wants_crop" | "ts_updated">>,
): Promise<PictureRow | undefined> {
  return db
    .updateTable("picture")
    .set(changes)
    .where("id", "=", id)
    .where("profile_id", "=", profileId)
    .where("audience", "<>", "once")
    .returningAll()
    .executeTakeFirst();
}

/** What any member who may see the picture reads about it. */
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

/** What its owner reads besides. */
export function toOwnPicture(row: PictureRow): OwnPicture {
  return {
    ...toPicture(row),
    nsfwByOwner: row.nsfw_owner === 1,
    nsfwByCommunity: row.nsfw_community === 1,
    harmlessByOwner: row.harmless_owner === 1,
    wantsCrop: row.wants_crop === 1,
    hiddenByStaff: row.hidden_by_staff === 1,
    tsCreated: new Date(row.ts_created).toISOString(),
  };
}
