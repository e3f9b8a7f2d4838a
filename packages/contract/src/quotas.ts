import {
  BROADCAST_SLOW_MODE_MS,
  CALLS_PER_MINUTE_MAX,
  CHANGES_PER_DAY_MAX,
  CONTACT_MESSAGES_PER_DAY_MAX,
  DAY_MS,
  IMAGE_WORK_MEMBER_MAX,
  LIKES_PER_DAY_MAX,
  LIKES_PER_MINUTE_MAX,
  LIKES_WINDOW_MS,
  MEETS_PER_DAY_MAX,
  MEMBERS_SHOWN_PER_DAY_MAX,
  MESSAGE_BYTES_PER_DAY_MAX,
  MESSAGES_PER_MINUTE_MAX,
  MINUTE_MS,
  NOTE_BYTES_TOTAL_MAX,
  NOTE_SAVES_PER_DAY_MAX,
  NOTE_SAVES_PER_MINUTE_MAX,
  PICTURE_BYTES_PER_DAY_MAX,
  PICTURE_BYTES_TOTAL_MAX,
  POSITION_WRITES_PER_DAY_MAX,
  POSITION_WRITES_PER_MINUTE_MAX,
  PROFILES_OPENED_PER_DAY_MAX,
  RELATIONS_PER_DAY_MAX,
  REPORT_BYTES_PER_DAY_MAX,
  SESSIONS_PER_DAY_MAX,
  UPLOADS_PER_DAY_MAX,
  UPLOADS_PER_HOUR_MAX,
  WORK_PER_DAY_MAX,
} from "./limits.ts";

interface QuotaRule {
  readonly max: number;
  /** The window starts with the first use. Totals have a day, although only making room helps. */
  readonly windowMs: number;
  /** Error message once the quota is used up. */
  readonly text: string;
}

const quota = (max: number, windowMs: number, text: string): QuotaRule => ({ max, windowMs, text });
const aMinute = (max: number, text: string) => quota(max, MINUTE_MS, text);
const aDay = (max: number, text: string) => quota(max, DAY_MS, text);

/** Quotas per member. An error names the quota, so that the web can translate it. */
export const QUOTAS = {
  messagesPerMinute: aMinute(
    MESSAGES_PER_MINUTE_MAX,
    "You are writing very fast. Your next message has to wait a moment.",
  ),
  messageBytes: aDay(MESSAGE_BYTES_PER_DAY_MAX, "You have written as much as fits into one day."),
  broadcasts: quota(1, BROADCAST_SLOW_MODE_MS, "The map chat is in slow mode: one message every ten seconds."),
  noteSavesPerMinute: aMinute(NOTE_SAVES_PER_MINUTE_MAX, "You are saving notes very fast. Please wait a moment."),
  noteSaves: aDay(NOTE_SAVES_PER_DAY_MAX, "You have saved as many notes as fit into one day."),
  noteBytes: aDay(NOTE_BYTES_TOTAL_MAX, "Your notes are full. Shorten or delete one to make room."),
  likesPerMinute: quota(LIKES_PER_MINUTE_MAX, LIKES_WINDOW_MS, "You are judging very fast. Please wait a moment."),
  likes: aDay(LIKES_PER_DAY_MAX, "You have judged as many members as fit into one day."),
  pictureLikes: aDay(LIKES_PER_DAY_MAX, "You have rated as many pictures as fit into one day."),
  positionsPerMinute: aMinute(POSITION_WRITES_PER_MINUTE_MAX, "You are moving about very fast. Please wait a moment."),
  positions: aDay(POSITION_WRITES_PER_DAY_MAX, "Your position has changed as often as it can in one day."),
  uploadsPerHour: quota(
    UPLOADS_PER_HOUR_MAX,
    60 * MINUTE_MS,
    "You have uploaded as many pictures as fit into one hour.",
  ),
  uploads: aDay(UPLOADS_PER_DAY_MAX, "You have uploaded as many pictures as fit into one day."),
  pictureBytes: aDay(PICTURE_BYTES_PER_DAY_MAX, "Your pictures of today are as large as fits into one day."),
  imageWork: aDay(
    IMAGE_WORK_MEMBER_MAX,
    "You have uploaded as many pictures as fit into one day. More fit in tomorrow.",
  ),
  pictureBytesTotal: aDay(PICTURE_BYTES_TOTAL_MAX, "Your pictures take all the room there is. Delete some first."),
  relations: aDay(
    RELATIONS_PER_DAY_MAX,
    "You have blocked members or opened your album as often as fits into one day.",
  ),
  letters: aDay(CONTACT_MESSAGES_PER_DAY_MAX, "You have written to us as often as fits into one day."),
  reportBytes: aDay(REPORT_BYTES_PER_DAY_MAX, "Your reports of today hold as much as fits into one day."),
  meets: aDay(MEETS_PER_DAY_MAX, "You have made as many plans as fit into one day."),
  sessions: aDay(SESSIONS_PER_DAY_MAX, "This account was logged in to very often today."),
  changes: aDay(CHANGES_PER_DAY_MAX, "You have changed as much as fits into one day."),
  calls: aMinute(CALLS_PER_MINUTE_MAX, "Your device is asking very fast. Please wait a moment."),
  work: aDay(
    WORK_PER_DAY_MAX,
    "You have done as much here as fits into one day. It goes on tomorrow. Blocking, hiding and reporting work all the time.",
  ),
  profilesOpened: aDay(PROFILES_OPENED_PER_DAY_MAX, "You have opened as many profiles as fit into one day."),
  membersShown: aDay(MEMBERS_SHOWN_PER_DAY_MAX, "You have been shown as many members as fit into one day."),
};

export type QuotaName = keyof typeof QUOTAS;
