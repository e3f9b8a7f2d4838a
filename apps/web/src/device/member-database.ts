import { clear, createStore, entries, get, type UseStore } from "idb-keyval";
import { appLock, type MemberDatabase } from "./vault.ts";

/** A database of member data on this device. While a lock is on, its values and names are encrypted. */
export function memberDatabase(database: string): MemberDatabase {
  let store: UseStore | undefined;
  const getStore = () => (store ??= createStore(database, "keyval"));
  const plaintext: MemberDatabase = {
    get: (name) => get(name, getStore()),
    list: async <Value>(prefix: string) => {
      const stored = await entries<string, Value>(getStore());
      return stored.filter(([name]) => name.startsWith(prefix)).map(([, value]) => value);
    },
    writeAll: (changes) =>
      getStore()("readwrite", (objectStore) => {
        for (const [name, value] of changes) {
          if (value === undefined) objectStore.delete(name);
          else objectStore.put(value, name);
        }
        // Without an explicit commit, a page that unloads now would roll the transaction back.
        objectStore.transaction.commit();
      }) as Promise<void>,
    clear: () => clear(getStore()),
  };
  const current = () => appLock.vault?.database(database) ?? plaintext;
  return {
    get: (name) => current().get(name),
    list: (prefix) => current().list(prefix),
    writeAll: (changes) => current().writeAll(changes),
    clear: () => current().clear(),
  };
}
