import type { MemberDatabase } from "../../device/vault.ts";
import { readEntry, writeEntries } from "./stored.ts";

/** Seals and opens one entry. Its name lies in what is sealed: under what it lies on the disk says nothing. */
export interface Sealer {
  /** The same for a name each time. */
  readonly nameOf: (name: string) => Promise<string>;
  readonly seal: (name: string, value: unknown) => Promise<Uint8Array>;
  readonly open: (sealed: unknown) => Promise<{ readonly name: string; readonly value: unknown }>;
}

export function sealedDatabase(database: string, { nameOf, seal, open }: Sealer): MemberDatabase {
  let last: Promise<unknown> = Promise.resolve();
  // A transaction would be over before a key has opened what it read.
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const locked = async () => {
      if (navigator.locks) await navigator.locks.request(`sealed-${database}`, work);
      else await work();
    };
    const mine = last.then(locked, locked);
    last = mine;
    return mine;
  };
  const read = async <Value>(name: string) => {
    const sealed = await readEntry(database, await nameOf(name));
    return (sealed === undefined ? undefined : (await open(sealed)).value) as Value | undefined;
  };
  const write = async (entries: readonly (readonly [string, unknown])[]) => {
    const sealed = entries.map(
      async ([name, value]) => [await nameOf(name), value === undefined ? undefined : await seal(name, value)] as const,
    );
    await writeEntries(database, await Promise.all(sealed));
  };
  return {
    get: read,
    update: <Value>(name: string, how: (kept: Value | undefined) => Value) =>
      inTurn(async () => write([[name, how(await read<Value>(name))]])),
    writeAll: (entries) => inTurn(() => write(entries)),
    clear: () => inTurn(() => writeEntries(database, [], true)),
  };
}
