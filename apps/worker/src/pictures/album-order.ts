import { type RawBuilder, sql } from "kysely";

/** The profile columns with the picture ids of the public and private album, in the member's order. */
export type AlbumList = "pics_public" | "pics_private";

/** The album as its owner sees it, including pictures that are held back from others without the owner knowing. */
export function ownAlbum(list: AlbumList, profile = "profile"): RawBuilder<string> {
  return sql<string>`coalesce(${sql.ref(`${profile}.own_${list}`)}, ${sql.ref(`${profile}.${list}`)})`;
}

/** Both, under the names of the columns that others see. */
export const ownAlbums = (profile: string) =>
  [ownAlbum("pics_public", profile).as("pics_public"), ownAlbum("pics_private", profile).as("pics_private")] as const;

/** A list without a picture, in the same order. */
export const withoutPicture = (list: AlbumList | `own_${AlbumList}`, pictureId: number): RawBuilder<string> =>
  sql<string>`(select json_group_array(o.value order by o.key) from json_each(${sql.ref(list)}) o where o.value <> ${pictureId})`;

/** The picture that stands for the owner in the owner's own view. */
export const ownFirstPicture = (profile: string): RawBuilder<number | null> =>
  sql<number | null>`${ownAlbum("pics_public", profile)} ->> 0`;

/** The list with a picture added at the end. Casts the id because D1 binds numbers as reals, and schema.sql rejects `476.0` in the list. */
export function appendPicture(
  list: AlbumList | `own_${AlbumList}` | RawBuilder<string>,
  pictureId: number | RawBuilder<number>,
): RawBuilder<string> {
  const before = typeof list === "string" ? sql.ref(`profile.${list}`) : list;
  return sql<string>`json_insert(${before}, '$[#]', cast(${pictureId} as integer))`;
}

/** Whether an album of a joined `profile as p` contains a picture. Searches the text, because json_each counts as one row read per id. */
export function isInAlbum(list: AlbumList, pictureId: RawBuilder<number>): RawBuilder<boolean> {
  return sql<boolean>`instr(',' || trim(${sql.ref(`p.${list}`)}, '[]') || ',', ',' || ${pictureId} || ',') > 0`;
}
