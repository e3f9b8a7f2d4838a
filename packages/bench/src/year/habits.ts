/**
 * What members are assumed to do. Nobody has used this site for a year, so each figure is a guess with its reason; whoever knows better
 * changes it here and prints the year again.
 */

/** A member in the foreground for an hour, by action of actions.ts: half of it tiles, ten minutes map, twenty minutes chat. */
export const TIMES_AN_HOUR = {
  "open the site": 4,
  // Each five minutes, and after most of what comes or goes in a chat.
  session: 30,
  "what was missed": 12,
  "a screen of tiles": 8,
  "tiles again": 15,
  "a picture": 300,
  "a profile": 15,
  "the map's members": 40,
  "the map's counts": 5,
  conversations: 10,
  "history of a conversation": 6,
  "send a message": 12,
  "mark as read": 8,
  "mark as delivered": 12,
  like: 5,
  "position at rest": 12,
  "position elsewhere": 1,
  notifications: 2,
  "upload a picture": 0.02,
} as const;

export type ActionName = keyof typeof TIMES_AN_HOUR;

/** Of a month's members, those who come on a day: between the 20 % of most sites and the half that dating apps claim. */
export const DAILY_SHARE = 0.35;
export const HOURS_A_DAY = 0.75;
/** Accounts for each member of a month by the end of the year: those who left or come seldom keep theirs. */
export const ACCOUNTS_PER_MEMBER = 2.5;
/** Logins by mail a member and month: a session lasts, a lost one and a second device cost a mail. */
export const MAILS_A_MONTH = 0.6;
export const PICTURES_PER_ACCOUNT = 2;
/** Of the likes given, those not taken back and not of somebody who left. */
export const LIKE_KEPT = 0.8;
/** Original and its widths, in R2. */
export const BYTES_PER_PICTURE = 450_000;
export const TRANSFORMATIONS_PER_UPLOAD = 4;
/** JavaScript of a request on the platform, milliseconds; a guess, as no deployed worker was measured. */
export const CPU_MS = 6;
export const LOG_LINES_PER_REQUEST = 1;
/** Requests that write reach objects: the limiter, and sockets of both sides. */
export const OBJECT_REQUESTS = { read: 0.05, write: 2, socketFramesAnHour: 120 } as const;
/** An object with a sleeping socket costs nothing; awake, 128 MB for about this long a request. */
export const OBJECT_SECONDS_PER_REQUEST = 0.02;
export const OBJECT_GB = 0.128;
/** Time zones smooth the world's day; within one, an hour holds bursts. */
export const BURST = 1.3;

/**
 * Share of a local day's use by hour, from midnight. Audience panels put the peak of dating apps at 22 to 23 o'clock with a smaller one in
 * the morning and the least at 4 (Verto Analytics, "Got a minute? How our use of communication apps changes by the hour", 2016); the hours between are drawn through them.
 */
export const LOCAL_DAY = normalized([
  4.6, 3.2, 2.1, 1.4, 1.0, 1.1, 1.8, 2.9, 3.5, 3.6, 3.7, 3.9, 4.3, 4.2, 4.1, 4.2, 4.5, 4.9, 5.4, 6.0, 6.8, 7.6, 8.0,
  6.6,
]);

function normalized(hours: readonly number[]): number[] {
  const sum = hours.reduce((total, hour) => total + hour, 0);
  return hours.map((hour) => hour / sum);
}
