import { deviceKey } from "./device-storage.ts";
import { GATE } from "./vault.ts";

/** After how many minutes of inactivity or absence a device locks itself; 0 locks as soon as the page is left. */
export const LOCK_AFTER_MINUTES = [0, 1, 5, 15] as const;
export type LockAfter = (typeof LOCK_AFTER_MINUTES)[number];

/**
 * The app lock as stored on this device. Both slots are always filled and equally long, so that nobody can tell which one a PIN opens
 * or whether there is a second PIN at all.
 */
export interface LockRecord {
  readonly salt: string;
  readonly rounds: number;
  readonly slots: readonly [string, string];
  /** Consecutive wrong PINs, incremented before each attempt. */
  readonly wrong: number;
  readonly after: LockAfter;
  /** Whether the PIN has only digits, which decides the keyboard. Both PINs are of the same kind. */
  readonly digits: boolean;
  /** Set after ten wrong PINs: all data is erased, but the session has not been ended yet. */
  readonly erased?: true;
}

/** On the disk, each writing is sealed anew and padded, and the notes take the record's place: nothing tells one from the other. */
export const LOCK = deviceKey<LockRecord | null>(GATE, null, (value) =>
  Array.isArray((value as Partial<LockRecord> | undefined)?.slots),
);

/** The notes that a device shows after its second PIN was entered, until the lock-down that this started is over. */
export interface NotesRecord {
  readonly notes: readonly Note[];
  readonly until: number;
  /** A change that has not been sent to the server yet. */
  readonly sync?: string;
}

export interface Note {
  readonly id: string;
  readonly text: string;
  readonly at: number;
}

export const NOTES = deviceKey<NotesRecord | null>(GATE, null, (value) =>
  Array.isArray((value as Partial<NotesRecord> | undefined)?.notes),
);
