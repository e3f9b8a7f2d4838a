/** What an operator does after a restore, and with what a sweep threw away (docs/OPERATIONS.md, Backup and restore). */

/** More ids than any site gives out between a backup and its restore. */
export const ID_STEP = 1_000_000;

/**
 * Lifts every counter of ids: what members, caches and sockets remember of an id that was given out after the restored moment must never
 * mean somebody else. Tables without a row yet have no counter, so they get one.
 */
export const LIFT_IDS = [
  `UPDATE sqlite_sequence SET seq = seq + ${ID_STEP}`,
  `INSERT INTO sqlite_sequence (name, seq) SELECT name, ${ID_STEP} FROM sqlite_master
    WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%' AND name NOT IN (SELECT name FROM sqlite_sequence)`,
].join(";\n");

/** More changes than any conversation has between a backup and its restore. */
const VERSION_STEP = 1_000_000;

/**
 * For a database for messages, when it or the main one was brought to another time: what it has of each pair is newer than any copy, and is
 * copied again by the schedule.
 */
export const COPY_AGAIN = `UPDATE talk SET version = version + ${VERSION_STEP}, told = 0`;

/** The newest message that a database for messages has. */
export const NEWEST_MESSAGE = "SELECT ifnull(max(id), 0) AS newest FROM message";

/** For the main database: conversations that end with a message which a database for messages no longer has. */
export const countLost = (number: number, newest: number) =>
  `SELECT count(*) AS lost FROM conversation WHERE last_message_id > ${newest} AND last_message_id >= ${2 ** 40} AND last_message_id % 64 = ${number}`;

/** An object that tells the worker something, in the bucket of pictures. */
export interface Order {
  readonly key: string;
  readonly body: string;
}

/** No database holds this token, so that nothing is removed for a day (apps/worker/src/platform/bucket/mark.ts). */
export const RESTORED_MARK: Order = {
  key: "jobs/database-mark.json",
  body: JSON.stringify({ token: "restored", since: 0 }),
};

/** Throws unless it is a day. */
export function orderTrashBack(since: string, prefix: string): Order {
  if (!/^\d{4}-\d\d-\d\d$/.test(since)) throw new Error(`"${since}" is no day: write it as 2026-11-20`);
  return { key: "jobs/restore-trash.json", body: JSON.stringify({ since, prefix }) };
}

/** For two nights: one that is under way, and the next. */
export function allowSweep(now: number): Order {
  return { key: "jobs/sweep-allowed.json", body: JSON.stringify({ until: now + 2 * 86_400_000 }) };
}
