/** Statements and objects by which a restore and `npm run recover` tell databases and the worker what to do. */

/** More ids than any site assigns between a backup and its restore. */
export const ID_STEP = 1_000_000;

/**
 * Raises the id counters of all tables, so that ids assigned after the backup, which clients and caches may remember, are never reused.
 * Tables that never had a row have no counter yet, so they get one.
 */
export const RAISE_IDS = [
  `UPDATE sqlite_sequence SET seq = seq + ${ID_STEP}`,
  `INSERT INTO sqlite_sequence (name, seq) SELECT name, ${ID_STEP} FROM sqlite_master
    WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%' AND name NOT IN (SELECT name FROM sqlite_sequence)`,
].join(";\n");

/**
 * For the main database, until it returns no row: positions of that time may be finer than members chose since, and each device reports
 * again.
 */
export const FORGET_POSITIONS =
  "DELETE FROM position WHERE profile_id IN (SELECT profile_id FROM position LIMIT 1000) RETURNING profile_id";

/** More changes than any conversation sees between a backup and its restore. */
const VERSION_STEP = 1_000_000;

/**
 * For a message database, after it or the main one was restored: makes its conversations newer than any copy, so that a cron job copies
 * them again.
 */
export const RECOPY_CONVERSATIONS = `UPDATE message_pair SET version = version + ${VERSION_STEP}, synced_version = 0`;

export const NEWEST_MESSAGE_QUERY = "SELECT ifnull(max(id), 0) AS newest FROM message";

/** For the main database: conversations whose last message is missing from a message database after its restore. */
export const countLostQuery = (number: number, newest: number) =>
  `SELECT count(*) AS lost FROM conversation WHERE last_message_id > ${newest} AND last_message_id >= ${2 ** 40} AND last_message_id % 64 = ${number}`;

/** An object in the pictures bucket that instructs the worker. */
export interface WorkerOrder {
  readonly key: string;
  readonly body: string;
}

/** A mark that matches no database, which stops deletions for a day (apps/worker/src/platform/bucket/mark.ts). */
export const RESTORED_MARK: WorkerOrder = {
  key: "jobs/database-mark.json",
  body: JSON.stringify({ token: "restored", since: 0 }),
};

/** Has the worker copy back what the bucket lacks (apps/worker/src/platform/backup/pictures.ts). */
export const RESTORE_PICTURES: WorkerOrder = { key: "jobs/restore-pictures.json", body: "{}" };

/** Throws if `since` is not a day. */
export function restoreTrashOrder(since: string, prefix: string): WorkerOrder {
  if (!/^\d{4}-\d\d-\d\d$/.test(since)) throw new Error(`"${since}" is no day: write it as 2026-11-20`);
  return { key: "jobs/restore-trash.json", body: JSON.stringify({ since, prefix }) };
}

/** Valid for two nights: a sweep that is in progress, and the next. */
export function allowSweepOrder(now: number): WorkerOrder {
  return { key: "jobs/sweep-allowed.json", body: JSON.stringify({ until: now + 2 * 86_400_000 }) };
}
