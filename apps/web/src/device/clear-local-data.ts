import { expireCookie, expireCookies } from "./cookies.ts";
import { DATABASES } from "./databases.ts";
import { clearDeviceStorage, storedNames } from "./device-storage.ts";
import { hasSession } from "./session-cookie.ts";
import { isMembersName, survivesLogout } from "./stored-names.ts";
import { DATABASE_WAIT_MS, withDeadline } from "./with-deadline.ts";

const handlers = new Set<() => void | Promise<void>>();

/** Registers a handler that clears the member data a feature keeps in memory or on the device. */
export function onClearLocalData(handler: () => void | Promise<void>): void {
  handlers.add(handler);
}

/** Clears member data when a session ended without a logout. Device settings such as theme, language and NSFW stay. */
export function clearMemberData(): Promise<void> {
  expireCookie("logged_in");
  return clearLocalData(isMembersName, false);
}

/** Clears everything at logout: cookies that scripts can reach, local and session storage, databases, and what features registered. */
export function clearAllLocalData(isKept = survivesLogout): Promise<void> {
  expireCookies();
  return clearLocalData((name) => !isKept(name), true);
}

/** Clears what a session left behind that ended while no page was open; a closing browser drops only its cookies. */
export function clearLeftoverData(): void {
  if (!hasSession() && storedNames().some(isMembersName)) void clearMemberData();
}

async function clearLocalData(isCleared: (name: string) => boolean, clearsSession: boolean): Promise<void> {
  clearDeviceStorage(isCleared, clearsSession);
  // Not awaited: it contacts the browser's push service, which may be unreachable.
  void unsubscribeFromPush().catch(() => undefined);
  // All handlers start synchronously, so memory is clear even for callers that do not await this.
  const cleared = DATABASES.map((name) => clearDatabase(name).catch(() => undefined));
  await Promise.all([...[...handlers].map((handler) => handler()), ...cleared]);
}

/** Closes notifications that the lock screen still shows, and ends the subscription, which the server ended with the session. */
async function unsubscribeFromPush(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

/** Clears a database instead of deleting it: another tab's open connection would block the deletion and every later open. */
export function clearDatabase(name: string): Promise<void> {
  const clear = (resolve: () => void) => {
    const opening = indexedDB.open(name);
    // The database does not exist. Do not create it here: it would lack the object store that its feature creates.
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onerror = () => resolve();
    opening.onsuccess = () => {
      const { result } = opening;
      const stores = [...result.objectStoreNames];
      const finish = () => {
        result.close();
        resolve();
      };
      if (stores.length === 0) return finish();
      const clearing = result.transaction(stores, "readwrite");
      for (const store of stores) clearing.objectStore(store).clear();
      clearing.oncomplete = finish;
      clearing.onabort = finish;
    };
  };
  return withDeadline(DATABASE_WAIT_MS, () => new Promise(clear));
}
