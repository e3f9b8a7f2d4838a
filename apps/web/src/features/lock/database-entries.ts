/** Raw access to the device's databases. They have the layout of idb-keyval: one store each. */
import { DATABASE_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";

const STORE = "keyval";

type Entry = readonly [name: IDBValidKey, value: unknown];

export async function readEntries(database: string): Promise<Entry[]> {
  return runTransaction(database, "readonly", (store) => {
    const [names, values] = [store.getAllKeys(), store.getAll()];
    return () => names.result.map((name, index) => [name, values.result[index]] as const);
  });
}

export async function readEntry(database: string, name: string): Promise<unknown> {
  return runTransaction(database, "readonly", (store) => {
    const reading = store.get(name);
    return () => reading.result as unknown;
  });
}

/** Writes in one transaction. An undefined value deletes its entry; `clearsFirst` deletes all others. */
export async function writeEntries(database: string, entries: readonly Entry[], clearsFirst = false): Promise<void> {
  await runTransaction(database, "readwrite", (store) => {
    if (clearsFirst) store.clear();
    for (const [name, value] of entries) {
      if (value === undefined) store.delete(name);
      else store.put(value, name);
    }
    return () => undefined;
  });
}

function runTransaction<Result>(
  database: string,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => () => Result,
): Promise<Result> {
  const run = (resolve: (result: Result) => void, reject: (error: unknown) => void) => {
    const opening = indexedDB.open(database);
    opening.onupgradeneeded = () => void opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const transaction = opening.result.transaction(STORE, mode);
      const readResult = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => {
        opening.result.close();
        resolve(readResult());
      };
      transaction.onabort = () => {
        opening.result.close();
        reject(transaction.error);
      };
    };
  };
  return withDeadline(DATABASE_WAIT_MS, () => new Promise(run));
}
