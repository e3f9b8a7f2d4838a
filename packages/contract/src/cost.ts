import {
  CHANGE_ROW_BYTES,
  CHANGES_PER_DAY_MAX,
  CONTACT_MESSAGES_PER_DAY_MAX,
  LIKE_ROW_BYTES,
  LIKES_PER_DAY_MAX,
  MESSAGE_BYTES_PER_DAY_MAX,
  NOTE_BYTES_TOTAL_MAX,
  PICTURE_BYTES_PER_DAY_MAX,
  PICTURE_WIDTHS_PX,
  RELATION_ROW_BYTES,
  RELATIONS_PER_DAY_MAX,
  REPORT_BYTES_PER_DAY_MAX,
  SESSION_ROW_BYTES,
  SESSIONS_PER_DAY_MAX,
  TEXT_MAX_CHARS,
  UPLOADS_PER_DAY_MAX,
} from "./limits.ts";

/** Limits count UTF-16 code units; each takes at most three bytes in UTF-8. */
const BYTES_PER_CHAR_MAX = 3;
/** A text can leave up to half of its database page empty. */
const PAGE_WASTE_MAX = 2;
/** An account with its profile, positions on three brands, and the rows that are overwritten all day. */
const ACCOUNT_BYTES = 50_000;

/** Upper bound of what one account can add to the database per day, in bytes by kind of data. */
export const DATABASE_BYTES_PER_DAY = {
  messages: MESSAGE_BYTES_PER_DAY_MAX * PAGE_WASTE_MAX,
  notes: NOTE_BYTES_TOTAL_MAX,
  likes: LIKES_PER_DAY_MAX * LIKE_ROW_BYTES,
  pictureLikes: LIKES_PER_DAY_MAX * LIKE_ROW_BYTES,
  relations: RELATIONS_PER_DAY_MAX * RELATION_ROW_BYTES,
  letters: CONTACT_MESSAGES_PER_DAY_MAX * TEXT_MAX_CHARS * BYTES_PER_CHAR_MAX * PAGE_WASTE_MAX,
  reports: REPORT_BYTES_PER_DAY_MAX,
  sessions: SESSIONS_PER_DAY_MAX * SESSION_ROW_BYTES,
  otherChanges: CHANGES_PER_DAY_MAX * CHANGE_ROW_BYTES,
  account: ACCOUNT_BYTES,
} as const;

/** The widths generated on demand take at most 4/3 of the size of the original. */
const WIDTHS_SHARE_MAX = 4 / 3;

/** Outside the database: stored pictures, and encoder calls per upload (original, preview, each width, pixelated version). */
export const PICTURES_PER_DAY = {
  bytes: Math.round(PICTURE_BYTES_PER_DAY_MAX * (1 + WIDTHS_SHARE_MAX)),
  transformations: UPLOADS_PER_DAY_MAX * (1 + 1 + PICTURE_WIDTHS_PX.length + 1),
} as const;

export function databaseBytesPerDay(accounts: number): number {
  return accounts * Object.values(DATABASE_BYTES_PER_DAY).reduce((sum, bytes) => sum + bytes, 0);
}
