import { microdollarsOf } from "./prices.ts";

/** Production logs one request in twenty. */
const LOGGED_SHARE = 0.05;
/** A call of an object, which is in memory for about 20 ms of it. */
const OBJECT_CALL = microdollarsOf("object requests") + microdollarsOf("object GB-s", 0.02 * 0.128);

/** What a member's day is counted in: millionths of a dollar, rounded up where the work differs from call to call. */
export const WORK_PRICES = {
  /** A request, its log lines, and its region's watermark. */
  request: microdollarsOf("worker requests") + microdollarsOf("log lines", LOGGED_SHARE) + OBJECT_CALL,
  /** Each call of a batch. */
  call: microdollarsOf("worker CPU, ms", 3),
  /** What a change is announced to: regions, the other's and one's own sockets, and a push. */
  change: 6 * OBJECT_CALL + microdollarsOf("queue operations", 3),
  picture: microdollarsOf("R2 reads"),
  /** A frame of a socket, twenty of which are a request: the session is read, and the other's object called. */
  frame: microdollarsOf("object requests", 0.05) + microdollarsOf("object GB-s", 0.02 * 0.128) + OBJECT_CALL,
  rowRead: microdollarsOf("D1 rows read"),
  rowWritten: microdollarsOf("D1 rows written"),
  /** A transformation, and storing its result. */
  transformation: microdollarsOf("transformations") + microdollarsOf("R2 writes"),
} as const;
