import { type RawBuilder, sql } from "kysely";

/** The lists of picture ids of a profile: what is in which album, in the member's order. */
export type AlbumList = "pics_public" | "pics_private";

/** The list as its owner sees it: with what is held back from others, of which the owner knows nothing. */
export function ownList(list: AlbumList, profile = "profile"): RawBuilder<string> {
  return sql<string>`coalesce(${sql.ref(`${profile}.own_${list}`)}, ${sql.ref(`${profile}.${list}`)})`;
}

/**
 * The list with a picture at its end. D1 binds every number as a real one, so the id is made an integer here: `476.0` in the list
 * would be no id that anybody finds, and schema.sql refuses it.
 */
export function withPictureAtEnd(
  list: AlbumList | `own_${AlbumList}` | RawBuilder<string>,
  pictureId: number | RawBuilder<number>,
): RawBuilder<string> {
  const before = typeof list === "string" ? sql.ref(`profile.${list}`) : list;
  return sql<string>`json_insert(${before}, '$[#]', cast(${pictureId} as integer))`;
}

/** Whether the list of a joined profile holds a picture: by its text, which reads no row, where json_each reads one for each id. */
export function isInAlbum(list: AlbumList, pictureId: RawBuilder<number>, profile = "p"): RawBuilder<boolean> {
  return sql<boolean>`instr(',' || trim(${sql.ref(`${profile}.${list}`)}, '[]') || ',', ',' || ${pictureId} || ',') > 0`;
}
