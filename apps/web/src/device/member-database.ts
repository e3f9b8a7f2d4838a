/** A database of member data on this device: in the clear, or sealed, names too, where a lock is on. */
import { clear, createStore, get, promisifyRequest, type UseStore, update } from "idb-keyval";
import { currentVault, type Vault } from "./vault.ts";

export interface MemberDatabase {
  /** Undefined for nothing; rejects where the disk refuses. */
  get<Value>(name: string): Promise<Value | undefined>;
  /** Changes one after the other, in the order asked, those of other tabs among them. */
  update<Value>(name: string, how: (kept: Value | undefined) => Value): Promise<void>;
  /** Writes all, in the clear at once, so that a page that is being left lives to see it done; undefined takes away. */
  writeAll(entries: readonly (readonly [name: string, value: unknown])[]): Promise<void>;
  clear(): Promise<void>;
}

export function memberDatabase(database: string): MemberDatabase {
  let store: UseStore | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const opened = () => (store ??= createStore(database, "keyval"));

  const put = (entries: readonly (readonly [string, unknown])[]) =>
    opened()("readwrite", (kept) => {
      for (const [name, value] of entries) {
        if (value === undefined) kept.delete(name);
        else kept.put(value, name);
      }
      // A page that is being left would not live to see its requests done, and take them back.
      kept.transaction.commit();
      return promisifyRequest(kept.transaction);
    });
  const read = async (vault: Vault, name: string) => {
    const sealed = await get<Uint8Array>(await vault.nameOf(name), opened());
    return sealed && (await vault.open(sealed)).value;
  };
  const write = async (vault: Vault, entries: readonly (readonly [string, unknown])[]) =>
    put(
      await Promise.all(
        entries.map(
          async ([name, value]) =>
            [await vault.nameOf(name), value === undefined ? undefined : await vault.seal(name, value)] as const,
        ),
      ),
    );
  // A transaction would be over before a key has opened what it read.
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const locked = () => (navigator.locks ? navigator.locks.request(`sealed-${database}`, work) : work());
    const mine = last.then(locked, locked);
    last = mine;
    return mine as Promise<void>;
  };

  return {
    get: async <Value>(name: string) => {
      const vault = currentVault();
      return (vault ? read(vault, name) : get(name, opened())) as Promise<Value | undefined>;
    },
    update: <Value>(name: string, how: (kept: Value | undefined) => Value) => {
      const vault = currentVault();
      if (!vault) return update<Value>(name, how, opened());
      return inTurn(async () => write(vault, [[name, how((await read(vault, name)) as Value | undefined)]]));
    },
    writeAll: (entries) => {
      const vault = currentVault();
      return vault ? inTurn(() => write(vault, entries)) : put(entries);
    },
    clear: () => clear(opened()),
  };
}
