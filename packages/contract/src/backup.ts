/** What the worker writes beside its backups and `npm run drill` reads. */

/** Where exports of a database lie: of the main one, 0, or of one for messages by its number. */
export const databasePrefix = (number: number) => (number === 0 ? "database/" : `messages-${number}/`);
export const latestDatabaseKey = (number: number) => `${databasePrefix(number)}latest.json`;

export const LATEST_DATABASE_KEY = latestDatabaseKey(0);
export const LATEST_INVENTORY_KEY = "inventory/latest.json";

export interface DatabaseBackup {
  readonly key: string;
  readonly ts: number;
  readonly bytes: number;
  readonly sha256: string;
  /** Rows of each table just before and just after; null where they were too many to count. */
  readonly rows: Readonly<Record<string, readonly [before: number | null, after: number | null]>>;
  readonly commit: string;
}

export interface PictureInventory {
  /** When the walk over the bucket began. */
  readonly ts: number;
  /** Keys of the lists: a line an object, `key<TAB>bytes`. */
  readonly lists: readonly string[];
  readonly objects: number;
  readonly bytes: number;
}
