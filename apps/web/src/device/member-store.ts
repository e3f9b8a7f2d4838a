/**
 * Opens the vault of a member. Its key lies in the browser's database and cannot be read by scripts, and an erasure deletes it; under an
 * app lock it is the key that the PIN unwraps. Changing the key seals everything anew.
 */
import { createStore, type UseStore } from "idb-keyval";
import { fromBase64, toBase64 } from "./base64.ts";
import { onClearLocalData } from "./clear-local-data.ts";
import { KEY_DATABASE } from "./databases.ts";
import { storedNames } from "./device-storage.ts";
import { type Bytes, createSealer, type Sealer } from "./sealer.ts";
import { isMembersName } from "./stored-names.ts";
import { appLock, earlyTexts, GATE, type Vault } from "./vault.ts";
import { DATABASE_WAIT_MS, withDeadline } from "./with-deadline.ts";

export const KEY_NAME = "key";
/** Begins an encrypted text, and no JSON. */
const SEALED = ".";
const stores = new Map<string, UseStore>();

/** The connection to a database stays open: a page that closes would not wait until it is opened. */
export function databaseStore(database: string): UseStore {
  const store = stores.get(database) ?? createStore(database, "keyval");
  stores.set(database, store);
  return store;
}

/** Outgoing messages have random names, which need not be hidden and are there at once. */
export function storedName({ hashName }: Sealer, database: string, name: string): string | Promise<string> {
  return database === "outbox" ? name.slice(name.lastIndexOf(":") + 1) : hashName(name);
}

export const importKey = (key: Bytes): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", key, "HKDF", false, ["deriveKey"]);

export async function getDeviceKey(database = KEY_DATABASE): Promise<CryptoKey> {
  const created = await importKey(crypto.getRandomValues(new Uint8Array(32)));
  // In one transaction, because another tab may create one too.
  return withDeadline(DATABASE_WAIT_MS, () =>
    databaseStore(database)("readwrite", (store) => {
      const reading = store.get(KEY_NAME);
      return new Promise<CryptoKey>((resolve, reject) => {
        reading.onsuccess = () => {
          const found = reading.result as CryptoKey | undefined;
          if (!found) store.put(created, KEY_NAME);
          store.transaction.oncomplete = () => resolve(found ?? created);
        };
        store.transaction.onabort = () => reject(store.transaction.error);
      });
    }),
  );
}

let opening: Promise<Vault> | undefined;

/** Opens the vault without a lock. Rejects if the browser stores no keys: then member data lasts as long as the page. */
export function openMemberStore(): Promise<Vault> {
  if (appLock.vault) return Promise.resolve(appLock.vault);
  opening ??= getDeviceKey()
    .then((key) => enter(key, []))
    .finally(() => {
      opening = undefined;
    });
  return opening;
}

/** Begins to use a vault. `older` are the keys under which an interrupted change may have left something. */
export async function enter(key: CryptoKey, older: readonly Sealer[]): Promise<Vault> {
  const vault = createVault(await createSealer(key));
  await Promise.all(
    storedNames()
      .filter(isMembersName)
      .map((name) => vault.load(name, older)),
  );
  for (const [name, text] of earlyTexts) vault.setItem(name, text);
  earlyTexts.clear();
  appLock.vault = vault;
  // What was read before is read again.
  dispatchEvent(new StorageEvent("storage"));
  return vault;
}

/** Decrypts what another tab wrote, then repeats the event for listeners that read the old value. There is no window in unit tests. */
globalThis.window?.addEventListener("storage", ({ key, isTrusted }) => {
  const vault = appLock.vault as MemberVault | undefined;
  const gate = appLock.gate as MemberVault | undefined;
  const owner = key === GATE ? gate : key !== null && isMembersName(key) ? vault : undefined;
  if (isTrusted && key !== null && owner)
    void owner.load(key, []).then(() => dispatchEvent(new StorageEvent("storage", { key })));
});

// A logout removes the lock too. Under a lock that stays, its key stays.
onClearLocalData(() => {
  earlyTexts.clear();
  if (!storedNames().includes("lock")) appLock.vault = undefined;
});

export interface MemberVault extends Vault {
  /** Decrypts the current value of a name in local storage; seals a plain one, and removes what nobody can read. */
  load(name: string, older: readonly Sealer[]): Promise<void>;
}

/** @param paddedTo the length of what is sealed is a multiple of this many bytes, and a little more */
export function createVault(sealer: Sealer, paddedTo = 1): MemberVault {
  const plaintexts = new Map<string, string>();
  const pending = new Set<Promise<unknown>>();
  const track = (write: Promise<unknown>) => {
    const settled: Promise<unknown> = write.catch(() => undefined).finally(() => pending.delete(settled));
    pending.add(settled);
  };
  const setItem = (name: string, text: string) => {
    plaintexts.set(name, text);
    const length = paddedTo === 1 ? 0 : new TextEncoder().encode(JSON.stringify(text)).length;
    // What it pads is JSON, in which spaces at the end mean nothing.
    const sealed = sealer.seal(text + " ".repeat(Math.ceil(length / paddedTo) * paddedTo - length));
    const write = (bytes: Bytes) => {
      // Skips values that were replaced or removed during the encryption.
      if (plaintexts.get(name) !== text) return;
      try {
        localStorage.setItem(name, SEALED + toBase64(bytes));
      } catch {
        // On a full disk, the value lasts as long as the page, rather than an older or a plain one staying.
        localStorage.removeItem(name);
      }
    };
    if (sealed instanceof Promise) track(sealed.then(write));
    else write(sealed);
  };
  return {
    sealer,
    plaintexts,
    track,
    flush: async () => void (await Promise.all(pending)),
    getItem: (name) => plaintexts.get(name) ?? null,
    setItem,
    removeItem(name) {
      plaintexts.delete(name);
      localStorage.removeItem(name);
    },
    async load(name, older) {
      const stored = localStorage.getItem(name);
      const text = stored === null ? undefined : await openText(stored, [sealer, ...older]);
      if (text === undefined) plaintexts.delete(name);
      else if (text.isCurrent) plaintexts.set(name, text.value);
      else setItem(name, text.value);
      if (text === undefined && localStorage.getItem(name) === stored) localStorage.removeItem(name);
    },
  };
}

async function openText(stored: string, sealers: readonly Sealer[]) {
  // From before, or by a test.
  if (!stored.startsWith(SEALED)) return { value: stored, isCurrent: false };
  const bytes = fromBase64(stored.slice(SEALED.length));
  for (const [index, { open }] of sealers.entries()) {
    const value = await open(bytes).catch(() => undefined);
    if (typeof value === "string") return { value, isCurrent: index === 0 };
  }
  return undefined;
}

/** Writes in one transaction, which an unloading page does not roll back. Undefined deletes an entry. */
export function writeStored(store: UseStore, changes: readonly (readonly [string, unknown])[]): Promise<void> {
  return store("readwrite", (objectStore) => {
    for (const [name, value] of changes) {
      if (value === undefined) objectStore.delete(name);
      else objectStore.put(value, name);
    }
    return new Promise<void>((resolve, reject) => {
      objectStore.transaction.oncomplete = () => resolve();
      objectStore.transaction.onabort = () => reject(objectStore.transaction.error);
      // Without an explicit commit, a page that unloads now would roll the transaction back.
      objectStore.transaction.commit();
    });
  });
}
