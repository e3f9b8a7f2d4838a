export interface MemberDatabase {
  /** Undefined for nothing; rejects where the disk refuses. */
  get<Value>(name: string): Promise<Value | undefined>;
  /** Changes one after the other, in the order asked, those of other tabs among them. */
  update<Value>(name: string, how: (kept: Value | undefined) => Value): Promise<void>;
  /** Writes all, in the clear at once, so that a page that is being left lives to see it done; undefined takes away. */
  writeAll(entries: readonly (readonly [name: string, value: unknown])[]): Promise<void>;
  clear(): Promise<void>;
}

/**
 * Where member data goes while an app lock is on: sealed under a key that a PIN unwraps. Without a lock there is no vault, and data lies as
 * it always did. What seals is loaded with the lock alone (features/lock/sealing.ts).
 */
export interface Vault extends Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  /** A database whose values and names are sealed. */
  database(name: string): MemberDatabase;
}

/** The vault while a lock is on and open. */
export const open: { vault?: Vault | undefined } = {};

/** Local storage, in the clear or through the vault. Throws where the browser forbids it. */
export const textStorage = (): Pick<Storage, "getItem" | "setItem" | "removeItem"> => open.vault ?? localStorage;
