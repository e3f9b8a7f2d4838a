import { clear, createStore, get, type UseStore, update } from "idb-keyval";
import { type MemberDatabase, open } from "./vault.ts";

/** A database of member data on this device: in the clear, or sealed, names too, while a lock is on. */
export function memberDatabase(database: string): MemberDatabase {
  let store: UseStore | undefined;
  const opened = () => (store ??= createStore(database, "keyval"));
  const inTheClear: MemberDatabase = {
    get: (name) => get(name, opened()),
    update: (name, how) => update(name, how, opened()),
    writeAll: (entries) =>
      opened()("readwrite", (kept) => {
        for (const [name, value] of entries) {
          if (value === undefined) kept.delete(name);
          else kept.put(value, name);
        }
        // A page that is being left would not live to see its requests done, and take them back.
        kept.transaction.commit();
      }) as Promise<void>,
    clear: () => clear(opened()),
  };
  const now = () => open.vault?.database(database) ?? inTheClear;
  return {
    get: (name) => now().get(name),
    update: (name, how) => now().update(name, how),
    writeAll: (entries) => now().writeAll(entries),
    clear: () => now().clear(),
  };
}
