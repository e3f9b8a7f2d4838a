/**
 * Where member data goes while an app lock is on: sealed under a key that a PIN unwraps. Without a lock there is no vault, and data lies as
 * it always did. What seals is loaded with the lock alone (features/lock/sealing.ts).
 */
export interface Vault {
  /** Local storage in the clear, by name: read when the lock was opened. */
  readonly texts: Map<string, string>;
  /** Seals a text into local storage; null takes it away. */
  keep(name: string, text: string | null): void;
  /** Another tab wrote it. Resolves when `texts` has it. */
  reread(name: string): Promise<void>;
  /** The name under which a database keeps something: the same each time, and nothing can be read off it. */
  nameOf(name: string): Promise<string>;
  /** A value with its name, which nothing else of the database tells. */
  seal(name: string, value: unknown): Promise<Uint8Array>;
  open(sealed: Uint8Array): Promise<{ readonly name: string; readonly value: unknown }>;
}

let vault: Vault | undefined;

export const currentVault = (): Vault | undefined => vault;

export function setVault(next: Vault | undefined): void {
  vault = next;
}
