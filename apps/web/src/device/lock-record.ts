import type { DeviceKey } from "./device-storage.ts";

/** After how many minutes away or without a touch a device locks itself; 0: as soon as it is left. */
export const LOCK_AFTER_MINUTES = [0, 1, 5, 15] as const;
export type LockAfter = (typeof LOCK_AFTER_MINUTES)[number];

/**
 * The app lock as it lies on this device. Both slots are always full and of one length: which of them a PIN opens, and whether the other
 * opens at all, nobody can read off them.
 */
export interface LockRecord {
  readonly salt: string;
  readonly rounds: number;
  readonly slots: readonly [string, string];
  /** Wrong PINs in a row, counted before each is tried. */
  readonly wrong: number;
  readonly after: LockAfter;
  /** Whether the PIN is of digits alone, for the keyboard; one of both PINs is as the other. */
  readonly digits: boolean;
  /** Ten were wrong: all is erased, and the session is still to be ended. */
  readonly erased?: true;
}

export const LOCK: DeviceKey<LockRecord | null> = {
  name: "lock",
  fallback: null,
  accepts: (value): value is LockRecord | null =>
    value === null || Array.isArray((value as Partial<LockRecord> | undefined)?.slots),
};

/** The notes that a device shows from the second PIN on, until the lock-down that it began is over. */
export interface NotesRecord {
  readonly notes: readonly Note[];
  readonly until: number;
  /** What the server has not yet been told. */
  readonly sync?: string;
}

export interface Note {
  readonly id: string;
  readonly text: string;
  readonly at: number;
}

export const NOTES: DeviceKey<NotesRecord | null> = {
  name: "notes",
  fallback: null,
  accepts: (value): value is NotesRecord | null =>
    value === null || Array.isArray((value as Partial<NotesRecord> | undefined)?.notes),
};
