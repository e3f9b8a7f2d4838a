import { microdollarsOf } from "./prices.ts";

/** Production logs one request in twenty. */
const LOGGED_SHARE = 0.05;
/** An object is in memory for about 20 ms of a call. */
export const OBJECT_CALL_GB_S = 0.02 * 0.128;
const OBJECT_CALL = microdollarsOf("object requests") + microdollarsOf("object GB-s", OBJECT_CALL_GB_S);

/** Measured: scrypt as passwords.ts asks for it. */
export const PASSWORD_HASH_MS = 263;

/**
 * What a member's day is counted in, in millionths of a dollar, beside what its requests use through the doors of platform/metering: objects,
 * buckets, queue and hashing are counted there, as they are used.
 */
export const WORK_PRICES = {
  /** A request and its log lines. */
  request: microdollarsOf("worker requests") + microdollarsOf("log lines", LOGGED_SHARE),
  /** Each call of a batch. */
  call: microdollarsOf("worker CPU, ms", 3),
  /**
   * A frame of a socket, twenty of which are a request: the session is read, and the other's object called. Ten are charged at once, in a call
   * of the member's counter.
   */
  frame:
    microdollarsOf("object requests", 0.05) +
    microdollarsOf("object GB-s", OBJECT_CALL_GB_S) +
    OBJECT_CALL +
    (OBJECT_CALL + microdollarsOf("object rows written")) / 10,
  mail: microdollarsOf("mails"),
  /** Opening a socket: its object and the one that counts it are called, and again at its end. */
  socket: 4 * OBJECT_CALL + 5 * microdollarsOf("object rows written"),
  /** A change that a square of the map keeps until the tick: stored and removed, and an alarm set and run. */
  squareChange: OBJECT_CALL + 3 * microdollarsOf("object rows written"),
  /** What is read to tell whether a listener may see it. */
  squareListener: microdollarsOf("D1 rows read", 8),
  rowRead: microdollarsOf("D1 rows read"),
  rowWritten: microdollarsOf("D1 rows written"),
  /** A transformation, and storing its result. */
  transformation: microdollarsOf("transformations") + microdollarsOf("R2 writes"),
} as const;
