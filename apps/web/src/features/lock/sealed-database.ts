import type { MemberDatabase } from "../../device/vault.ts";
import { withTabLock } from "../../device/with-tab-lock.ts";
import { readEntries, readEntry, writeEntries } from "./database-entries.ts";

/** Encrypts and decrypts entries. An entry's name is part of the ciphertext; on disk it has only a keyed hash of it. */
export interface Sealer {
  /** Deterministic, so that an entry can be found by its name. */
  readonly hashName: (name: string) => Promise<string>;
  readonly seal: (name: string, value: unknown) => Promise<Uint8Array>;
  readonly open: (sealed: unknown) => Promise<{ readonly name: string; readonly value: unknown }>;
}

export interface SealedDatabase extends MemberDatabase {
  /** Writes an entry unless there is one with this name. */
  writeIfAbsent(name: string, value: unknown): Promise<void>;
}

/** @param onWrite is called with each write when it is queued */
export function sealedDatabase(
  database: string,
  { hashName, seal, open }: Sealer,
  onWrite: (write: Promise<void>) => void,
): SealedDatabase {
  let lastWrite: Promise<unknown> = Promise.resolve();
  // An IndexedDB transaction would end while the value that it read is decrypted, so writes are serialized by hand.
  const enqueue = (work: () => Promise<void>): Promise<void> => {
    const runLocked = () => withTabLock(`sealed-${database}`, work);
    const result = lastWrite.then(runLocked, runLocked);
    lastWrite = result;
    onWrite(result);
    return result;
  };
  const read = async <Value>(name: string) => {
    const sealed = await readEntry(database, await hashName(name));
    return (sealed === undefined ? undefined : (await open(sealed)).value) as Value | undefined;
  };
  const write = async (entries: readonly (readonly [string, unknown])[]) => {
    const sealed = entries.map(
      async ([name, value]) =>
        [await hashName(name), value === undefined ? undefined : await seal(name, value)] as const,
    );
    await writeEntries(database, await Promise.all(sealed));
  };
  return {
    get: read,
    list: async <Value>(prefix: string) => {
      const sealed = (await readEntries(database)).map(([, value]) => open(value));
      const opened = (await Promise.allSettled(sealed)).flatMap((result) =>
        result.status === "fulfilled" ? [result.value] : [],
      );
      return opened.filter(({ name }) => name.startsWith(prefix)).map(({ value }) => value as Value);
    },
    writeIfAbsent: (name, value) =>
      enqueue(async () => {
        if ((await read(name)) === undefined) await write([[name, value]]);
      }),
    writeAll: (entries) => enqueue(() => write(entries)),
    clear: () => enqueue(() => writeEntries(database, [], true)),
  };
}
