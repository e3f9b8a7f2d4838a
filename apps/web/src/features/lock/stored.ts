/** The device's databases as they lie on its disk, by name. They are those of idb-keyval: one store each. */
const STORE = "keyval";

type Entry = readonly [name: IDBValidKey, value: unknown];

export async function readEntries(database: string): Promise<Entry[]> {
  return use(database, "readonly", (store) => {
    const [names, values] = [store.getAllKeys(), store.getAll()];
    return () => names.result.map((name, index) => [name, values.result[index]] as const);
  });
}

export async function readEntry(database: string, name: string): Promise<unknown> {
  return use(database, "readonly", (store) => {
    const reading = store.get(name);
    return () => reading.result as unknown;
  });
}

/** All in one transaction; undefined takes an entry away. `instead`: nothing else stays. */
export async function writeEntries(database: string, entries: readonly Entry[], instead = false): Promise<void> {
  await use(database, "readwrite", (store) => {
    if (instead) store.clear();
    for (const [name, value] of entries) {
      if (value === undefined) store.delete(name);
      else store.put(value, name);
    }
    return () => undefined;
  });
}

function use<Answer>(
  database: string,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => () => Answer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(database);
    opening.onupgradeneeded = () => void opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const transaction = opening.result.transaction(STORE, mode);
      const answer = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => {
        opening.result.close();
        resolve(answer());
      };
      transaction.onabort = () => {
        opening.result.close();
        reject(transaction.error);
      };
    };
  });
}
