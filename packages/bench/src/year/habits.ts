/** Assumed habits of members. The site has not been in use for a year, so each figure is a reasoned guess, to be replaced by real data. */

/** Actions per hour in the foreground, of which half is tiles, ten minutes map and twenty minutes chat. See actions.ts. */
export const TIMES_AN_HOUR = {
  "open the site": 4,
  // Every five minutes, and after most chat events.
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

export const HABITS = {
  /** Daily share of monthly members: between the 20 % of most sites and the half that dating apps claim. */
  dailyShare: 0.35,
  hoursADay: 0.75,
  /** At the end of the year, because inactive members keep their accounts. */
  accountsPerMember: 2.5,
  /** Login mails per member and month, for lost sessions and second devices. */
  mailsAMonth: 0.6,
  picturesPerAccount: 2,
  /** Share of likes that are not withdrawn or deleted with an account. */
  likeKept: 0.8,
  /** Original and generated widths, in R2. */
  bytesPerPicture: 450_000,
  transformationsPerUpload: 4,
  /** CPU time per request in milliseconds; a guess, because no deployed worker was measured. */
  cpuMs: 6,
  logLinesPerRequest: 1,
  /** Durable Object requests per request: writes reach the rate limiter and both members' sockets. */
  objectRequests: { read: 0.05, write: 2, socketFramesAnHour: 120 },
  /** Without any member: each minute's run tells nine regions' watermarks of its writes, and the metrics. */
  idleObjectRequestsAMinute: 10,
  /** Hibernating objects cost nothing; awake, they use 128 MB for about this long per request. */
  objectSecondsPerRequest: 0.02,
  objectGb: 0.128,
  /** Ratio of the peak second to the mean of the busiest hour. */
  burst: 1.3,
} as const;

/**
 * Share of daily use by local hour, from midnight. Audience panels report a peak of dating apps at 22 to 23 h, a smaller one in the
 * morning and a minimum at 4 h (Verto Analytics, 2016); the other hours are interpolated.
 */
export const LOCAL_DAY = normalize([
  4.6, 3.2, 2.1, 1.4, 1.0, 1.1, 1.8, 2.9, 3.5, 3.6, 3.7, 3.9, 4.3, 4.2, 4.1, 4.2, 4.5, 4.9, 5.4, 6.0, 6.8, 7.6, 8.0,
  6.6,
]);

function normalize(hours: readonly number[]): number[] {
  const sum = hours.reduce((total, hour) => total + hour, 0);
  return hours.map((hour) => hour / sum);
}
