/** Changes the key under which a member's data is sealed on this device: to the one that a PIN unwraps, and back to the device's own. */
import { entries, get } from "idb-keyval";
import { clearDatabase } from "../../../device/clear-local-data.ts";
import { GATE_DATABASE, KEY_DATABASE, MEMBER_DATABASES } from "../../../device/databases.ts";
import {
  createVault,
  databaseStore,
  enter,
  getDeviceKey,
  importKey,
  KEY_NAME,
  type MemberVault,
  openMemberStore,
  storedName,
  writeStored,
} from "../../../device/member-store.ts";
import { type Bytes, createSealer, type Sealer } from "../../../device/sealer.ts";
import { appLock, GATE, textStorage, type Vault } from "../../../device/vault.ts";
import { DATABASE_WAIT_MS, withDeadline } from "../../../device/with-deadline.ts";

/** Longer than the record of a lock, and than a page of short notes. */
const GATE_BYTES = 8192;

let gate: MemberVault | undefined;

/** Opens the record of the lock, or the notes, as another tab may have left it. Its key stays until the record is removed. */
export async function openGate(): Promise<void> {
  gate ??= createVault(await createSealer(await getDeviceKey(GATE_DATABASE)), GATE_BYTES);
  await gate.load(GATE, []);
  appLock.gate = gate;
  dispatchEvent(new StorageEvent("storage", { key: GATE }));
}

export function removeGate(): void {
  textStorage(GATE).removeItem(GATE);
  gate = undefined;
  appLock.gate = undefined;
  dispatchEvent(new StorageEvent("storage", { key: GATE }));
  void clearDatabase(GATE_DATABASE).catch(() => undefined);
}

const findDeviceKey = () => withDeadline(DATABASE_WAIT_MS, () => get<CryptoKey>(KEY_NAME, databaseStore(KEY_DATABASE)));

const deleteDeviceKey = () =>
  withDeadline(DATABASE_WAIT_MS, () =>
    databaseStore(KEY_DATABASE)("readwrite", (store) => {
      store.delete(KEY_NAME);
      return new Promise<void>((resolve) => {
        store.transaction.oncomplete = () => resolve();
      });
    }),
  );

/** Opens the vault with the key that the PIN unwraps, and seals what an interrupted change left under the key of the device. */
export async function openLockedStore(key: Bytes): Promise<void> {
  const deviceKey = await findDeviceKey().catch(() => undefined);
  const older = deviceKey ? [await createSealer(deviceKey)] : [];
  const vault = await enter(await importKey(key), older);
  // Another tab may have saved something before it learned of the lock.
  await adopt(vault, older).catch(() => undefined);
  if (deviceKey) await deleteDeviceKey().catch(() => undefined);
}

/** Seals everything under the key of a new lock. `saveRecord` runs in the task that begins to use the key. */
export async function lockStore(key: Bytes, saveRecord: () => void): Promise<void> {
  await change(await importKey(key), saveRecord);
  await deleteDeviceKey();
}

/** Seals everything under a key of the device, before the lock is turned off. */
export const releaseStore = async (): Promise<void> => change(await getDeviceKey(), () => undefined);

async function change(key: CryptoKey, begin: () => void): Promise<void> {
  const old = await openMemberStore();
  const next = createVault(await createSealer(key));
  await old.flush();
  begin();
  for (const [name, text] of old.plaintexts) next.setItem(name, text);
  appLock.vault = next;
  await adopt(next, [old.sealer]);
  await next.flush();
}

/** Seals what older keys have sealed, or nobody, unless there is a newer entry; removes what nobody can read. */
async function adopt({ sealer }: Vault, older: readonly Sealer[]): Promise<void> {
  for (const database of MEMBER_DATABASES) {
    const store = databaseStore(database);
    const stored = await withDeadline(DATABASE_WAIT_MS, () => entries<string, unknown>(store));
    const names = new Set(stored.map(([name]) => name));
    const changes: (readonly [string, unknown])[] = [];
    for (const [name, value] of stored) {
      if (await canOpen(sealer, value)) continue;
      changes.push([name, undefined]);
      const found = await openOlder(name, value, older);
      if (!found) continue;
      const next = await storedName(sealer, database, found.name);
      if (next === name || !names.has(next)) changes.push([next, await sealer.seal(found)]);
    }
    if (changes.length > 0) await withDeadline(DATABASE_WAIT_MS, () => writeStored(store, changes));
  }
}

const canOpen = (sealer: Sealer, value: unknown) =>
  value instanceof Uint8Array
    ? sealer.open(value).then(
        () => true,
        () => false,
      )
    : false;

async function openOlder(name: string, value: unknown, older: readonly Sealer[]) {
  if (!(value instanceof Uint8Array)) return { name, value };
  for (const { open } of older) {
    const found = await open(value).catch(() => undefined);
    if (found) return found as { name: string; value: unknown };
  }
  return undefined;
}
