import { type RawBuilder, sql } from "kysely";

/** SQL condition: a notice hides the picture from everybody but its owner, who sees it pixelated. */
export function hiddenByNotice(pictureId: number | RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from notice_picture n where n.picture_id = ${pictureId} and n.state in ('hidden', 'removed'))`;
}

/** SQL condition: an action or a notice hides the picture, whatever becomes of a match with a known picture. */
export function hiddenByDecision(pictureId: number | RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(exists (select 1 from moderation_action a
    where a.picture_id = ${pictureId} and a.kind = 'hide_picture' and a.ts_lifted is null) or ${hiddenByNotice(pictureId)})`;
}
