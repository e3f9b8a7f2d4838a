import type { Sealer } from "./sealer.ts";
import { isMembersName } from "./stored-names.ts";

type TextStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * Stores member data encrypted, under the key of this device or the one that a PIN unwraps. The implementation is loaded for members
 * (member-store.ts).
 */
export interface Vault extends TextStorage {
  readonly sealer: Sealer;
  /** Local storage in plain text, by name. */
  readonly plaintexts: ReadonlyMap<string, string>;
  /** Waits for a write before the page locks. */
  track(write: Promise<unknown>): void;
  /** Resolves when all pending writes are done. */
  flush(): Promise<void>;
}

/** Holds the vault of a member, unless the device is locked, and the one with the record of the lock. */
export const appLock: { vault?: Vault | undefined; gate?: Vault | undefined } = {};

/** The name of the record of the lock, or of the notes after it. */
export const GATE = "lock";

/** What was stored before the vault is open, which must not reach the disk. */
export const earlyTexts = new Map<string, string>();

const withoutVault: TextStorage = {
  getItem: (name) => earlyTexts.get(name) ?? null,
  setItem: (name, text) => void earlyTexts.set(name, text),
  removeItem(name) {
    earlyTexts.delete(name);
    localStorage.removeItem(name);
  },
};

/** Where the value of a name is kept: encrypted if it is a member's. Throws if the browser forbids storage. */
export const textStorage = (name: string): TextStorage =>
  name === GATE ? (appLock.gate ?? withoutVault) : isMembersName(name) ? (appLock.vault ?? withoutVault) : localStorage;
