/** The vault of an opened lock, and the moves into it and out of it. Its keys cannot be read out of the page's memory by a script. */
import { onClearLocalData } from "../../device/clear-local-data.ts";
import { DATABASES } from "../../device/databases.ts";
import { OWN_CHOICES } from "../../device/own-choices.ts";
import { type MemberDatabase, open as openNow, type Vault } from "../../device/vault.ts";
import { type Bytes, decrypt, encrypt, fromBase64, toBase64, toBase64Url } from "./bytes.ts";
import { pack, unpack } from "./packing.ts";
import { type Sealer, sealedDatabase } from "./sealed-database.ts";
import { readEntries, writeEntries } from "./stored.ts";

interface OpenVault extends Vault {
  readonly sealer: Sealer;
  /** Local storage in the clear, by name: opened once, and kept up with. */
  readonly texts: ReadonlyMap<string, string>;
  /** Opens what lies under a name by now. */
  read(name: string): Promise<void>;
  /** Resolves when all that was kept so far is written. */
  settled(): Promise<void>;
}

let opened: OpenVault | undefined;

const use = (vault: OpenVault | undefined) => {
  opened = vault;
  openNow.vault = vault;
  if (vault) addEventListener("storage", onStorage);
  else removeEventListener("storage", onStorage);
};

const isOwnChoice = (name: string) => OWN_CHOICES.includes(name);
// After a logout the lock is gone with the rest: what a next member does here would be sealed for nobody.
onClearLocalData(() => {
  if (localStorage.getItem("lock") === null) use(undefined);
});

const memberNames = () => Object.keys(localStorage).filter((name) => !isOwnChoice(name));

/** Another tab wrote something: opened here before whoever listens looks at it, who is told a second time. */
function onStorage({ key, isTrusted }: StorageEvent): void {
  if (isTrusted && key !== null && opened && !isOwnChoice(key))
    void opened.read(key).then(() => dispatchEvent(new StorageEvent("storage", { key })));
}

/** Opens what a locked device kept. What does not open is nobody's any more, and goes. */
export async function openVault(key: Bytes): Promise<void> {
  const vault = await makeVault(key);
  await Promise.all(memberNames().map((name) => vault.read(name)));
  for (const name of memberNames()) if (!vault.texts.has(name)) localStorage.removeItem(name);
  use(vault);
}

/** Seals what lay in the clear: a lock is turned on. */
export async function sealAll(key: Bytes): Promise<void> {
  const vault = await makeVault(key);
  for (const name of memberNames()) vault.setItem(name, localStorage.getItem(name) ?? "");
  await vault.settled();
  const sealed = new Map(memberNames().map((name) => [name, localStorage.getItem(name)]));
  const { nameOf, seal } = vault.sealer;
  await rewriteDatabases(async (name, value) => [await nameOf(name), await seal(name, value)]);
  use(vault);
  // The page went on meanwhile, and saved in the clear.
  for (const name of vault.texts.keys()) if (localStorage.getItem(name) === null) vault.removeItem(name);
  for (const name of memberNames()) {
    const text = localStorage.getItem(name);
    if (text !== null && text !== sealed.get(name)) vault.setItem(name, text);
  }
  await Promise.all([vault.settled(), ...DATABASES.map((database) => sealRest(vault, database))]);
}

/** Of a database: what lies in the clear, unless something newer was sealed under its name. */
async function sealRest(vault: OpenVault, database: string): Promise<void> {
  for (const [name, value] of await readEntries(database)) {
    const isSealed = await vault.sealer.open(value).then(
      () => true,
      () => false,
    );
    if (isSealed) continue;
    await vault.database(database).update(String(name), (kept) => kept ?? value);
    await writeEntries(database, [[name, undefined]]);
  }
}

/** Writes everything in the clear again: the lock is turned off. */
export async function unsealAll(): Promise<void> {
  const vault = opened;
  if (!vault) return;
  await vault.settled();
  await rewriteDatabases(async (_name, sealed) => {
    const { name, value } = await vault.sealer.open(sealed);
    return [name, value];
  });
  use(undefined);
  for (const [name, text] of vault.texts) localStorage.setItem(name, text);
}

/** Waits for what is being sealed: the page is about to go. */
export async function vaultSettled(): Promise<void> {
  await opened?.settled();
}

async function rewriteDatabases(
  change: (name: string, value: unknown) => Promise<readonly [string, unknown]>,
): Promise<void> {
  for (const database of DATABASES) {
    const kept = await readEntries(database);
    if (kept.length === 0) continue;
    const changed = await Promise.all(kept.map(([name, value]) => change(String(name), value)));
    await writeEntries(database, changed, true);
  }
}

async function makeVault(raw: Bytes): Promise<OpenVault> {
  const base = await crypto.subtle.importKey("raw", raw, "HKDF", false, ["deriveKey"]);
  const from = (info: string) => ({
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: new TextEncoder().encode(info),
  });
  const key = await crypto.subtle.deriveKey(from("store"), base, { name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
  const namer = await crypto.subtle.deriveKey(
    from("names"),
    base,
    { name: "HMAC", hash: "SHA-256", length: 256 },
    false,
    ["sign"],
  );
  const sealer: Sealer = {
    nameOf: async (name) => {
      const signed = await crypto.subtle.sign("HMAC", namer, new TextEncoder().encode(name));
      return toBase64Url(new Uint8Array(signed).subarray(0, 16));
    },
    seal: async (name, value) => encrypt(key, await pack({ name, value })),
    open: async (sealed) =>
      unpack(await decrypt(key, new Uint8Array(sealed as Uint8Array))) as { name: string; value: unknown },
  };
  const databases = new Map<string, MemberDatabase>();
  const texts = new Map<string, string>();
  const writing = new Set<Promise<void>>();
  const write = async (name: string, text: string) => {
    const sealed = toBase64(await encrypt(key, new TextEncoder().encode(text)));
    // The newest wins, however long each takes to seal; and what was forgotten meanwhile stays forgotten.
    if (texts.get(name) === text) localStorage.setItem(name, sealed);
  };
  return {
    texts,
    getItem: (name) => (isOwnChoice(name) ? localStorage.getItem(name) : (texts.get(name) ?? null)),
    setItem(name, text) {
      if (isOwnChoice(name)) {
        localStorage.setItem(name, text);
        return;
      }
      texts.set(name, text);
      const written = write(name, text)
        // A full disk: it lives as long as the page.
        .catch(() => undefined)
        .finally(() => writing.delete(written));
      writing.add(written);
    },
    removeItem(name) {
      texts.delete(name);
      localStorage.removeItem(name);
    },
    async read(name) {
      const sealed = localStorage.getItem(name);
      const text = sealed === null ? undefined : await openText(key, sealed);
      if (text === undefined) texts.delete(name);
      else texts.set(name, text);
    },
    sealer,
    database(name) {
      const known = databases.get(name) ?? sealedDatabase(name, sealer);
      databases.set(name, known);
      return known;
    },
    settled: async () => void (await Promise.all(writing)),
  };
}

async function openText(key: CryptoKey, sealed: string): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await decrypt(key, fromBase64(sealed)));
  } catch {
    return undefined;
  }
}
