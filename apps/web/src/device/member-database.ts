import { clear, createStore, entries, get, type UseStore } from "idb-keyval";
import { appLock, type MemberDatabase } from "./vault.ts";
import { DATABASE_WAIT_MS, DeadlinePassed, withDeadline } from "./with-deadline.ts";

/**
 * A database of member data on this device. While a lock is on, its values and names are encrypted. A browser whose databases do not
 * answer delays only the first call; later ones reject at once until it answers. Writes take effect in their order nevertheless.
 */
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
  let isSilent = false;
  const ask = async <Value>(question: (current: MemberDatabase) => Promise<Value>): Promise<Value> => {
    try {
      return await withDeadline(
        isSilent ? 0 : DATABASE_WAIT_MS,
        () => question(appLock.vault?.database(database) ?? plaintext),
        {
          onLate: () => {
            isSilent = false;
          },
        },
      );
    } catch (error) {
      if (error instanceof DeadlinePassed) isSilent = true;
      throw error;
    }
  };
  return {
    get: (name) => ask((current) => current.get(name)),
    list: (prefix) => ask((current) => current.list(prefix)),
    writeAll: (changes) => ask((current) => current.writeAll(changes)),
    clear: () => ask((current) => current.clear()),
  };
}
