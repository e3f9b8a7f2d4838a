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

/** Quotas per member. An error names the quota, so that the web can translate it. */
export const QUOTAS = {
  messagesPerMinute: quota(
    MESSAGES_PER_MINUTE_MAX,
    MINUTE_MS,
    "You are writing very fast. Your next message has to wait a moment.",
  ),
  messageBytes: quota(MESSAGE_BYTES_PER_DAY_MAX, DAY_MS, "You have written as much as fits into one day."),
  broadcasts: quota(1, BROADCAST_SLOW_MODE_MS, "The map chat is in slow mode: one message every ten seconds."),
  noteSavesPerMinute: quota(
    NOTE_SAVES_PER_MINUTE_MAX,
    MINUTE_MS,
    "You are saving notes very fast. Please wait a moment.",
  ),
  noteSaves: quota(NOTE_SAVES_PER_DAY_MAX, DAY_MS, "You have saved as many notes as fit into one day."),
  noteBytes: quota(NOTE_BYTES_TOTAL_MAX, DAY_MS, "Your notes are full. Shorten or delete one to make room."),
  likesPerMinute: quota(LIKES_PER_MINUTE_MAX, LIKES_WINDOW_MS, "You are judging very fast. Please wait a moment."),
  likes: quota(LIKES_PER_DAY_MAX, DAY_MS, "You have judged as many members as fit into one day."),
  pictureLikes: quota(LIKES_PER_DAY_MAX, DAY_MS, "You have rated as many pictures as fit into one day."),
  positionsPerMinute: quota(
    POSITION_WRITES_PER_MINUTE_MAX,
    MINUTE_MS,
    "You are moving about very fast. Please wait a moment.",
  ),
  positions: quota(POSITION_WRITES_PER_DAY_MAX, DAY_MS, "Your position has changed as often as it can in one day."),
  uploadsPerHour: quota(
    UPLOADS_PER_HOUR_MAX,
    60 * MINUTE_MS,
    "You have uploaded as many pictures as fit into one hour.",
  ),
  uploads: quota(UPLOADS_PER_DAY_MAX, DAY_MS, "You have uploaded as many pictures as fit into one day."),
  pictureBytes: quota(PICTURE_BYTES_PER_DAY_MAX, DAY_MS, "Your pictures of today are as large as fits into one day."),
  imageWork: quota(
    IMAGE_WORK_MEMBER_MAX,
    DAY_MS,
    "You have uploaded as many pictures as fit into one day. More fit in tomorrow.",
  ),
  pictureBytesTotal: quota(
    PICTURE_BYTES_TOTAL_MAX,
    DAY_MS,
    "Your pictures take all the room there is. Delete some first.",
  ),
  relations: quota(
    RELATIONS_PER_DAY_MAX,
    DAY_MS,
    "You have blocked members or opened your album as often as fits into one day.",
  ),
  letters: quota(CONTACT_MESSAGES_PER_DAY_MAX, DAY_MS, "You have written to us as often as fits into one day."),
  reportBytes: quota(REPORT_BYTES_PER_DAY_MAX, DAY_MS, "Your reports of today hold as much as fits into one day."),
  meets: quota(MEETS_PER_DAY_MAX, DAY_MS, "You have made as many plans as fit into one day."),
  sessions: quota(SESSIONS_PER_DAY_MAX, DAY_MS, "This account was logged in to very often today."),
  changes: quota(CHANGES_PER_DAY_MAX, DAY_MS, "You have changed as much as fits into one day."),
  calls: quota(CALLS_PER_MINUTE_MAX, MINUTE_MS, "Your device is asking very fast. Please wait a moment."),
  work: quota(
    WORK_PER_DAY_MAX,
    DAY_MS,
    "You have done as much here as fits into one day. It goes on tomorrow. Blocking, hiding and reporting work all the time.",
  ),
  profilesOpened: quota(PROFILES_OPENED_PER_DAY_MAX, DAY_MS, "You have opened as many profiles as fit into one day."),
  membersShown: quota(MEMBERS_SHOWN_PER_DAY_MAX, DAY_MS, "You have been shown as many members as fit into one day."),
};

export type QuotaName = keyof typeof QUOTAS;
