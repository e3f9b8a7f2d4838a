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

/** Quotas per member. An error names the quota, so that the web can translate it. */
export const QUOTAS = {
  messagesPerMinute: {
    max: MESSAGES_PER_MINUTE_MAX,
    windowMs: MINUTE_MS,
    text: "You are writing very fast. Your next message has to wait a moment.",
  },
  messageBytes: {
    max: MESSAGE_BYTES_PER_DAY_MAX,
    windowMs: DAY_MS,
    text: "You have written as much as fits into one day.",
  },
  broadcasts: {
    max: 1,
    windowMs: BROADCAST_SLOW_MODE_MS,
    text: "The map chat is in slow mode: one message every ten seconds.",
  },
  noteSavesPerMinute: {
    max: NOTE_SAVES_PER_MINUTE_MAX,
    windowMs: MINUTE_MS,
    text: "You are saving notes very fast. Please wait a moment.",
  },
  noteSaves: {
    max: NOTE_SAVES_PER_DAY_MAX,
    windowMs: DAY_MS,
    text: "You have saved as many notes as fit into one day.",
  },
  noteBytes: {
    max: NOTE_BYTES_TOTAL_MAX,
    windowMs: DAY_MS,
    text: "Your notes are full. Shorten or delete one to make room.",
  },
  likesPerMinute: {
    max: LIKES_PER_MINUTE_MAX,
    windowMs: LIKES_WINDOW_MS,
    text: "You are judging very fast. Please wait a moment.",
  },
  likes: { max: LIKES_PER_DAY_MAX, windowMs: DAY_MS, text: "You have judged as many members as fit into one day." },
  pictureLikes: {
    max: LIKES_PER_DAY_MAX,
    windowMs: DAY_MS,
    text: "You have rated as many pictures as fit into one day.",
  },
  positionsPerMinute: {
    max: POSITION_WRITES_PER_MINUTE_MAX,
    windowMs: MINUTE_MS,
    text: "You are moving about very fast. Please wait a moment.",
  },
  positions: {
    max: POSITION_WRITES_PER_DAY_MAX,
    windowMs: DAY_MS,
    text: "Your position has changed as often as it can in one day.",
  },
  uploadsPerHour: {
    max: UPLOADS_PER_HOUR_MAX,
    windowMs: 60 * MINUTE_MS,
    text: "You have uploaded as many pictures as fit into one hour.",
  },
  uploads: {
    max: UPLOADS_PER_DAY_MAX,
    windowMs: DAY_MS,
    text: "You have uploaded as many pictures as fit into one day.",
  },
  pictureBytes: {
    max: PICTURE_BYTES_PER_DAY_MAX,
    windowMs: DAY_MS,
    text: "Your pictures of today are as large as fits into one day.",
  },
  imageWork: {
    max: IMAGE_WORK_MEMBER_MAX,
    windowMs: DAY_MS,
    text: "You have uploaded as many pictures as fit into one day. More fit in tomorrow.",
  },
  pictureBytesTotal: {
    max: PICTURE_BYTES_TOTAL_MAX,
    windowMs: DAY_MS,
    text: "Your pictures take all the room there is. Delete some first.",
  },
  relations: {
    max: RELATIONS_PER_DAY_MAX,
    windowMs: DAY_MS,
    text: "You have blocked members or opened your album as often as fits into one day.",
  },
  letters: {
    max: CONTACT_MESSAGES_PER_DAY_MAX,
    windowMs: DAY_MS,
    text: "You have written to us as often as fits into one day.",
  },
  reportBytes: {
    max: REPORT_BYTES_PER_DAY_MAX,
    windowMs: DAY_MS,
    text: "Your reports of today hold as much as fits into one day.",
  },
  meets: { max: MEETS_PER_DAY_MAX, windowMs: DAY_MS, text: "You have made as many plans as fit into one day." },
  sessions: { max: SESSIONS_PER_DAY_MAX, windowMs: DAY_MS, text: "This account was logged in to very often today." },
  changes: { max: CHANGES_PER_DAY_MAX, windowMs: DAY_MS, text: "You have changed as much as fits into one day." },
  calls: {
    max: CALLS_PER_MINUTE_MAX,
    windowMs: MINUTE_MS,
    text: "Your device is asking very fast. Please wait a moment.",
  },
  work: {
    max: WORK_PER_DAY_MAX,
    windowMs: DAY_MS,
    text: "You have done as much here as fits into one day. It goes on tomorrow. Blocking, hiding and reporting work all the time.",
  },
  profilesOpened: {
    max: PROFILES_OPENED_PER_DAY_MAX,
    windowMs: DAY_MS,
    text: "You have opened as many profiles as fit into one day.",
  },
  membersShown: {
    max: MEMBERS_SHOWN_PER_DAY_MAX,
    windowMs: DAY_MS,
    text: "You have been shown as many members as fit into one day.",
  },
} as const satisfies Record<string, QuotaRule>;

export type QuotaName = keyof typeof QUOTAS;
