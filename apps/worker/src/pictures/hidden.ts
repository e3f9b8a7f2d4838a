/** Whether and why others do not see a picture. An open one they see if its album or message is open to them. */
import { type RawBuilder, sql } from "kysely";

/** The values of `picture.hidden_by_staff`; schema.sql has the same numbers. */
export const PICTURE_STATES = {
  open: 0,
  /** Its owner was notified of the action. */
  hiddenByAction: 1,
  /** It looks like a known picture; its owner does not learn of it until staff decide. */
  held: 2,
  /** Not by staff: its owner is in a country that punishes. */
  withdrawnByStay: 3,
} as const;

type State = keyof typeof PICTURE_STATES;

function isIn(picture: string, ...states: readonly State[]): RawBuilder<boolean> {
  const values = sql.join(states.map((state) => sql.lit(PICTURE_STATES[state])));
  return sql<boolean>`${sql.ref(`${picture}.hidden_by_staff`)} in (${values})`;
}

/** SQL condition on a row of `picture`, named by its alias, like those below. */
export const isOpen = (picture: string): RawBuilder<boolean> => isIn(picture, "open");

export const isHiddenByAction = (picture: string): RawBuilder<boolean> => isIn(picture, "hiddenByAction");

export const isHeld = (picture: string): RawBuilder<boolean> => isIn(picture, "held");

/** Others do not see it, while its owner has it in its place. */
export const isHiddenInPlace = (picture: string): RawBuilder<boolean> => isIn(picture, "held", "withdrawnByStay");

/** It is in its owner's albums. */
export function isShownToOwner(picture: string): RawBuilder<boolean> {
  return isIn(picture, "open", "held", "withdrawnByStay");
}

/** It may become held: an action already has a case. */
export const canBeHeld = (picture: string): RawBuilder<boolean> => isIn(picture, "open", "withdrawnByStay");

/** SQL condition: a notice hides the picture from everybody but its owner, who sees it pixelated. */
export function hiddenByNotice(pictureId: number | RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from notice_picture n where n.picture_id = ${pictureId} and n.state in ('hidden', 'removed'))`;
}

/** SQL condition: an action or a notice hides the picture, whatever becomes of a match with a known picture. */
export function hiddenByDecision(pictureId: number | RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(exists (select 1 from moderation_action a
    where a.picture_id = ${pictureId} and a.kind = 'hide_picture' and a.ts_lifted is null) or ${hiddenByNotice(pictureId)})`;
}
