import { clear, createStore, get, type UseStore, update } from "idb-keyval";
import { appLock, type MemberDatabase } from "./vault.ts";

/** A database of member data on this device. While a lock is on, its values and names are encrypted. */
export function memberDatabase(database: string): MemberDatabase {
  let store: UseStore | undefined;
  const getStore = () => (store ??= createStore(database, "keyval"));
  const plaintext: MemberDatabase = {
    get: (name) => get(name, getStore()),
    update: (name, updater) => update(name, updater, getStore()),
    writeAll: (entries) =>
      getStore()("readwrite", (objectStore) => {
        for (const [name, value] of entries) {
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
    update: (name, updater) => current().update(name, updater),
    writeAll: (entries) => current().writeAll(entries),
    clear: () => current().clear(),
  };
}
