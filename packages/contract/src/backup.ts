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
