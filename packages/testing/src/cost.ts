/** What accounts and visitors can cost at most, computed from the limits (docs/SCALE.md). */
import { WORK_PRICES } from "@lambda/contract/cost";
import {
  CHANGE_ROW_BYTES,
  CHANGES_PER_DAY_MAX,
  CONTACT_MESSAGES_PER_DAY_MAX,
  IMAGE_WORK_MEMBER_MAX,
  IMAGE_WORK_MEMBER_NEW_MAX,
  IMAGE_WORK_NEW_SHARE,
  IMAGE_WORK_PER_DAY_MAX,
  IMAGE_WORK_PER_UPLOAD,
  LIKE_ROW_BYTES,
  LIKES_PER_DAY_MAX,
  LOGIN_LINKS_PER_HOUR_NORMAL,
  MESSAGE_BYTES_PER_DAY_MAX,
  NOTE_BYTES_TOTAL_MAX,
  NOTICE_CONTACT_MAX_CHARS,
  NOTICE_LOCATION_MAX_CHARS,
  NOTICE_PICTURES_MAX,
  NOTICE_WORK_ANSWERS,
  NOTICE_WORK_BITS,
  NOTICE_WORK_EXTRA_BITS,
  NOTICE_WORK_STEPS_MAX,
  NOTICES_OF_FLOODS_PER_STEP,
  PICTURE_BYTES_PER_DAY_MAX,
  PICTURE_WIDTHS_PX,
  PROOF_MAILS_FREE_PER_DAY,
  REAL_NAME_MAX_CHARS,
  RELATION_ROW_BYTES,
  RELATIONS_PER_DAY_MAX,
  REPORT_BYTES_PER_DAY_MAX,
  SESSION_ROW_BYTES,
  SESSIONS_PER_DAY_MAX,
  TEXT_MAX_CHARS,
  WORK_PER_DAY_MAX,
  WORK_RESERVE,
} from "@lambda/contract/limits";
import { GB, microdollarsOf, PRICES } from "@lambda/contract/prices";

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

/** Outside the database: stored pictures, and transformations of one member's uploads. */
export const PICTURES_PER_DAY = {
  bytes: Math.round(PICTURE_BYTES_PER_DAY_MAX * (1 + WIDTHS_SHARE_MAX)),
  transformations: IMAGE_WORK_MEMBER_MAX,
} as const;

export function databaseBytesPerDay(accounts: number): number {
  return accounts * Object.values(DATABASE_BYTES_PER_DAY).reduce((sum, bytes) => sum + bytes, 0);
}

/** What a notice stores at most: its texts in three bytes a character, half of a page left empty, and rows for ten pictures. */
export const NOTICE_BYTES =
  (TEXT_MAX_CHARS + NOTICE_LOCATION_MAX_CHARS + NOTICE_CONTACT_MAX_CHARS + REAL_NAME_MAX_CHARS) *
    BYTES_PER_CHAR_MAX *
    PAGE_WASTE_MAX +
  NOTICE_PICTURES_MAX * RELATION_ROW_BYTES;

/** A bank of graphics cards. A browser computes about a millionth of it. */
const HASHES_PER_SECOND_OF_FLOOD = 20e9;

/** How many notices a day somebody with such a bank files from networks that are over their normal number. */
export function floodedNoticesPerDay(): number {
  let hashes = HASHES_PER_SECOND_OF_FLOOD * 86_400;
  let notices = 0;
  for (let step = 2; step <= NOTICE_WORK_STEPS_MAX; step += 1) {
    const work = NOTICE_WORK_ANSWERS * 2 ** (NOTICE_WORK_BITS + step * NOTICE_WORK_EXTRA_BITS);
    const affordable = Math.floor(hashes / work);
    const filed = step === NOTICE_WORK_STEPS_MAX ? affordable : Math.min(affordable, NOTICES_OF_FLOODS_PER_STEP);
    notices += filed;
    hashes -= filed * work;
  }
  return notices;
}

const DAYS_A_MONTH = 30;

/** Upper bound of what free accounts can cost in a day, in dollars. New ones share what the site's image work leaves them. */
export function dollarsPerDay(accounts: number, { areNew = false } = {}) {
  const uploads = accounts * (areNew ? IMAGE_WORK_MEMBER_NEW_MAX : IMAGE_WORK_MEMBER_MAX);
  const transformations = Math.min(
    uploads * (1 + (PICTURE_WIDTHS_PX.length - 1) / IMAGE_WORK_PER_UPLOAD),
    IMAGE_WORK_PER_DAY_MAX * (areNew ? IMAGE_WORK_NEW_SHARE : 1),
  );
  return {
    calls: (accounts * (WORK_PER_DAY_MAX + WORK_RESERVE)) / 1e6,
    pictures: (transformations * WORK_PRICES.transformation) / 1e6,
    mails: ((LOGIN_LINKS_PER_HOUR_NORMAL * 24 + accounts * PROOF_MAILS_FREE_PER_DAY) * microdollarsOf("mails")) / 1e6,
    // What is stored is paid for each month; a day of it, for everything that a day can add.
    storage:
      ((databaseBytesPerDay(accounts) / GB) * PRICES["D1 bytes"].dollars +
        ((accounts * PICTURES_PER_DAY.bytes) / GB) * PRICES["R2 bytes"].dollars) /
      DAYS_A_MONTH,
  };
}

export const sumOf = (amounts: Readonly<Record<string, number>>): number =>
  Object.values(amounts).reduce((sum, amount) => sum + amount, 0);
