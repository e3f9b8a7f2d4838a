/** Keys and metadata of backups: written by the worker, read by `npm run drill`. */

/** Key prefix of a database's exports: 0 is the main database, others are message databases. */
export const databaseBackupPrefix = (number: number) => (number === 0 ? "database/" : `messages-${number}/`);
export const latestDatabaseBackupKey = (number: number) => `${databaseBackupPrefix(number)}latest.json`;
export const LATEST_PICTURE_INVENTORY_KEY = "inventory/latest.json";

export interface DatabaseBackup {
  readonly key: string;
  readonly ts: number;
  readonly bytes: number;
  readonly sha256: string;
  /** Row counts of each table just before and after the export; null if too many to count. */
  readonly rows: Readonly<Record<string, readonly [before: number | null, after: number | null]>>;
  readonly commit: string;
}

export interface PictureInventory {
  /** When listing the bucket started. */
  readonly ts: number;
  /** Keys of the list files, which have one line per object: `key<TAB>bytes`. */
  readonly lists: readonly string[];
  readonly objects: number;
  readonly bytes: number;
}

/** Rows of `protective_act`: what was closed or ended since a backup, which a restore does again. */
export interface ProtectiveAct {
  readonly kind: (typeof PROTECTIVE_ACTS)[number];
  readonly member: number;
  readonly other: number;
  /** JSON of the state since then; null: it is gone. */
  readonly detail: string | null;
  readonly ts: number;
}

export const PROTECTIVE_ACTS = [
  "deleted",
  "purged",
  "login",
  "admin",
  "session",
  "lock",
  "passkey",
  "lockdown",
  "sight",
  "block",
  "like",
  "album",
  "trip",
  "stay",
  "picture",
  "action",
  "mark",
  "known",
  "health",
  "voice",
  "words",
  "signal",
  "met",
  "tonight",
  "unsent",
] as const;

/** Files of acts, with one JSON array each: `acts/<day>/<database>-<time>-<last id>.json`. */
export const ACTS_PREFIX = "acts/";
export const actsKey = (database: number, now: number, lastId: number) =>
  `${ACTS_PREFIX}${new Date(now).toISOString().slice(0, 10)}/${database}-${now}-${lastId}.json`;
/** The database of a file of acts. */
export const databaseOfActs = (key: string) => Number(/\/(\d+)-[^/]+$/.exec(key)?.[1] ?? 0);

/** In the backup bucket: whether members are kept out, and what they are told afterwards. */
export const MAINTENANCE_KEY = "maintenance.json";
export interface Maintenance {
  readonly on: boolean;
  /** Lets the operator's own tests through. */
  readonly pass?: string;
  /** The time to which the site went back, and when it did; ISO 8601. */
  readonly restoredTo?: string;
  readonly restoredAt?: string;
}
/** How old a worker's knowledge of it may be. */
export const MAINTENANCE_CACHED_MS = 10_000;
export const MAINTENANCE_PASS_HEADER = "x-maintenance-pass";
/** How long pages say that the site went back. */
export const RESTORED_SHOWN_MS = 7 * 86_400_000;
