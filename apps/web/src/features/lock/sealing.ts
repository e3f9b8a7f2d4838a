/** The vault of an unlocked device, and moving data into and out of it. Its keys are not extractable by scripts. */
import { onClearLocalData } from "../../device/clear-local-data.ts";
import { DATABASES } from "../../device/databases.ts";
import { DEVICE_SCOPED_KEYS } from "../../device/device-scoped-keys.ts";
import { appLock, type Vault } from "../../device/vault.ts";
import { fromBase64, toBase64, toBase64Url } from "../../format/base64.ts";
import { type Bytes, decrypt, encrypt } from "./bytes.ts";
import { readEntries, writeEntries } from "./database-entries.ts";
import { pack, unpack } from "./packing.ts";
import { type SealedDatabase, type Sealer, sealedDatabase } from "./sealed-database.ts";

interface OpenVault extends Vault {
  database(name: string): SealedDatabase;
  readonly sealer: Sealer;
  /** Local storage in plain text, by name: decrypted once, then kept up to date. */
  readonly plaintexts: ReadonlyMap<string, string>;
  /** Encrypts a text without storing it. */
  sealText(text: string): Promise<string>;
  /** Stores a text that has been encrypted already. */
  setSealed(name: string, text: string, sealed: string): void;
  /** Decrypts the current value of a name in local storage. */
  reload(name: string): Promise<void>;
  /** Resolves when all pending writes, also to databases, are done. */
  flush(): Promise<void>;
}

let currentVault: OpenVault | undefined;

const setCurrentVault = (vault: OpenVault | undefined) => {
  currentVault = vault;
  appLock.vault = vault;
  if (vault) addEventListener("storage", onStorage);
  else removeEventListener("storage", onStorage);
};

const isDeviceScoped = (name: string) => DEVICE_SCOPED_KEYS.includes(name);

// A logout removes the lock too. Anything that the next member stores could not be decrypted later.
onClearLocalData(() => {
  if (localStorage.getItem("lock") === null) setCurrentVault(undefined);
});

const memberKeys = () => Object.keys(localStorage).filter((name) => !isDeviceScoped(name));

/** Decrypts what another tab wrote, then repeats the event for listeners that read the old value. */
function onStorage({ key, isTrusted }: StorageEvent): void {
  if (isTrusted && key !== null && currentVault && !isDeviceScoped(key))
    void currentVault.reload(key).then(() => dispatchEvent(new StorageEvent("storage", { key })));
}

/** Decrypts the data of a locked device. Removes what cannot be decrypted. */
export async function openVault(key: Bytes): Promise<void> {
  const vault = await createVault(key);
  await Promise.all(memberKeys().map((name) => vault.reload(name)));
  for (const name of memberKeys()) if (!vault.plaintexts.has(name)) localStorage.removeItem(name);
  setCurrentVault(vault);
  // Another tab may have saved something before it learned of the lock. If storage fails, the PIN must open the page anyway.
  await Promise.allSettled(DATABASES.map((database) => sealRemaining(vault, database)));
}

/**
 * Encrypts all member data when the lock is turned on. The page may be closed at any time: the PIN then opens what is sealed, and
 * unlocking seals the rest of the databases.
 *
 * @param saveRecord stores the key, encrypted by the PIN
 */
export async function sealAll(key: Bytes, saveRecord: () => void): Promise<void> {
  const vault = await createVault(key);
  const sealed = await sealLocalStorage(vault, saveRecord);
  const { hashName, seal } = vault.sealer;
  try {
    await rewriteDatabases(async (name, value) => [await hashName(name), await seal(name, value)]);
  } finally {
    // The lock is on, even if the databases could not be written.
    setCurrentVault(vault);
  }
  // The page kept running in the meantime and may have saved unencrypted values.
  for (const name of vault.plaintexts.keys()) if (localStorage.getItem(name) === null) vault.removeItem(name);
  for (const name of memberKeys()) {
    const text = localStorage.getItem(name);
    if (text !== null && text !== sealed.get(name)) vault.setItem(name, text);
  }
  await Promise.all([vault.flush(), ...DATABASES.map((database) => sealRemaining(vault, database))]);
}

/**
 * Stores the key and the encrypted local storage in one step, because nothing sealed may be without its key, and unlocking removes
 * whatever is not sealed. Returns the encrypted texts by name.
 */
async function sealLocalStorage(vault: OpenVault, saveRecord: () => void): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const sealed = new Map<string, string>();
  const findUnsealed = () => memberKeys().filter((name) => texts.get(name) !== localStorage.getItem(name));
  // The page keeps running and may save more during the encryption.
  for (let names = findUnsealed(); names.length > 0; names = findUnsealed()) {
    for (const name of names) {
      const text = localStorage.getItem(name) ?? "";
      sealed.set(name, await vault.sealText(text));
      texts.set(name, text);
    }
  }
  saveRecord();
  for (const name of memberKeys()) vault.setSealed(name, texts.get(name) ?? "", sealed.get(name) ?? "");
  return sealed;
}

/** Encrypts the remaining unencrypted entries of a database, unless a newer one was sealed under the same name. */
async function sealRemaining(vault: OpenVault, database: string): Promise<void> {
  for (const [name, value] of await readEntries(database)) {
    if (isSealed(value)) continue;
    await vault.database(database).writeIfAbsent(String(name), value);
    await writeEntries(database, [[name, undefined]]);
  }
}

