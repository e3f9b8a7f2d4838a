export interface MemberDatabase {
  /** Undefined if there is no such entry; rejects when storage fails. */
  get<Value>(name: string): Promise<Value | undefined>;
  /** The values of all entries whose names begin with `prefix`, in no particular order; rejects when storage fails. */
  list<Value>(prefix: string): Promise<Value[]>;
  /**
   * Writes all entries, in the order of the calls; undefined deletes one. Unencrypted writes commit at once, so that they survive the
   * page's unload.
   */
  writeAll(entries: readonly (readonly [name: string, value: unknown])[]): Promise<void>;
  clear(): Promise<void>;
}

/**
 * Stores member data encrypted with a key that the PIN unwraps; exists only while an app lock is on. The implementation is loaded with
 * the lock (features/lock/sealing.ts).
 */
export interface Vault extends Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  /** A database whose values and names are encrypted. */
  database(name: string): MemberDatabase;
}

/** Holds the vault while a lock is on and unlocked. */
export const appLock: { vault?: Vault | undefined } = {};

/** Local storage, encrypted by the vault if there is one. Throws if the browser forbids storage. */
export const textStorage = (): Pick<Storage, "getItem" | "setItem" | "removeItem"> => appLock.vault ?? localStorage;
