/** Changes the key under which a member's data is sealed on this device: to the one that a PIN unwraps, and back to the device's own. */
import { get } from "idb-keyval";
import { adopt } from "../../device/adopt.ts";
import { KEY_DATABASE } from "../../device/databases.ts";
import {
  createVault,
  databaseStore,
  enter,
  getDeviceKey,
  importKey,
  KEY_NAME,
  openMemberStore,
} from "../../device/member-store.ts";
import { type Bytes, createSealer } from "../../device/sealer.ts";
import { appLock } from "../../device/vault.ts";
import { DATABASE_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";

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
  await old.adopted;
  await old.flush();
  begin();
  for (const [name, text] of old.plaintexts) next.setItem(name, text);
  appLock.vault = next;
  next.adopted = adopt(next, [old.sealer]);
  await next.adopted;
  await next.flush();
}