/** Decrypts all member data when the lock is turned off. Throws while it is still being turned on, because the data would be lost. */
export async function unsealAll(): Promise<void> {
  const vault = currentVault;
  if (!vault) throw new Error("the lock is still being turned on");
  await vault.flush();
  const unsealDatabases = () =>
    rewriteDatabases(async (name, value) => {
      if (!isSealed(value)) return [name, value];
      // Deletes what nobody can read any more, which would otherwise keep the lock on.
      const opened = await vault.sealer.open(value).catch(() => ({ name, value: undefined }));
      return [opened.name, opened.value];
    });
  await unsealDatabases();
  setCurrentVault(undefined);
  // What the page saved meanwhile.
  await vault.flush();
  await unsealDatabases();
  for (const [name, text] of vault.plaintexts) localStorage.setItem(name, text);
}

/** Waits for pending writes before the page unloads. */
export async function flushVault(): Promise<void> {
  await currentVault?.flush();
}

/** Values are stored unencrypted as texts and objects. */
const isSealed = (value: unknown): boolean => value instanceof Uint8Array;

/** Replaces each entry by a changed one, or deletes it if the changed value is undefined. Changes nothing if one change fails. */
async function rewriteDatabases(
  change: (name: string, value: unknown) => Promise<readonly [string, unknown]>,
): Promise<void> {
  for (const database of DATABASES) {
    const entries = await readEntries(database);
    if (entries.length === 0) continue;
    const changed = await Promise.all(entries.map(([name, value]) => change(String(name), value)));
    // Replaces only what was read: the page keeps running and may have saved more.
    await writeEntries(database, [...entries.map(([name]) => [name, undefined] as const), ...changed]);
  }
}

async function createVault(rawKey: Bytes): Promise<OpenVault> {
  const { key, nameKey } = await deriveKeys(rawKey);
  const sealer = createSealer(key, nameKey);
  const databases = new Map<string, SealedDatabase>();
  const plaintexts = new Map<string, string>();
  const pendingWrites = new Set<Promise<void>>();
  const sealText = async (text: string) => toBase64(await encrypt(key, new TextEncoder().encode(text)));
  const write = async (name: string, text: string) => {
    const sealed = await sealText(text);
    // Skips values that were replaced or removed during the encryption.
    if (plaintexts.get(name) === text) localStorage.setItem(name, sealed);
  };
  // If a write fails, as on a full disk, its value lasts as long as the page.
  const track = (write: Promise<void>) => {
    const pending = write.catch(() => undefined).finally(() => pendingWrites.delete(pending));
    pendingWrites.add(pending);
  };
  return {
    plaintexts,
    getItem: (name) => (isDeviceScoped(name) ? localStorage.getItem(name) : (plaintexts.get(name) ?? null)),
    setItem(name, text) {
      if (isDeviceScoped(name)) {
        localStorage.setItem(name, text);
        return;
      }
      plaintexts.set(name, text);
      track(write(name, text));
    },
    removeItem(name) {
      plaintexts.delete(name);
      localStorage.removeItem(name);
    },
    sealText,
    setSealed(name, text, sealed) {
      plaintexts.set(name, text);
      try {
        localStorage.setItem(name, sealed);
      } catch {
        // On a full disk the value lasts as long as the page, rather than staying readable.
        localStorage.removeItem(name);
      }
    },
    async reload(name) {
      const sealed = localStorage.getItem(name);
      const text = sealed === null ? undefined : await decryptText(key, sealed);
      if (text === undefined) plaintexts.delete(name);
      else plaintexts.set(name, text);
    },
    sealer,
    database(name) {
      const database = databases.get(name) ?? sealedDatabase(name, sealer, track);
      databases.set(name, database);
      return database;
    },
    flush: async () => void (await Promise.all(pendingWrites)),
  };
}

async function deriveKeys(rawKey: Bytes): Promise<{ key: CryptoKey; nameKey: CryptoKey }> {
  const base = await crypto.subtle.importKey("raw", rawKey, "HKDF", false, ["deriveKey"]);
  const hkdf = (info: string) => ({
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: new TextEncoder().encode(info),
  });
  const key = await crypto.subtle.deriveKey(hkdf("store"), base, { name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
  const hmac = { name: "HMAC", hash: "SHA-256", length: 256 };
  const nameKey = await crypto.subtle.deriveKey(hkdf("names"), base, hmac, false, ["sign"]);
  return { key, nameKey };
}

function createSealer(key: CryptoKey, nameKey: CryptoKey): Sealer {
  return {
    hashName: async (name) => {
      const signature = await crypto.subtle.sign("HMAC", nameKey, new TextEncoder().encode(name));
      return toBase64Url(new Uint8Array(signature).subarray(0, 16));
    },
    seal: async (name, value) => encrypt(key, await pack({ name, value })),
    open: async (sealed) =>
      unpack(await decrypt(key, new Uint8Array(sealed as Uint8Array))) as { name: string; value: unknown },
  };
}

async function decryptText(key: CryptoKey, sealed: string): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await decrypt(key, fromBase64(sealed)));
  } catch {
    return undefined;
  }
}
